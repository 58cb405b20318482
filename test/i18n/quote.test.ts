import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enumerate, plainLine, quote, quoteName } from "../../src/i18n/quote.ts";
import { arbitraryText } from "@atelier/common/testing/arbitrary-text";

const shown = (text: string): string => quote(text, 300).replaceAll(/[\u2066-\u2069]/g, "");

describe("text of a member", () => {
	test.each([
		["is escaped", "> **b** <@1> @here", String.raw`\> \*\*b\*\* \<\@1\> \@here`],
		["stays one line", "one\n\ntwo\r\nthree\u2028four\u0085five\tsix", "one two three four five six"],
	])("%s", (_what, typed, expected) => {
		expect(shown(typed)).toBe(expected);
	});

	test("cannot change the text direction outside of it", () => {
		expect(quote("\u202Eevil\u2066 שלום", 300)).toBe("\u2068evil שלום\u2069");
	});

	test("keeps joined emoji and flags", () => {
		const family = "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}";
		const scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
		expect(shown(`${family} ${scotland}`)).toBe(`${family} ${scotland}`);
		expect(plainLine(family.repeat(10), 20)).toBe(`${family}${family}…`);
	});

	test("is truncated between characters", () => {
		expect(plainLine("x".repeat(6000), 280)).toBe(`${"x".repeat(279)}…`);
		expect(plainLine("x".repeat(280), 280)).toBe("x".repeat(280));
	});

	test("never contains an unescaped markdown character", () => {
		fc.assert(
			fc.property(arbitraryText(400), (typed) => {
				const inside = quote(typed, 100).slice(1, -1);
				expect(inside.replaceAll(/\\[\\*_~`|>#[\]()<:@-]/g, "")).not.toMatch(/[\\*_~`|>#[\]()<:@\n\r-]/);
			}),
			{ numRuns: 500 },
		);
	});
});

describe("the name of a model or value", () => {
	test.each(["Flux 1.1", "16:9", "日本語"])("is shown unchanged if it is harmless: %s", (name) => {
		expect(quoteName(name)).toBe(name);
	});

	test.each(["<@1>", "**bold**", "a:b", "x".repeat(41)])("is quoted otherwise: %s", (name) => {
		expect(quoteName(name)).toBe(quote(name, 40));
	});

	test("is listed up to the twelfth, and the others are counted", () => {
		const names = Array.from({ length: 14 }, (_, index) => `model ${index}`);
		expect(enumerate(names.slice(0, 12))).toStrictEqual(names.slice(0, 12));
		expect(enumerate(names)).toStrictEqual([...names.slice(0, 12), { key: "list.more", params: { count: 2 } }]);
	});
});
