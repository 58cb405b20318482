/** A server's settings as a file: what `/settings export` writes and `/settings import` reads. */
import { z } from "zod";
import { quote } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { importedSettings } from "./settings-schema.ts";
import { isSimplified, normalizePattern } from "../moderation/word-filter.ts";

const FORMAT = "atelier-settings";
const VERSION = 1;
/** Every list full, and room to spare. */
export const SETTINGS_FILE_BYTES_MAX = 1024 * 1024;
const FAULTS_NAMED_MAX = 5;
const FAULT_CHARS_MAX = 150;

const fileSchema = z.strictObject({
	format: z.literal(FORMAT, { error: `expected ${FORMAT}` }),
	version: z.literal(VERSION, { error: `expected ${VERSION}` }),
	settings: importedSettings,
});

export function writeSettingsFile(settings: GuildSettings): string {
	return `${JSON.stringify({ format: FORMAT, version: VERSION, settings }, undefined, 2)}\n`;
}

/** Where the bot writes by itself, by field. What a file says of them is anybody's word. */
const CHANNEL_FIELDS = ["warnChannelId", "logChannelId", "reportChannelId"] as const;

/** Refuses settings by which the bot would write, with what members typed, in a channel of another server. */
export async function requireGuildChannels(
	settings: GuildSettings,
	isOwn: (channelId: string) => Promise<boolean>,
): Promise<void> {
	const faults: string[] = [];
	for (const field of CHANNEL_FIELDS) {
		const channelId = settings[field];
		if (channelId !== null && !(await isOwn(channelId))) {
			faults.push(`settings.${field}: there is no channel ${channelId} in this server that I see`);
		}
	}
	if (faults.length > 0) throw importError(faults);
}

/** Everything of it or nothing: a refusal names the fields that are wrong. */
export function readSettingsFile(text: string): GuildSettings {
	const parsed = fileSchema.safeParse(parseJson(text));
	if (!parsed.success) throw importError(parsed.error.issues.flatMap(formatIssue));
	const { settings } = parsed.data;
	const simplified = settings.filter.patterns.flatMap((pattern, index) => {
		if (!isSimplified(pattern)) return [];
		return [`settings.filter.patterns.${index}: would only match ${normalizePattern(pattern) || "nothing"}`];
	});
	if (simplified.length > 0) throw importError(simplified);
	return settings;
}

function importError(faults: readonly string[]): UserError {
	const named = faults.slice(0, FAULTS_NAMED_MAX).map((fault) => quote(fault, FAULT_CHARS_MAX));
	return new UserError({ key: "importFaulty", params: { faults: named, more: faults.length - named.length } });
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch {
		throw new UserError({ key: "importNotJson" });
	}
}

/** Of fields that are not known each is a fault of its own. */
function formatIssue(issue: z.core.$ZodIssue): readonly string[] {
	const path = issue.path.map(String);
	if (issue.code !== "unrecognized_keys") return [`${path.join(".") || "the file"}: ${issue.message}`];
	return issue.keys.map((key) => `${[...path, key].join(".")}: there is no such setting`);
}
