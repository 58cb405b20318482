import { describe, expect, test } from "vitest";
import { createCatalog } from "../src/model-catalog.ts";
import { validateRequest } from "../src/validate-request.ts";
import type { CatalogModel } from "../src/engines/catalog-model.ts";
import { createFakeEngine, fakeImageModel } from "../testing/fake-engine.ts";

const CDN = "https://cdn.example";
const rules = {
	catalog: createCatalog([createFakeEngine()]),
	promptCharsMax: 20,
	inputOrigins: [CDN],
	isOwnFile: () => false,
	callbackOrigins: [],
};
const GOOD = { mediaType: "image", model: "fake-image", prompt: "a fox" };

function accepted(body: Record<string, unknown>) {
	const verdict = validateRequest(body, rules);
	if (verdict.kind === "rejected") throw new Error(JSON.stringify(verdict.problems));
	return verdict.request;
}

function problemsOf(body: Record<string, unknown>) {
	const verdict = validateRequest(body, rules);
	return verdict.kind === "rejected" ? verdict.problems.map(({ code, field }) => [code, field]) : [];
}

describe("fields", () => {
	test.each([
		[{}, [40001, "mediaType"]],
		[{ ...GOOD, mediaType: undefined }, [40001, "mediaType"]],
		[{ ...GOOD, mediaType: null }, [40001, "mediaType"]],
		[{ ...GOOD, mediaType: "sculpture" }, [40002, "mediaType"]],
		[{ ...GOOD, mediaType: ["image"] }, [40002, "mediaType"]],
		[{ ...GOOD, model: undefined }, [40001, "model"]],
		[{ ...GOOD, model: "unknown" }, [40004, "model"]],
		[{ ...GOOD, model: "constructor" }, [40004, "model"]],
		[{ ...GOOD, model: { id: "fake-image" } }, [40004, "model"]],
		[{ ...GOOD, model: "fake-video" }, [40004, "model"]],
		[{ ...GOOD, scene: "image-to-poem" }, [40003, "scene"]],
		[{ ...GOOD, scene: 7 }, [40003, "scene"]],
		[{ ...GOOD, scene: "text-to-video" }, [40004, "scene"]],
		[{ ...GOOD, prompt: undefined }, [40001, "prompt"]],
		[{ ...GOOD, prompt: " \n\t" }, [40001, "prompt"]],
		[{ ...GOOD, prompt: 42 }, [40001, "prompt"]],
		[{ ...GOOD, prompt: "x".repeat(21) }, [41300, "prompt"]],
		[{ ...GOOD, options: "16:9" }, [40005, "options"]],
		[{ ...GOOD, options: [] }, [40005, "options"]],
		[{ ...GOOD, callbackUrl: ["https://hooks.example/"] }, [40006, "callbackUrl"]],
		[{ ...GOOD, callbackUrl: "hooks.example" }, [40006, "callbackUrl"]],
	])("%j is rejected with %j", (body, problem) => {
		expect(problemsOf(body)[0]).toStrictEqual(problem);
	});

	test("all problems are reported at once", () => {
		expect(problemsOf({ mediaType: "x", model: "fake-image", options: { seed: -1, resolution: "9K" } })).toStrictEqual([
			[40002, "mediaType"],
			[40005, "options.resolution"],
			[40005, "options.seed"],
			[40001, "prompt"],
		]);
	});

	test("a character outside the basic plane counts as one", () => {
		expect(accepted({ ...GOOD, prompt: "🦊".repeat(20) }).prompt).toBe("🦊".repeat(20));
		expect(problemsOf({ ...GOOD, prompt: "🦊".repeat(21) })).toStrictEqual([[41300, "prompt"]]);
	});

	test.each([
		{ provider: "x", callback: 1 },
		{ scene: null, options: null },
		{ options: { seed: null, resolution: null } },
	])("unknown fields are ignored, and null counts as missing: %j", (fields) => {
		expect(accepted({ ...GOOD, ...fields })).toStrictEqual(accepted(GOOD));
	});
});

describe("scenes", () => {
	test("the default scene starts from text or, without the need of a prompt, from the input media", () => {
		expect(accepted(GOOD).scene).toBe("text-to-image");
		expect(accepted({ mediaType: "music", model: "fake-music", prompt: "x" }).scene).toBe("text-to-music");
		const withImage = { ...GOOD, prompt: undefined, options: { image_input: [`${CDN}/a.png`] } };
		expect(accepted(withImage)).toMatchObject({ scene: "image-to-image", prompt: "" });
	});

	test.each([
		[["ref", "image_input"], {}, 40001, "ref"],
		[["ref", "image_input"], { image_input: [] }, 40001, "image_input"],
		[["ref", "image_input"], { image_input: ["ftp://cdn.example/a.png"] }, 40005, "image_input"],
		[["mask_image", "image_input"], { mask_image: [] }, 40001, "image_input"],
		[["mask_image", "image_input"], { mask_image: ["ftp://cdn.example/a.png"] }, 40005, "mask_image"],
		[["mask_image"], {}, 40001, "mask_image"],
		[[], {}, 40001, "image_input"],
	])("media for a model with %j and options %j are one problem: %d in %s", (names, options, code, name) => {
		const { image_input, ...others } = fakeImageModel.options;
		const lists = Object.fromEntries(names.map((each) => [each, image_input]));
		const model = { ...fakeImageModel, options: { ...others, ...lists } } as CatalogModel;
		const catalog = createCatalog([createFakeEngine({ models: [model] })]);
		const verdict = validateRequest({ ...GOOD, scene: "image-to-image", options }, { ...rules, catalog });
		expect(verdict).toMatchObject({ problems: [{ code, field: `options.${name}` }] });
	});

	test("a mask needs an image, and is separate from the images", () => {
		const mask_image = { type: "array", description: "Mask.", items: { type: "string", format: "uri" }, maxItems: 1 };
		const model = { ...fakeImageModel, options: { ...fakeImageModel.options, mask_image } } as CatalogModel;
		const masked = { ...rules, catalog: createCatalog([createFakeEngine({ models: [model] })]) };
		const alone = validateRequest({ ...GOOD, options: { mask_image: [`${CDN}/m.png`] } }, masked);
		expect(alone).toMatchObject({ kind: "rejected", problems: [{ code: 40001, field: "options.image_input" }] });
		const without = validateRequest({ ...GOOD, options: { mask_image: [], image_input: [] } }, masked);
		expect(without).toMatchObject({ kind: "accepted", request: { scene: "text-to-image", inputs: {} } });
		const options = { image_input: [`${CDN}/a.png`], mask_image: [`${CDN}/m.png`] };
		expect(validateRequest({ ...GOOD, options }, masked)).toMatchObject({
			kind: "accepted",
			request: { scene: "image-to-image", inputs: options },
		});
	});

	test("media that the scene would ignore are rejected", () => {
		const options = { image_input: [`${CDN}/a.png`] };
		expect(problemsOf({ ...GOOD, scene: "text-to-image", options })).toStrictEqual([[40005, "scene"]]);
	});
});

describe("options", () => {
	const video = { mediaType: "video", model: "fake-video", prompt: "a fox" };

	test("defaults are filled in; options without a default stay absent", () => {
		expect(accepted(GOOD).options).toStrictEqual({ aspect_ratio: "1:1", resolution: "1K" });
	});

	test.each<[object, object, object]>([
		[GOOD, { seed: 0 }, { seed: 0 }],
		[GOOD, { seed: 1000 }, { seed: 1000 }],
		[GOOD, { resolution: "2k" }, { resolution: "2K" }],
		[video, { resolution: "720P" }, { resolution: "720p" }],
		...[5, "5", "5s", " 5s "].map((duration): [object, object, object] => [video, { duration }, { duration: 5 }]),
	])("for %j, %j is accepted as %j", (request, options, parsed) => {
		expect(accepted({ ...request, options }).options).toMatchObject(parsed);
	});

	test.each<[object, object]>([
		...[0, 11, 2.5, "5m", "", true, [5], {}, Number.NaN].map((duration): [object, object] => [video, { duration }]),
		[GOOD, { resolution: 2 }],
		[GOOD, { seed: "7" }],
		[GOOD, { seed: 1001 }],
		[GOOD, { seed: 0.5 }],
	])("for %j, %j is rejected", (request, options) => {
		const [name] = Object.keys(options);
		expect(problemsOf({ ...request, options })).toStrictEqual([[40005, `options.${name}`]]);
	});

	test("texts have a maximum length, and booleans are true or false", () => {
		const music = { mediaType: "music", model: "fake-music", prompt: "x" };
		expect(accepted({ ...music, options: { lyrics: "la la", instrumental: true } }).options).toStrictEqual({
			lyrics: "la la",
			instrumental: true,
		});
		expect(problemsOf({ ...music, options: { lyrics: "x".repeat(101), instrumental: "yes" } })).toStrictEqual([
			[40005, "options.lyrics"],
			[40005, "options.instrumental"],
		]);
	});

	test("an unknown option is accepted with a warning", () => {
		const body = JSON.parse('{"style":"noir","__proto__":1,"constructor":2,"toString":3,"absent":null}') as Record<
			string,
			unknown
		>;
		const request = accepted({ ...GOOD, options: body });
		expect(request.options).toStrictEqual(accepted(GOOD).options);
		expect(request.warnings.map(({ code }) => code)).toStrictEqual(Array.from({ length: 4 }, () => "unknown_option"));
		expect(request.warnings[0]?.message).toBe('fake-image has no option "style"; it was ignored');
	});

	test("the number and the length of warnings are limited", () => {
		const options = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}${"x".repeat(5000)}`, 1]));
		expect(JSON.stringify(accepted({ ...GOOD, options }).warnings).length).toBeLessThan(5000);
	});
});

describe("input media", () => {
	test.each([
		"https://elsewhere.example/a.png",
		"http://cdn.example/a.png",
		"https://cdn.example:444/a.png",
		"https://cdn.example.evil.test/a.png",
		"https://cdn.example@evil.test/a.png",
		"https://user:pass@cdn.example/a.png",
		"file:///etc/passwd",
		"data:image/png;base64,AAAA",
		"/etc/passwd",
		"//cdn.example/a.png",
		"javascript:alert(1)",
		"",
		`${CDN}/${"x".repeat(2048)}`,
	])("%j is rejected", (url) => {
		expect(problemsOf({ ...GOOD, options: { image_input: [url] } })).toStrictEqual([[40005, "options.image_input"]]);
	});

	test.each([
		[[CDN], `must be valid links to files of this service, or at ${CDN}`],
		[[], "must be valid links to files of this service"],
	])("from another origin than %j are rejected with the allowed ones", (inputOrigins, message) => {
		const body = { ...GOOD, options: { image_input: ["https://elsewhere.example/a.png"] } };
		expect(validateRequest(body, { ...rules, inputOrigins })).toMatchObject({ problems: [{ message }] });
	});

	test("is a list with a maximum length", () => {
		const url = `${CDN}/a.png`;
		const options = { image_input: [url, url] };
		expect(accepted({ ...GOOD, options }).inputs).toStrictEqual(options);
		for (const image_input of [url, [url, url, url], [1], [[url]], {}]) {
			expect(problemsOf({ ...GOOD, options: { image_input } })).toStrictEqual([[40005, "options.image_input"]]);
		}
	});
});
