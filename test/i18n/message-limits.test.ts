/** Messages about settings fit Discord's limit, also with the longest possible input. */
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
const atMs = Date.UTC(2099, 11, 31, 23, 59, 59);
const withLongestDenials = storedSettings.parse({
	access: {
		paused: { message: stars(200) },
		channels: { allowed: ids, denied: ids.toReversed() },
		roles: { allowed: ids, denied: ids.toReversed() },
	},
});

function denialOfFile(text: string, locale: string): string {
	try {
		readSettingsFile(text);
	} catch (error) {
		if (error instanceof UserError) return t(locale, error.messageDescriptor);
	}
	throw new Error("expected a denial of the file");
}

describe.each(["en-US", ...TRANSLATED_LOCALES])("one message in %s has room for", (locale) => {
	test("a change of very many settings", () => {
		const changes = [
			{ path: "access.modelsOff", before: ids.map((id) => stars(80) + id), after: ids.map((id) => stars(81) + id) },
			{ path: "access.channels.allowed", before: ids, after: ids.map((id) => `1${id}`) },
			...ids.map((id) => ({ path: `styles.${stars(32)}.${id}`, before: stars(500), after: { text: stars(500) } })),
		];
		const line = formatChange({ revision: 10 ** 9, atMs, ...memberAuthor(ids[0] ?? "", "dashboard"), changes }, locale);
		expect(line.length).toBeLessThanOrEqual(CONTENT_CHARS_MAX - 100);
	});

	test("the problems of an entirely invalid file", () => {
		const settings = Object.fromEntries(ids.map((id) => [stars(500) + id, 1]));
		const text = JSON.stringify({ format: "atelier-settings", version: 1, settings });
		expect(denialOfFile(text, locale).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
	});

	test("each denial by the settings, twice", () => {
		const request = { mediaType: "image", model: "m", modelName: stars(80), prompt: "x", options: {} } as const;
		const member = { userId: "7", roleIds: [] };
		const channel = { channelIds: ["50"], isAgeRestricted: false };
		const block = { reason: stars(200), byUserId: "1", atMs: 1, untilMs: atMs };
		const { access } = withLongestDenials;
		const notPaused = { ...withLongestDenials, access: { ...access, paused: null } };
		const withoutRoles = { ...notPaused, access: { ...notPaused.access, roles: { allowed: [], denied: [] } } };
		const denials = [withLongestDenials, { ...notPaused, blocks: { "7": block } }, notPaused, withoutRoles].map(
			(settings) => denialReason(settings, request, member, channel, 0),
		);
		expect(denials.map((denial) => denial?.key)).toStrictEqual([
			"access.paused",
			"access.blocked",
			"access.roleNeeded",
			"access.channelElsewhere",
		]);
		for (const denial of denials) expect(denial && t(locale, denial).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX / 2);
	});
});
