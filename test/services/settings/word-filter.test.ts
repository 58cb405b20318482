import { assert, constantFrom, pre, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { addPattern } from "../../../src/services/settings/change-moderation.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { findFilterMatch, losesPart, normalizePattern } from "../../../src/services/settings/word-filter.ts";

const matchedText = (pattern: string, text: string): string | undefined =>
	findFilterMatch([normalizePattern(pattern)], text)?.found;

describe("a pattern", () => {
	test.each([
		["a word, whatever its case", "Nude", "a NUDE statue", "nude"],
		["words with anything but letters between them", "bad word", "a bad --  word here", "bad word"],
		["a phrase with wildcards, by its last word", "school* sho*t*", "a School, shooting", "shooting"],
		["wide letters as narrow ones", "nude", "ａ ｎｕｄｅ", "nude"],
		["letters in a ring", "nude", "a ⓝⓤⓓⓔ", "nude"],
		["ligatures as letters", "fire", "a ﬁre", "fire"],
		["through invisible characters", "nude", "n\u200Bu\u2060d\u00ADe", "nude"],
		["through marks stacked on letters", "nude", "n\u0336u\u0337d\u0335e\u0334", "nude"],
		["ß as ss", "strasse", "die STRAßE", "strasse"],
		["a final sigma as any other", "λόγοσ", "ο ΛΌΓΟΣ", "λόγοσ"],
		["in Japanese without blanks", "裸", "彼は裸です", "裸"],
		["in Thai without blanks", "เปลือย", "ภาพเปลือยกาย", "เปลือย"],
	])("matches %s", (_what, pattern, text, expected) => {
		expect(matchedText(pattern, text)).toBe(expected);
	});

	test.each([
		["other marks on letters that belong to them", "fur", "für dich"],
		["words that have another between them", "school* sho*t*", "School-yard shooting"],
		["words that are joined in the text", "bad word", "badword"],
	])("does not match %s", (_what, pattern, text) => {
		expect(matchedText(pattern, text)).toBeUndefined();
	});

	test.each(["", "   ", "***", "?", "…!", "\u200B"])(
		"without searchable characters, such as %j, is invalid",
		(typed) => {
			expect(normalizePattern(typed)).toBe("");
		},
	);

	test.each(["(a+)+$", "[ab]c", "st.*rm", "^storm", "a|b", "a\\b", "c++", "a{2}", "C#", "<3", "-", "-*", "***"])(
		"with a part that the filter would ignore is rejected: %s",
		(typed) => expect(losesPart(typed)).toBe(true),
	);

	test.each([
		"storm",
		"bad  word",
		"b?d*",
		" rock & roll ",
		"e-mail",
		"don’t",
		"ＡＢＣ",
		"n\u200Bude",
		"彼は、裸",
		"a**",
		"anti-*",
		"*.example",
	])("whose marks only separate words is accepted: %s", (typed) => expect(losesPart(typed)).toBe(false));
});

test("a long pattern is rejected before it is normalized", () => {
	const typed = `a${"-".repeat(300_000)}b`;
	expect(() => addPattern(storedSettingsSchema.parse({}), typed)).toThrow("filter.patternTooLong");
});

test("any pattern matches what the equivalent regular expression matches", () => {
	const letters = string({ unit: constantFrom("a", "b", "*", "?", " "), maxLength: 70 });
	const texts = string({ unit: constantFrom("a", "b", " ", "."), maxLength: 40 });
	assert(
		property(letters, texts, (typed, text) => {
			const pattern = normalizePattern(typed);
			pre(pattern !== "" && pattern.split("*").length <= 4);
			const source = pattern.replaceAll("*", "[ab]*").replaceAll("?", "[ab]").replaceAll(" ", "[^ab]+");
			const expected = new RegExp(`(?<![ab](?=[ab]))(?:${source})(?!(?<=[ab])[ab])`, "u").test(text);
			expect(findFilterMatch([pattern], text) !== undefined).toBe(expected);
		}),
		{ numRuns: 500 },
	);
});

describe("patterns that would hang a backtracking engine", () => {
	/** The maximum length of a text, without a character that ends a match. */
	const text = "a".repeat(9_000);
	test.each([
		["stars without an end", `${"a*".repeat(31)}b`],
		["stars and questions", `${"*?".repeat(31)}b`],
		["a long tail", `*${"a".repeat(62)}b`],
		["blanks between", `${"a* ".repeat(20)}b`],
	])("are searched in bounded time: %s", (_what, pattern) => {
		// Each character is compared once with each position of the pattern; backtracking would take practically forever.
		const patterns = Array.from({ length: 50 }, () => normalizePattern(pattern));
		expect(findFilterMatch(patterns, text)).toBeUndefined();
		expect(matchedText(pattern, `${text} b`)).toBeUndefined();
		expect(matchedText(pattern, "a ".repeat(3_000))).toBeUndefined();
	});
});
