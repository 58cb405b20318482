import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../web/src/markdown.ts";

const text = (value: string) => ({ type: "text", text: value });
const paragraph = (...children: object[]) => [{ type: "paragraph", children }];

/** Every URL in a tree, at any depth. */
function addresses(tree: unknown): string[] {
	if (Array.isArray(tree)) return tree.flatMap(addresses);
	if (tree === null || typeof tree !== "object") return [];
	const own = "url" in tree ? [String(tree.url)] : [];
	return [...own, ...Object.values(tree).flatMap(addresses)];
}

/** Every displayed character, in order. */
function shown(tree: unknown): string {
	if (Array.isArray(tree)) return tree.map(shown).join("");
	if (tree === null || typeof tree !== "object") return "";
	if ("text" in tree) return String(tree.text);
	return Object.values(tree).map(shown).join("");
}

function depth(tree: unknown): number {
	if (Array.isArray(tree)) return Math.max(0, ...tree.map(depth));
	if (tree === null || typeof tree !== "object") return 0;
	return 1 + Math.max(0, ...Object.values(tree).map(depth));
}

describe("inline formatting", () => {
	test.each<[string, object[]]>([
		["**a**", paragraph({ type: "bold", children: [text("a")] })],
		["*a*", paragraph({ type: "italic", children: [text("a")] })],
		["_a_", paragraph({ type: "italic", children: [text("a")] })],
		["__a__", paragraph({ type: "underline", children: [text("a")] })],
		["@everyone", paragraph({ type: "mention", kind: "everyone", id: "everyone" })],
		["</画像 作成:1>", paragraph({ type: "command", name: "画像 作成" })],
		["~~a~~", paragraph({ type: "strike", children: [text("a")] })],
		["||a||", paragraph({ type: "spoiler", children: [text("a")] })],
		["`*a*`", paragraph({ type: "code", text: "*a*" })],
		["`` a`b ``", paragraph({ type: "code", text: "a`b" })],
		["***a***", paragraph({ type: "bold", children: [{ type: "italic", children: [text("a")] }] })],
		[
			"**a *b* c**",
			paragraph({ type: "bold", children: [text("a "), { type: "italic", children: [text("b")] }, text(" c")] }),
		],
	])("%s", (source, tree) => {
		expect(parseMarkdown(source)).toStrictEqual(tree);
	});

	test.each(["**a", "a * b * c", "aspect_ratio and max_length", "****", "__", "`", "2 * 3 * 4", "||"])(
		"%s stays unchanged",
		(source) => {
			expect(parseMarkdown(source)).toStrictEqual(paragraph(text(source)));
		},
	);

	test("a backslash escapes a marker", () => {
		expect(parseMarkdown(String.raw`\*\*a\*\* \<@1>`)).toStrictEqual(paragraph(text("**a** <@1>")));
	});
});

describe("blocks", () => {
	test("headings have three levels and require a space", () => {
		expect(parseMarkdown("# a\n### b\n#c")).toMatchObject([
			{ type: "heading", level: 1 },
			{ type: "heading", level: 3 },
			{ type: "paragraph", children: [text("#c")] },
		]);
	});

	test("adjacent quoted lines are one quote, and >>> quotes the rest", () => {
		expect(parseMarkdown("> a\n> b\nc")).toStrictEqual([
			{ type: "quote", children: paragraph(text("a\nb")) },
			...paragraph(text("c")),
		]);
		expect(parseMarkdown(">>> a\nb")).toStrictEqual([{ type: "quote", children: paragraph(text("a\nb")) }]);
	});

	test("a list may contain a list, and an ordered one starts with its first number", () => {
		const items = [
			[{ type: "paragraph" }, { type: "list", ordered: false, items: [[{ children: [text("b")] }]] }],
			[{}],
		];
		expect(parseMarkdown("3. a\n  - b\n4. c")).toMatchObject([{ type: "list", ordered: true, start: 3, items }]);
	});

	test("a code block contains no markup", () => {
		expect(parseMarkdown("a\n```js\n**b**\n# c\n```\nd")).toStrictEqual([
			...paragraph(text("a")),
			{ type: "codeBlock", language: "js", text: "**b**\n# c" },
			...paragraph(text("d")),
		]);
	});

	test("an unterminated code block is plain text, and small print starts with -#", () => {
		expect(shown(parseMarkdown("```js\na"))).toContain("js\na");
		expect(parseMarkdown("-# a")).toStrictEqual([{ type: "subtext", children: [text("a")] }]);
	});
});

describe("Discord's tags", () => {
	test.each([
		["<@1>", { type: "mention", kind: "user", id: "1" }],
		["<@!1>", { type: "mention", kind: "user", id: "1" }],
		["<@&2>", { type: "mention", kind: "role", id: "2" }],
		["<#3>", { type: "mention", kind: "channel", id: "3" }],
		["</image:4>", { type: "command", name: "image" }],
		["<t:1700000000:R>", { type: "timestamp", seconds: 1_700_000_000, style: "R" }],
		["<a:party:5>", { type: "emoji", name: "party", id: "5" }],
		["<t:1700000000>", { type: "timestamp", seconds: 1_700_000_000, style: "f" }],
	])("%s", (source, node) => {
		expect(parseMarkdown(source)).toStrictEqual(paragraph(node));
	});

	test.each(["<@abc>", "<t:9999999999999:R>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>"])(
		"%s is plain text",
		(source) => {
			expect(parseMarkdown(source)).toStrictEqual(paragraph(text(source)));
		},
	);
});

describe("links", () => {
	test.each([
		["https://example.com/a?b=c", "https://example.com/a?b=c"],
		["<https://example.com/>", "https://example.com/"],
		["[docs](https://example.com/docs)", "https://example.com/docs"],
		["see https://example.com/a.", "https://example.com/a"],
		["(https://example.com/a_(b))", "https://example.com/a_(b)"],
	])("%s links to %s", (source, url) => {
		expect(addresses(parseMarkdown(source))).toStrictEqual([url]);
	});

	test.each([
		"[a](javascript:alert(1))",
		"<javascript:alert(1)>",
		"[a](data:text/html,b)",
		"javascript:alert(1)",
		"[a](//example.com)",
		"ftp://example.com",
		"https://",
	])("%s is not a link", (source) => {
		expect(addresses(parseMarkdown(source))).toStrictEqual([]);
	});

	test("a link label may be formatted, and a link inside of it is plain text", () => {
		const children = [{ type: "bold" }, text(" "), text("https://b.example")];
		expect(parseMarkdown("[**a** https://b.example](https://c.example)")).toMatchObject(
			paragraph({ type: "link", url: "https://c.example/", children }),
		);
	});
});

const HOSTILE = "*_~|`<>@#:t/[]()\\-. \n1ah".split("");
const letters = (value: string): string => value.replaceAll(/[^abc]/g, "");

describe("hostile text", () => {
	const hostile = fc.string({
		unit: fc.constantFrom(...HOSTILE, "**", "```", "https://x.y", "javascript:"),
		maxLength: 400,
	});

	test("links have http or https only", () => {
		fc.assert(
			fc.property(hostile, (source) => {
				for (const url of addresses(parseMarkdown(source))) expect(url).toMatch(/^https?:\/\//);
			}),
		);
	});

	test("plain text loses and gains no letter", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."abc *_~|".split("")), maxLength: 200 }), (source) => {
				expect(letters(shown(parseMarkdown(source)))).toBe(letters(source));
			}),
		);
	});

	test.each(["*", "_", "**", "||", "[", "<", "`", "> ", "- ", "*a ", "~~a", "**_||~~", "https://))))"])(
		"six thousand characters of %s are parsed without deep nesting, and not in cubic time",
		(unit) => {
			// In cubic time this exceeds the time limit of a test.
			const tree = parseMarkdown(unit.repeat(6000 / unit.length));
			expect(depth(tree)).toBeLessThan(40);
		},
	);

	test("the depth of nested quotes and lists is limited", () => {
		const nested = Array.from({ length: 200 }, (_, level) => `${"  ".repeat(level)}- a`).join("\n");
		expect(depth(parseMarkdown(nested))).toBeLessThan(60);
		expect(depth(parseMarkdown("> ".repeat(500)))).toBeLessThan(60);
	});
});
