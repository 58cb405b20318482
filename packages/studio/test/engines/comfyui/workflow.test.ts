import { describe, expect, test } from "vitest";
import type { CatalogModel } from "../../../src/engines/catalog-model.ts";
import { fillWorkflow, readWorkflow, workflowEntry } from "../../../src/engines/comfyui/workflow.ts";

const GRAPH = {
	"3": { class_type: "KSampler", inputs: { seed: 5, cfg: 8 } },
	"5": { class_type: "EmptyLatentVideo", inputs: { width: 512, height: 512, length: 25 } },
	"6": { class_type: "CLIPTextEncode", inputs: { text: "as it was", clip: ["4", 1] } },
	"10": { class_type: "LoadImage", inputs: { image: "one.png" } },
	"11": { class_type: "LoadImage", inputs: { image: "two.png" } },
};
const MODEL: CatalogModel = {
	id: "m",
	name: "M",
	description: "",
	mediaType: "video",
	scenes: ["text-to-video"],
	options: {},
	price: { credits: 1, per: "output", resolutionFactors: {} },
	typicalSeconds: 1,
};
const media = (maxItems: number) =>
	({ type: "array", description: "", items: { type: "string", format: "uri" }, maxItems }) as const;
const aspect = { type: "string", description: "", enum: ["1:1", "16:9"], default: "1:1" } as const;
const resolution = { type: "string", description: "", enum: ["1K", "2K"], default: "1K" } as const;
const AUTO = { ...aspect, enum: ["auto", "1:1"], default: "auto" };
const seconds = { type: "integer", description: "", minimum: 1, maximum: 9, default: 5 } as const;

function read(
	inputs: object,
	options: CatalogModel["options"] = {},
	scene = "text-to-video",
	text = JSON.stringify(GRAPH),
) {
	const entry = workflowEntry.parse({ file: "f.json", inputs: { prompt: "6.text", ...inputs } });
	const issues: string[] = [];
	const workflow = readWorkflow(text, entry, { ...MODEL, options }, scene, (message) => void issues.push(message));
	return { workflow, issues };
}

function filled(
	inputs: object,
	options: CatalogModel["options"],
	given: Record<string, string | number>,
	images: string[] = [],
) {
	const { workflow, issues } = read(inputs, options);
	if (!workflow) throw new Error(issues.join("\n"));
	return fillWorkflow(workflow, { prompt: "a sea", options: given }, { seed: 77, images });
}

describe("a filled workflow", () => {
	test("has the request in its inputs, and is otherwise unchanged", () => {
		expect(filled({ seed: "3.seed" }, {}, {})).toStrictEqual({
			...GRAPH,
			"3": { class_type: "KSampler", inputs: { seed: 77, cfg: 8 } },
			"6": { class_type: "CLIPTextEncode", inputs: { text: "a sea", clip: ["4", 1] } },
		});
		expect(GRAPH["6"].inputs.text).toBe("as it was");
	});

	test("converts seconds to frames", () => {
		const inputs = { duration: { to: "5.length", times: 16, plus: 1 } };
		expect(filled(inputs, { duration: seconds }, { duration: 5 })["5"]?.inputs["length"]).toBe(81);
	});

	test.each([
		["1:1", 1024, 1024],
		["16:9", 1344, 768],
		["9:16", 768, 1344],
	])("%s is about a million pixels, in multiples of 64", (ratio, width, height) => {
		const inputs = { width: "5.width", height: "5.height" };
		const graph = filled(inputs, { aspect_ratio: aspect }, { aspect_ratio: ratio });
		expect(graph["5"]?.inputs).toMatchObject({ width, height });
	});

	test("takes any ratio that its nodes compute the size of", () => {
		const inputs = { aspect_ratio: "6.text" };
		const automatic = { ...aspect, enum: ["auto"], default: "auto" };
		expect(filled(inputs, { aspect_ratio: automatic }, { aspect_ratio: "auto" })["6"]?.inputs["text"]).toBe("auto");
	});

	test("puts each image in its own input, and the last one in the remaining inputs", () => {
		const inputs = { image: ["10.image", "11.image"] };
		const imageOf = (images: string[]) => {
			const graph = filled(inputs, {}, {}, images);
			return [graph["10"]?.inputs["image"], graph["11"]?.inputs["image"]];
		};
		expect(imageOf(["a.png", "b.png"])).toStrictEqual(["a.png", "b.png"]);
		expect(imageOf(["a.png"])).toStrictEqual(["a.png", "a.png"]);
	});
});

describe("a workflow is rejected", () => {
	const SIZE = { width: "5.width", height: "5.height" };
	test.each<[string, object, CatalogModel["options"], string]>([
		["a node that does not exist", { seed: "99.seed" }, {}, "seed: expected a node of the workflow, not 99"],
		["an input that does not exist", { seed: "3.sed" }, {}, "seed: expected an input of node 3 (KSampler): seed, cfg"],
		["an input that is connected", { seed: "6.clip" }, {}, "seed: expected an input with a value, but 6.clip is"],
		["an option without a target", {}, { steps: seconds }, "steps: expected an input of a node, or no such option"],
		["a ratio without a target", {}, { aspect_ratio: aspect }, "aspect_ratio: expected an input of a node, or width"],
		["a resolution that the size ignores", SIZE, { aspect_ratio: aspect, resolution }, "each resolution: 1K, 2K"],
		["a resolution without a ratio", SIZE, { resolution }, "expected an option aspect_ratio beside resolution"],
		["a ratio that is none", SIZE, { aspect_ratio: AUTO }, "options.aspect_ratio: expected ratios such as 16:9"],
		[
			"a ratio that is none, and a width",
			{ width: "5.width", aspect_ratio: "6.text" },
			{ aspect_ratio: AUTO },
			"to compute a width or a height, not auto",
		],
		["a target of an unknown field", { sampler: "3.cfg" }, {}, "sampler: expected prompt, seed, width, height, image,"],
	])("with %s", (_, inputs, options, issue) => {
		expect(read(inputs, options).issues.join("\n")).toContain(issue);
	});

	test("with fewer inputs than images", () => {
		const { issues } = read({ image: "10.image" }, { image_input: media(2) }, "image-to-video");
		expect(issues).toStrictEqual(["inputs.image: expected 2 inputs of nodes, because the model accepts so many files"]);
	});

	test.each(["{", "[]", "{}", '{"nodes": [], "links": []}'])("that is %s and not in the API format", (text) => {
		expect(read({}, {}, "text-to-video", text).issues.join()).toContain("file: expected");
	});
});
