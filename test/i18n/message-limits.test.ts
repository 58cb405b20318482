/** Messages that are made of many settings fit Discord's limit, also with the longest possible input. */
import { describe, expect, test } from "vitest";
import { memberAuthor } from "../../src/services/access/change-author.ts";
import { formatChange } from "../../src/services/settings/format-changes.ts";
import { denialReason } from "../../src/services/moderation/policy.ts";
import { readSettingsFile } from "../../src/services/settings/settings-file.ts";
import { storedSettings } from "../../src/services/settings/settings-schema.ts";
import { TRANSLATED_LOCALES } from "../../src/i18n/languages.ts";
import { t } from "../../src/i18n/messages.ts";
import { UserError } from "../../src/services/user-error.ts";

const CONTENT_CHARS_MAX = 2000;
/** Each character is escaped, and counts twice. */
const stars = (count: number): string => "*".repeat(count);
const ids = Array.from({ length: 100 }, (_, n) => String(10n ** 19n + BigInt(n)));
const lists = { allowed: ids, denied: ids.toReversed() };

describe.each(["en-US", ...TRANSLATED_LOCALES])("one message in %s has room for", (locale) => {
	test("a change of very many settings", () => {
		const changes = [
			{ path: "access.modelsOff", before: ids.map((id) => stars(80) + id), after: ids.map((id) => stars(81) + id) },
			{ path: "access.channels.allowed", before: ids, after: ids.map((id) => `1${id}`) },
			...ids.map((id) => ({ path: `styles.${stars(32)}.${id}`, before: stars(500), after: { text: stars(500) } })),
		];
		const change = { revision: 10 ** 9, atMs: 4e12, ...memberAuthor(ids[0] ?? "", "dashboard"), changes };
		expect(formatChange(change, locale).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX - 100);
	});

	test("the problems of an entirely invalid file", () => {
		const settings = Object.fromEntries(ids.map((id) => [stars(500) + id, 1]));
		const file = JSON.stringify({ format: "atelier-settings", version: 1, settings });
		expect(() => readSettingsFile(file)).toThrow(
			expect.toSatisfy(
				(error) => error instanceof UserError && t(locale, error.messageDescriptor).length <= CONTENT_CHARS_MAX,
			),
		);
	});

	test.each([
		["access.roleNeeded", "roles"],
		["access.channelElsewhere", "channels"],
	] as const)("two denials %s with the names of many %s", (key, kind) => {
		const settings = storedSettings.parse({ access: { [kind]: lists } });
		const request = { mediaType: "image", model: "m", modelName: stars(80), prompt: "x", options: {} } as const;
		const channel = { channelIds: ["50"], isAgeRestricted: false };
		const denial = denialReason(settings, request, { guildId: "1", userId: "7", roleIds: [] }, channel, 0);
		expect(denial?.key).toBe(key);
		expect(denial && t(locale, denial).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX / 2);
	});
});
