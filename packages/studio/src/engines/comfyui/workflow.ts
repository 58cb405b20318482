/** Workflows in ComfyUI's API format, and the inputs of nodes that receive the fields of a request. No I/O. */
import { MASK_OPTION, UPSCALE_SCENE } from "@atelier/media-protocol/model";
import { z } from "zod";
import { takesInputMedia, type CatalogModel } from "../catalog-model.ts";
import { EngineError, type EngineTask } from "../engine.ts";

/** `"6.text"`: the input `text` of node 6. Node ids may contain colons, inputs anything but a dot. */
const nodeInput = z.string().regex(/^[^.\s]+\.[^.\s]+$/, { error: 'expected NODE.INPUT, such as "6.text"' });
const nodeInputList = z.union([nodeInput, z.array(nodeInput).min(1)], {
	error: 'expected NODE.INPUT, such as "6.text", or a list of them',
});
const inputTarget = z.union(
	[
		nodeInputList,
		z.strictObject({ to: nodeInputList, times: z.number().exactOptional(), plus: z.number().exactOptional() }),
	],
	{ error: 'expected NODE.INPUT, such as "6.text", a list of them, or {"to": …, "times": …, "plus": …}' },
);

export const workflowEntry = z.strictObject({
	/** The workflow file, in the API format. */
	file: z.string().min(1),
	/** Targets by field: `prompt`, `seed`, `width`, `height`, `image`, `mask`, or the name of an option. */
	inputs: z.record(z.string(), inputTarget),
	/** The size of results in units of `MEGAPIXEL`, for all resolutions or for each. */
	megapixels: z.union([z.number().positive(), z.record(z.string(), z.number().positive())]).default(1),
	/** Width and height of results are multiples of this. */
	multipleOf: z.int().min(1).max(256).default(64),
	/** Nodes whose files are results; all by default. */
	outputs: z.array(z.string()).min(1).exactOptional(),
});

type InputTarget = z.infer<typeof inputTarget>;
type WorkflowEntry = z.infer<typeof workflowEntry>;

type Node = z.infer<typeof node>;
const node = z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.unknown()) });
const graph = z.record(z.string(), node);

type Graph = Readonly<Record<string, Node>>;

export interface Workflow {
	readonly graph: Graph;
	readonly entry: WorkflowEntry;
}

/** 1024 by 1024 pixels, the usual size of image models. */
const MEGAPIXEL = 1024 * 1024;
/** Fields of the request that are not options of the model. */
const REQUEST_FIELDS = ["prompt", "seed", "width", "height", "image", "mask"];
/** Options that a workflow may take as a width and a height instead. */
const SIZE_OPTIONS = ["aspect_ratio", "resolution"];

type AddIssue = (message: string) => void;

/** Parses the workflow of a file. Reports what is wrong with it or with its entry in the engine file. */
export function readWorkflow(
	text: string,
	entry: WorkflowEntry,
	model: CatalogModel,
	scene: string,
	addIssue: AddIssue,
): Workflow | undefined {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		addIssue("file: expected JSON");
		return undefined;
	}
	const parsed = graph.safeParse(json);
	if (!parsed.success || Object.keys(parsed.data).length === 0) {
		addIssue("file: expected a workflow in the API format: in ComfyUI, Workflow > Export (API)");
		return undefined;
	}
	const workflow = { graph: parsed.data, entry };
	checkTargets(workflow, addIssue);
	checkFields(entry, model, scene, addIssue);
	return workflow;
}

/** Reports targets that are not in the workflow. */
function checkTargets({ graph: nodes, entry }: Workflow, addIssue: AddIssue): void {
	for (const [name, target] of Object.entries(entry.inputs)) {
		for (const inputPath of nodeInputsOf(target)) {
			const { nodeId, input } = splitInputPath(inputPath);
			const found = Object.hasOwn(nodes, nodeId) ? nodes[nodeId] : undefined;
			if (!found) {
				addIssue(`inputs.${name}: expected a node of the workflow, not ${nodeId}`);
			} else if (!Object.hasOwn(found.inputs, input)) {
				const inputs = Object.keys(found.inputs).join(", ") || "none";
				addIssue(`inputs.${name}: expected an input of node ${nodeId} (${found.class_type}): ${inputs}`);
			} else if (Array.isArray(found.inputs[input])) {
				addIssue(
					`inputs.${name}: expected an input with a value, but ${inputPath} is connected to another node: name that one`,
				);
			}
		}
	}
	for (const nodeId of entry.outputs ?? []) {
		if (!Object.hasOwn(nodes, nodeId)) addIssue(`outputs: expected nodes of the workflow, not ${nodeId}`);
	}
}

/** Reports fields without a target, which would be accepted and then ignored, and targets of unknown fields. */
function checkFields(entry: WorkflowEntry, model: CatalogModel, scene: string, addIssue: AddIssue): void {
	const { inputs } = entry;
	const hasSize = Object.hasOwn(inputs, "width") && Object.hasOwn(inputs, "height");
	const required = Object.entries(model.options).flatMap(([name, option]) => {
		if (option.type === "array") return [];
		return hasSize && SIZE_OPTIONS.includes(name) ? [] : [name];
	});
	const promptFields = scene === UPSCALE_SCENE ? [] : ["prompt"];
	const takesImage = takesInputMedia(scene);
	const takesMask = takesImage && Object.hasOwn(model.options, MASK_OPTION);
	const needed = [...promptFields, ...(takesImage ? ["image"] : []), ...(takesMask ? ["mask"] : []), ...required];
	for (const name of new Set(needed)) {
		if (Object.hasOwn(inputs, name)) continue;
		const otherwise = SIZE_OPTIONS.includes(name) ? ", or width and height" : "";
		addIssue(`inputs.${name}: expected an input of a node${otherwise}, or no such option of the model`);
	}
	const imagesMax = Object.entries(model.options)
		.filter(([name]) => name !== MASK_OPTION)
		.reduce((sum, [, option]) => sum + (option.type === "array" ? option.maxItems : 0), 0);
	const image = inputs["image"];
	if (takesImage && image !== undefined && nodeInputsOf(image).length < imagesMax) {
		addIssue(`inputs.image: expected ${imagesMax} inputs of nodes, because the model accepts so many files`);
	}
	if (hasSize && !Object.hasOwn(inputs, "resolution")) checkResolution(entry, model, addIssue);
	if (hasSide(entry)) checkRatio(model, addIssue);
	const knownFields = new Set([...REQUEST_FIELDS, ...Object.keys(model.options)]);
	for (const name of Object.keys(inputs)) {
		if (knownFields.has(name)) continue;
		addIssue(`inputs.${name}: expected ${REQUEST_FIELDS.join(", ")}, or an option of the model`);
	}
}

/** Reports ratios of which no size can be computed. */
function checkRatio({ options: { aspect_ratio: aspect } }: CatalogModel, addIssue: AddIssue): void {
	if (aspect?.type !== "string" || !("enum" in aspect)) return;
	const invalid = aspect.enum.filter((value) => !ratioOf(value)).join(", ");
	if (invalid === "") return;
	addIssue(`options.aspect_ratio: expected ratios such as 16:9, to compute a width or a height, not ${invalid}`);
}

/** Reports a resolution that would not change the width and the height. */
function checkResolution({ megapixels }: WorkflowEntry, { options }: CatalogModel, addIssue: AddIssue): void {
	const { aspect_ratio: aspect, resolution } = options;
	if (resolution?.type !== "string" || !("enum" in resolution)) return;
	if (!aspect) {
		addIssue("inputs.width: expected an option aspect_ratio beside resolution, to compute a width and a height");
		return;
	}
	const missing = resolution.enum.filter(
		(value) => typeof megapixels === "number" || !Object.hasOwn(megapixels, value),
	);
	if (missing.length > 0) addIssue(`megapixels: expected a number for each resolution: ${missing.join(", ")}`);
}

/** Fills the request into the workflow. Inputs without a value keep the workflow's own. */
export function fillWorkflow(
	{ graph: nodes, entry }: Workflow,
	task: Pick<EngineTask, "prompt" | "options">,
	{ seed, images, mask }: { seed: number; images: readonly string[]; mask?: string | undefined },
): Graph {
	const { aspect_ratio: aspect, resolution } = task.options;
	const size =
		hasSide(entry) && typeof aspect === "string" ? sizeOf(aspect, pixelsOf(entry, resolution), entry.multipleOf) : {};
	const values: Readonly<Record<string, unknown>> = {
		...task.options,
		...size,
		prompt: task.prompt,
		seed,
		mask,
	};
	const filled = structuredClone(nodes) as Record<string, Node>;
	for (const [name, target] of Object.entries(entry.inputs)) {
		for (const [index, inputPath] of nodeInputsOf(target).entries()) {
			// Several targets of `image` take several images; several targets of another field take the same value.
			const image = images[Math.min(index, images.length - 1)];
			const value = name === "image" ? image : scaleValue(values[name], target);
			const { nodeId, input } = splitInputPath(inputPath);
			const found = filled[nodeId];
			if (found && value !== undefined) found.inputs[input] = value;
		}
	}
	return filled;
}

function pixelsOf({ megapixels }: WorkflowEntry, resolution: unknown): number {
	if (typeof megapixels === "number") return megapixels * MEGAPIXEL;
	const ofResolution = typeof resolution === "string" ? megapixels[resolution] : undefined;
	return (ofResolution ?? 1) * MEGAPIXEL;
}

function scaleValue(value: unknown, target: InputTarget): unknown {
	if (typeof value !== "number" || typeof target !== "object" || Array.isArray(target)) return value;
	return value * (target.times ?? 1) + (target.plus ?? 0);
}

function nodeInputsOf(target: InputTarget): readonly string[] {
	const nodeInputs = typeof target === "object" && !Array.isArray(target) ? target.to : target;
	return typeof nodeInputs === "string" ? [nodeInputs] : nodeInputs;
}

function splitInputPath(inputPath: string): { readonly nodeId: string; readonly input: string } {
	const [nodeId = "", input = ""] = inputPath.split(".");
	return { nodeId, input };
}

/** Returns the size with about this many pixels in this ratio, both sides multiples of `multipleOf`. */
function sizeOf(aspectRatio: string, pixels: number, multipleOf: number): { width: number; height: number } {
	const ratio = ratioOf(aspectRatio);
	if (!ratio) throw new EngineError("invalid_input", `unknown aspect ratio: ${aspectRatio}`, { retryable: false });
	const { across, down } = ratio;
	const side = (length: number): number => Math.max(multipleOf, Math.round(length / multipleOf) * multipleOf);
	return { width: side(Math.sqrt((pixels * across) / down)), height: side(Math.sqrt((pixels * down) / across)) };
}

/** Returns whether the workflow takes a width or a height, which are computed from the ratio. */
function hasSide({ inputs }: WorkflowEntry): boolean {
	return Object.hasOwn(inputs, "width") || Object.hasOwn(inputs, "height");
}

/** Reads a ratio such as `16:9`. */
function ratioOf(text: string): { across: number; down: number } | undefined {
	const [across = 0, down = 0] = text.split(":").map(Number);
	return across > 0 && down > 0 ? { across, down } : undefined;
}
