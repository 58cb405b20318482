import { expect, test } from "vitest";
import { readSettingsFile, writeSettingsFile } from "../../../src/services/settings/settings-file.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { t } from "../../../src/i18n/messages.ts";
import { UserError } from "../../../src/services/user-error.ts";

const decided = storedSettings.parse({
	timeZone: "Europe/Berlin",
	access: { paused: { message: "back soon" }, channels: { allowed: ["50"] }, mediaOff: ["video"] },
	blocks: { "7": { reason: "spam", byUserId: "1", atMs: 1, untilMs: null } },
	filter: { patterns: ["nud*"] },
	styles: { Noir: { text: "film noir, high contrast" } },
	confirmAbove: 20,
});
const fileWith = (settings: object): string => JSON.stringify({ format: "atelier-settings", version: 1, settings });

/** The visible text, without characters that neutralize markdown. */
const plain = (text: string): string => text.replaceAll(/[\\\u2068\u2069]/g, "");

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
	expect(readSettingsFile(fileWith({ confirmAbove: 5 }))).toStrictEqual(storedSettings.parse({ confirmAbove: 5 }));
});

test.each([
	["a text that is not JSON", "settings: please", "isn't JSON"],
	["an empty text", "", "isn't JSON"],
	["deeply nested lists", "[".repeat(200_000), "isn't JSON"],
	["a list", "[]", "the file:"],
	["JSON within JSON", JSON.stringify(fileWith({})), "the file:"],
	["another format", '{"format":"other","version":1,"settings":{}}', "format: expected atelier-settings"],
	["another version", '{"format":"atelier-settings","version":2,"settings":{}}', "version: expected 1"],
])("a file with %s is rejected", (_what, text, words) => {
	expect(plain(denial(text))).toContain(words);
	expect(denial(text).toLowerCase()).toContain("nothing was changed");
});

test.each([
	[{ colour: "blue" }, "settings.colour: unknown setting"],
	[{ access: { owner: 1 } }, "settings.access.owner: unknown setting"],
	[{ media: { spoiler: "yes" } }, "settings.media.spoiler: "],
	[{ warnChannelId: "../guilds/1/channels?" }, "settings.warnChannelId: expected an id of Discord"],
	[{ allowance: { members: { "1> @everyone": 5 } } }, "settings.allowance.members."],
	[{ serverLimit: { credits: 2e12, per: "month" } }, "settings.serverLimit.credits: "],
	[{ allowance: { media: { image: 2e12 } } }, "settings.allowance.media.image: "],
	[{ timeZone: "Mars/Olympus" }, "settings.timeZone: expected a time zone"],
	[{ filter: { patterns: Array.from({ length: 101 }, () => "cat") } }, "settings.filter.patterns: "],
	[{ filter: { patterns: ["a".repeat(65)] } }, "settings.filter.patterns.0: "],
	[{ filter: { patterns: ["C#", "***"] } }, "settings.filter.patterns.0: would only match c"],
	[{ filter: { patterns: ["***"] } }, "settings.filter.patterns.0: would only match nothing"],
	[{ blocks: { "7": { byUserId: "1", atMs: 1, untilMs: null } } }, "settings.blocks.7.reason: "],
	[{ styles: { "**": { text: "x" } } }, "settings.styles."],
])("a file with the settings %j is rejected as a whole, with the invalid field", (settings, words) => {
	expect(plain(denial(fileWith(settings)))).toContain(words);
});

test("the first few problems are named, and mention no member", () => {
	const words = denial(fileWith(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`@everyone ${n}`, n]))));
	expect(words.match(/^- /gm)).toHaveLength(6);
	expect(words).toContain("- … (+4)");
	expect(words).not.toMatch(/(?<!\\)@everyone/);
	expect(words.length).toBeLessThan(2000);
});
