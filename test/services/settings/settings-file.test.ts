import { expect, test } from "vitest";
import { readSettingsFile, writeSettingsFile } from "../../../src/services/settings/settings-file.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { t } from "../../../src/i18n/messages.ts";
import { UserError } from "../../../src/services/user-error.ts";

const block = { reason: "spam", byUserId: "1", atMs: 1, untilMs: null };
const decided = storedSettingsSchema.parse({
	timeZone: "Europe/Berlin",
	access: { paused: { message: "back soon" }, channels: { allowed: ["50"] }, mediaOff: ["video"] },
	blocks: { "7": block },
	filter: { patterns: ["nud*"] },
	styles: { Noir: { text: "film noir, high contrast" } },
	confirmAbove: 20,
});
const fileOf = (version: number, settings: object): string =>
	JSON.stringify({ format: "atelier-settings", version, settings });

/** Returns the message with which a file is rejected. */
function denial(text: string): string {
	try {
		readSettingsFile(text);
	} catch (error) {
		if (error instanceof UserError) return t("en", error.messageDescriptor);
		throw error;
	}
	return "read";
}

test("an export imports unchanged", () => {
	expect(readSettingsFile(writeSettingsFile(decided))).toStrictEqual(decided);
	expect(readSettingsFile(`\uFEFF${writeSettingsFile(decided)}`)).toStrictEqual(decided);
});

test("fields that are missing in a file are reset to their defaults", () => {
	expect(readSettingsFile(fileOf(1, { confirmAbove: 5 }))).toStrictEqual(
		storedSettingsSchema.parse({ confirmAbove: 5 }),
	);
});

const settings = (invalid: object, words: string) => [JSON.stringify(invalid), fileOf(1, invalid), words] as const;

test.each<readonly [what: string, text: string, words: string]>([
	["no JSON", "settings: please", "isn't JSON"],
	["nothing", "", "isn't JSON"],
	["deeply nested lists", "[".repeat(200_000), "isn't JSON"],
	["a list", "[]", "the file:"],
	["JSON within JSON", JSON.stringify(fileOf(1, {})), "the file:"],
	["another format", '{"format":"other","version":1,"settings":{}}', "format: expected atelier-settings"],
	["another version", fileOf(2, {}), "version: expected 1"],
	settings({ colour: "blue" }, "settings.colour: unknown setting"),
	settings({ access: { owner: 1 } }, "settings.access.owner: unknown setting"),
	settings({ media: { spoiler: "yes" } }, "settings.media.spoiler: "),
	settings({ warnChannelId: "../guilds/1/channels?" }, "settings.warnChannelId: expected an id of Discord"),
	settings({ allowance: { members: { "1> @everyone": 5 } } }, "settings.allowance.members."),
	settings({ serverLimit: { credits: 2e12, per: "month" } }, "settings.serverLimit.credits: "),
	settings({ allowance: { media: { image: 2e12 } } }, "settings.allowance.media.image: "),
	settings({ language: "xx" }, "settings.language: expected a supported language"),
	...["Mars/Olympus", "UTC+3", "local", "system", "default"].map((timeZone) =>
		settings({ timeZone }, "settings.timeZone: expected a time zone"),
	),
	settings({ filter: { patterns: Array.from({ length: 101 }, () => "cat") } }, "settings.filter.patterns: "),
	settings({ filter: { patterns: ["a".repeat(65)] } }, "settings.filter.patterns.0: "),
	settings({ filter: { patterns: ["C#", "***"] } }, "settings.filter.patterns.0: would only match c"),
	settings({ filter: { patterns: ["***"] } }, "settings.filter.patterns.0: would only match nothing"),
	settings({ blocks: { "7": { byUserId: "1", atMs: 1, untilMs: null } } }, "settings.blocks.7.reason: "),
	...[{ atMs: Number.MAX_SAFE_INTEGER }, { untilMs: Number.MAX_SAFE_INTEGER }].map((late) =>
		settings({ blocks: { "7": { ...block, ...late } } }, `settings.blocks.7.${Object.keys(late)[0]}: `),
	),
	settings({ styles: { "**": { text: "x" } } }, "settings.styles."),
])("a file with %s is rejected as a whole, with its problem", (_what, text, words) => {
	// Without the characters that neutralize markdown.
	expect(denial(text).replaceAll(/[\\\u2068\u2069]/g, "")).toContain(words);
	expect(denial(text).toLowerCase()).toContain("nothing was changed");
});

test("the first few problems are named, fit one message, and mention no member", () => {
	const unknown = Array.from({ length: 9 }, (_, n) => [`@everyone ${"*".repeat(500)}${n}`, n]);
	const words = denial(fileOf(1, Object.fromEntries(unknown)));
	expect(words.match(/^- /gm)).toHaveLength(6);
	expect(words).toContain("- … (+4)");
	expect(words).not.toMatch(/(?<!\\)@everyone/);
	expect(words.length).toBeLessThan(2000);
});
