/** A server's settings as a file, for `/settings export` and `/settings import`. */
import { z } from "zod";
import { quote } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import { type GuildSettings, importedSettingsSchema } from "./guild-settings.ts";
import { losesPart, normalizePattern } from "./word-filter.ts";

const FORMAT = "atelier-settings";
const VERSION = 1;
const PROBLEMS_NAMED_MAX = 5;
const PROBLEM_CHARS_MAX = 150;

const fileSchema = z.strictObject({
	format: z.literal(FORMAT, { error: `expected ${FORMAT}` }),
	version: z.literal(VERSION, { error: `expected ${VERSION}` }),
	settings: importedSettingsSchema,
});

export function writeSettingsFile(settings: GuildSettings): string {
	return `${JSON.stringify({ format: FORMAT, version: VERSION, settings }, undefined, 2)}\n`;
}

/** Parses the whole file or throws a denial that names the invalid fields. */
export function readSettingsFile(text: string): GuildSettings {
	const parsed = fileSchema.safeParse(parseJson(text));
	if (!parsed.success) throw importError(parsed.error.issues.flatMap(formatIssue));
	const { settings } = parsed.data;
	const simplified = settings.filter.patterns.flatMap((pattern, index) => {
		if (!losesPart(pattern)) return [];
		return [`settings.filter.patterns.${index}: would only match ${normalizePattern(pattern) || "nothing"}`];
	});
	if (simplified.length > 0) throw importError(simplified);
	return settings;
}

function importError(problems: readonly string[]): UserError {
	const named = problems.slice(0, PROBLEMS_NAMED_MAX).map((problem) => `- ${quote(problem, PROBLEM_CHARS_MAX)}`);
	if (problems.length > named.length) named.push(`- … (+${problems.length - named.length})`);
	return new UserError({ key: "settings.importInvalid", params: { problems: named.join("\n") } });
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch {
		throw new UserError({ key: "settings.importNotJson" });
	}
}

/** Reports each unknown field as an issue of its own. */
function formatIssue(issue: z.core.$ZodIssue): readonly string[] {
	const path = issue.path.map(String);
	if (issue.code !== "unrecognized_keys") return [`${path.join(".") || "the file"}: ${issue.message}`];
	return issue.keys.map((key) => `${[...path, key].join(".")}: unknown setting`);
}
