import { expect, test } from "vitest";
import { jsonLines, problemsOf } from "../../web/src/json-with-errors.ts";

const text = (json: unknown, response?: unknown): string =>
	jsonLines(json, problemsOf(response))
		.map((line) => line.text)
		.join("\n");

test("JSON without errors is indented as JSON.stringify does it", () => {
	const json = { content: 'a "b"', embeds: [{ title: "x" }, {}], flags: 0, components: [], nonce: null };
	expect(text(json)).toBe(JSON.stringify(json, undefined, "  "));
});

test("an error is below its field", () => {
	const errors = { embeds: { 0: { title: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH", message: "Too long." }] } } } };
	expect(text({ embeds: [{ title: "x" }], flags: 0 }, { code: 50035, errors }).split("\n")).toStrictEqual([
		"{",
		'  "embeds": [',
		"    {",
		'      "title": "x"',
		"      ^ Too long.",
		"    }",
		"  ],",
		'  "flags": 0',
		"}",
	]);
});

test("an error about a missing field is at the object that lacks it", () => {
	const errors = { data: { title: { _errors: [{ code: "BASE_TYPE_REQUIRED", message: "This field is required" }] } } };
	expect(jsonLines({ data: { a: 1 } }, problemsOf({ errors }))).toStrictEqual([
		{ text: "{", isError: false },
		{ text: '  "data": {', isError: false },
		{ text: "  ^ title: This field is required", isError: true },
		{ text: '    "a": 1', isError: false },
		{ text: "  }", isError: false },
		{ text: "}", isError: false },
	]);
});

test("an error about the whole body is at its start", () => {
	const errors = { _errors: [{ code: "LIST_TYPE_CONVERT", message: "Not a list." }] };
	expect(text("x", { errors })).toBe('"x"\n^ Not a list.');
});
