import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../web/src/markdown.ts";

const text = (value: string) => ({ type: "text", text: value });
const paragraph = (...children: object[]) => [{ type: "paragraph", children }];
const marked = (type: string, ...children: object[]) => ({ type, children });

/** Returns each object of a tree, at any depth. */
function nodesOf(tree: unknown): object[] {
	if (tree === null || typeof tree !== "object") return [];
	const inner = Object.values(tree).flatMap(nodesOf);
	return Array.isArray(tree) ? inner : [tree, ...inner];
}

/** Every URL in a tree. */
const addresses = (tree: unknown): string[] =>
	nodesOf(tree).flatMap((node) => ("url" in node ? [String(node.url)] : []));

/** Every displayed character, in order. */
const shown = (tree: unknown): string =>
	nodesOf(tree)
		.map((node) => ("text" in node ? String(node.text) : ""))
		.join("");

function depth(tree: unknown): number {
	if (tree === null || typeof tree !== "object") return 0;
	return (Array.isArray(tree) ? 0 : 1) + Math.max(0, ...Object.values(tree).map(depth));
}

describe("inline formatting", () => {
	test.each<[string, object]>([
		["**a**", marked("bold", text("a"))],
		["*a*", marked("italic", text("a"))],
		["_a_", marked("italic", text("a"))],
		["__a__", marked("underline", text("a"))],
		["~~a~~", marked("strike", text("a"))],
		["||a||", marked("spoiler", text("a"))],
		["`*a*`", { type: "code", text: "*a*" }],
		["`` a`b ``", { type: "code", text: "a`b" }],
		["***a***", marked("bold", marked("italic", text("a")))],
		["**a *b* c**", marked("bold", text("a "), marked("italic", text("b")), text(" c"))],
		[String.raw`\*\*a\*\* \<@1>`, text("**a** <@1>")],
		["<@1>", { type: "mention", kind: "user", id: "1" }],
		["<@!1>", { type: "mention", kind: "user", id: "1" }],
		["<@&2>", { type: "mention", kind: "role", id: "2" }],
		["<#3>", { type: "mention", kind: "channel", id: "3" }],
		["@everyone", { type: "mention", kind: "everyone", id: "everyone" }],
		["</image:4>", { type: "command", name: "image" }],
		["</画像 作成:1>", { type: "command", name: "画像 作成" }],
		["<t:1700000000:R>", { type: "timestamp", seconds: 1_700_000_000, style: "R" }],
		["<t:1700000000>", { type: "timestamp", seconds: 1_700_000_000, style: "f" }],
		["<a:party:5>", { type: "emoji", name: "party", id: "5" }],
	])("%s", (source, node) => {
		expect(parseMarkdown(source)).toStrictEqual(paragraph(node));
	});

	const plain = ["**a", "a * b * c", "aspect_ratio and max_length", "****", "__", "`", "2 * 3 * 4", "||"];
	const unknown = ["<@abc>", "<t:9999999999999:R>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>"];
	test.each([...plain, ...unknown])("%s stays unchanged", (source) => {
		expect(parseMarkdown(source)).toStrictEqual(paragraph(text(source)));
	});
});

describe("blocks", () => {
	test.each<[rule: string, source: string, tree: object[]]>([
		[
			"adjacent quoted lines are one quote",
			"> a\n> b\nc",
			[marked("quote", ...paragraph(text("a\nb"))), ...paragraph(text("c"))],
		],
		[">>> quotes the rest", ">>> a\nb", [marked("quote", ...paragraph(text("a\nb")))]],
		["small print starts with -#", "-# a", [marked("subtext", text("a"))]],
		[
			"a code block contains no markup",
			"a\n```js\n**b**\n# c\n```\nd",
			[...paragraph(text("a")), { type: "codeBlock", language: "js", text: "**b**\n# c" }, ...paragraph(text("d"))],
		],
	])("%s", (_, source, tree) => {
		expect(parseMarkdown(source)).toStrictEqual(tree);
	});

	test("headings have three levels and require a space", () => {
		expect(parseMarkdown("# a\n### b\n#c")).toMatchObject([
			{ type: "heading", level: 1 },
			{ type: "heading", level: 3 },
			{ type: "paragraph", children: [text("#c")] },
		]);
	});

	test("a list may contain a list, and an ordered one starts with its first number", () => {
		const inner = { type: "list", ordered: false, items: [[{ children: [text("b")] }]] };
		const items = [[{ type: "paragraph" }, inner], [{}]];
		expect(parseMarkdown("3. a\n  - b\n4. c")).toMatchObject([{ type: "list", ordered: true, start: 3, items }]);
	});

	test("an unterminated code block is plain text", () => {
		expect(shown(parseMarkdown("```js\na"))).toContain("js\na");
	});
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

const fromUnits = (units: readonly string[], maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...units), maxLength });

const letters = (value: string): string => value.replaceAll(/[^abc]/g, "");

describe("hostile text", () => {
	const HOSTILE = [..."*_~|`<>@#:t/[]()\\-. \n1ah".split(""), "**", "```", "https://x.y", "javascript:"];

	test("links have http or https only", () => {
		const property = fc.property(fromUnits(HOSTILE, 400), (source) => {
			for (const url of addresses(parseMarkdown(source))) expect(url).toMatch(/^https?:\/\//);
		});
		fc.assert(property);
	});

	test("plain text loses and gains no letter", () => {
		const property = fc.property(fromUnits("abc *_~|".split(""), 200), (source) => {
			expect(letters(shown(parseMarkdown(source)))).toBe(letters(source));
		});
		fc.assert(property);
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
