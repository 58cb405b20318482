import { describe, expect, test } from "vitest";
import { modelShape } from "../../src/engines/catalog-model.ts";
import { completeFields, requestBody, requestMapping } from "../../src/engines/request-mapping.ts";

const RATIO = { type: "string", enum: ["1:1", "16:9"] };
const TEXT = { type: "string", maxLength: 100 };
const COUNT = { type: "integer", minimum: 1, maximum: 2 };
const SEED = { type: "integer", minimum: 0, maximum: 100 };
const FLAG = { type: "boolean" };
const IMAGE = { type: "array" };
const IMAGES = { type: "array", maxItems: 3 };

const LIST = { field: "f", as: "list" };
const SECONDS = { field: "f", times: 1000 };

/** Completes the fields of a model with these options. */
function complete(options: object, fields: object, defaults: object = {}) {
	const issues: string[] = [];
	const model = { options: modelShape.options.parse(options) };
	const given = requestMapping.fields.parse(fields);
	const usual = requestMapping.fields.parse(defaults);
	const completed = completeFields(model, given, usual, "m", (settingPath, message) => {
		issues.push(`${settingPath}: ${message}`);
	});
	return { model, fields: completed, issues };
}

describe("the field of an option", () => {
	test.each([
		["a choice", RATIO, "f", "1:1", { f: "1:1" }],
		["a choice with values", RATIO, { field: "f", values: { "1:1": 1, "16:9": 2 } }, "16:9", { f: 2 }],
		["a choice that sets fields", RATIO, { sets: { "1:1": { w: 1, h: 1 }, "16:9": {} } }, "1:1", { w: 1, h: 1 }],
		["a number", SEED, "a.b", 7, { a: { b: 7 } }],
		["a number as text", SEED, { field: "f", as: "text" }, 7, { f: "7" }],
		["a multiplied number", SEED, SECONDS, 7, { f: 7000 }],
		["a number with values", COUNT, { field: "f", values: { 1: "one", 2: "two" } }, 2, { f: "two" }],
		["a flag with values", FLAG, { field: "f", values: { true: "on", false: "off" } }, false, { f: "off" }],
		["a text", TEXT, "f", "words", { f: "words" }],
	])("sends %s", (_description, option, field, value, body) => {
		const { model, fields, issues } = complete({ option }, { option: field });
		expect(issues).toStrictEqual([]);
		const task = { prompt: "", options: { option: value } };
		expect(requestBody(model, { input: {}, fields }, task, undefined)).toStrictEqual(body);
	});

	test.each([
		["one image", IMAGE, "f", { f: "data:1" }],
		["one image as a list", IMAGE, LIST, { f: ["data:1"] }],
		["several images", IMAGES, LIST, { f: ["data:1"] }],
	])("sends %s", (_description, option, field, body) => {
		const { model, fields, issues } = complete({ option }, { option: field });
		expect(issues).toStrictEqual([]);
		const task = { prompt: "a cat", options: {} };
		const sources = { media: ["data:1"] };
		expect(requestBody(model, { input: { n: 1 }, fields }, task, "p", sources)).toStrictEqual({
			n: 1,
			p: "a cat",
			...body,
		});
	});

	test.each([
		[RATIO, { field: "f", values: { "1:1": 1 } }, "expected a value for 16:9"],
		[FLAG, { sets: { true: { f: 1 } } }, "expected a value for false"],
		[COUNT, { field: "f", values: { 1: "one" } }, "expected a value for 2"],
		[TEXT, { field: "f", values: {} }, "expected a field, because the values cannot be listed"],
		[SEED, { field: "f", values: {} }, "expected a field, because the values cannot be listed"],
		[RATIO, SECONDS, 'expected no "times", because the option is not a number'],
		[RATIO, LIST, 'expected no "as": "list", because the option has one value'],
		[IMAGE, SECONDS, "expected a field, or one as a list"],
		[IMAGES, "f", 'expected "as": "list", because the option has several values'],
	])("%j cannot be %j", (option, field, problem) => {
		expect(complete({ option }, { option: field }).issues).toStrictEqual([`m.fields.option: ${problem}`]);
	});
});

test("every option has a field, of the engine file or by default, and every field an option", () => {
	const { fields, issues } = complete(
		{ ratio: RATIO, seed: SEED, text: TEXT },
		{ seed: "s", more: "m" },
		{
			ratio: "r",
			seed: "other",
			flag: "f",
		},
	);
	expect(fields).toStrictEqual({ ratio: "r", seed: "s", more: "m" });
	expect(issues).toStrictEqual([
		"m.fields.more: expected an option of the model",
		"m.fields.text: expected the field for this option",
	]);
});

test("a model has one option with input media, and perhaps a mask with its own field", () => {
	const { model, fields, issues } = complete({ image: IMAGE, mask_image: IMAGE }, { image: "i", mask_image: "m" });
	expect(issues).toStrictEqual([]);
	const sources = { media: ["data:1"], mask: "data:2" };
	const body = requestBody(model, { input: {}, fields }, { prompt: "", options: {} }, undefined, sources);
	expect(body).toStrictEqual({ i: "data:1", m: "data:2" });
	expect(complete({ image: IMAGE, other: IMAGE }, { image: "i", other: "o" }).issues).toStrictEqual([
		"m: expected at most one option with input media, beside mask_image",
	]);
});
