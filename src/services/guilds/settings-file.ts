/** A server's settings as a file: what `/settings export` writes and `/settings import` reads. Pure. */
import { z } from "zod";
import { quote } from "../messages/quote.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { importedSettings } from "./settings-schema.ts";

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

/** Everything of it or nothing: a refusal names the fields that are wrong. */
export function readSettingsFile(text: string): GuildSettings {
	const parsed = fileSchema.safeParse(jsonOf(text));
	if (parsed.success) return parsed.data.settings;
	const faults = parsed.error.issues.flatMap(faultsOf);
	const named = faults.slice(0, FAULTS_NAMED_MAX).map((fault) => quote(fault, FAULT_CHARS_MAX));
	throw new UserError({ key: "importFaulty", params: { faults: named, more: faults.length - named.length } });
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch {
		throw new UserError({ key: "importNotJson" });
	}
}

/** Of fields that are not known each is a fault of its own. */
function faultsOf(issue: z.core.$ZodIssue): readonly string[] {
	const path = issue.path.map(String);
	if (issue.code !== "unrecognized_keys") return [`${path.join(".") || "the file"}: ${issue.message}`];
	return issue.keys.map((key) => `${[...path, key].join(".")}: there is no such setting`);
}
