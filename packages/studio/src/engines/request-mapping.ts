/**
 * Maps the options of a model to the fields of a service's request. The engine file defines it per model. An option
 * without a field is an error in the file, so that no chosen option is silently ignored.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { MASK_OPTION, UPSCALE_SCENE } from "@atelier/media-protocol/model";
import { detectMedia } from "../media-format.ts";
import type { CatalogModel, CatalogOption } from "./catalog-model.ts";
import type { EngineTask } from "./engine.ts";

/** A path in the request: field names separated by dots. */
const fieldPath = z.string().regex(/^[a-z]\w*(\.[a-z]\w*)*$/i, {
	error: "expected the name of a field, such as seed or params.seed",
});

const fieldTarget = z.union(
	[
		fieldPath,
		z.strictObject({ field: fieldPath, values: z.record(z.string(), z.json()) }),
		z.strictObject({ field: fieldPath, times: z.number().positive() }),
		z.strictObject({ field: fieldPath, as: z.enum(["text", "list"]) }),
		z.strictObject({ sets: z.record(z.string(), z.record(fieldPath, z.json())) }),
	],
	{
		error:
			'expected a field, {"field", "values"}, {"field", "times"}, {"field", "as": "text" or "list"}, or {"sets": {VALUE: {FIELD: …}}}',
	},
);

type FieldTarget = z.infer<typeof fieldTarget>;

/** The field of each option. */
export type OptionFields = Readonly<Record<string, FieldTarget>>;

/** A model's part of the engine file, for engines whose requests differ between models. */
export const requestMapping = {
	/** Fields of every request. */
	input: z.record(z.string(), z.json()).default({}),
	/** Fields by option of the model. */
	fields: z.record(z.string(), fieldTarget).default({}),
};

/** One value for all scenes, or one per scene. */
export const perScene = (one: z.ZodType<string>): z.ZodType<string | Record<string, string>> =>
	z.union([one, z.record(z.string(), one)], { error: "expected one for all scenes, or an object with one for each" });

/** A model's part of the engine file at a service that hosts models of many vendors. */
export const hostedMapping = (modelName: z.ZodType<string>) => ({
	...requestMapping,
	model: perScene(modelName),
	/** The field of the prompt. */
	prompt: z.string().min(1).default("prompt"),
});

/** Returns the field of the prompt; `undefined` for upscalers, which take an image without a prompt. */
export function promptField({ prompt }: { readonly prompt: string }, { scene }: EngineTask): string | undefined {
	return scene === UPSCALE_SCENE ? undefined : prompt;
}

/** The mapping of requests for one model. */
export interface RequestMapping {
	/** The model's name at the service. */
	readonly model?: string | Readonly<Record<string, string>>;
	readonly input: Readonly<Record<string, unknown>>;
	readonly fields: OptionFields;
}

/** Returns the model's name for this scene. `checkScenes` has found a name for each. */
export function modelForScene(names: string | Readonly<Record<string, string>>, scene: string): string {
	const name = typeof names === "string" ? names : names[scene];
	assert(name !== undefined, "the engine file names the model of every scene");
	return name;
}

/** Reports scenes without a name of the model. */
export function checkScenes(
	names: string | Readonly<Record<string, string>>,
	model: CatalogModel,
	addIssue: (message: string) => void,
): void {
	for (const scene of model.scenes) {
		if (typeof names === "object" && !Object.hasOwn(names, scene)) addIssue(`expected one for ${scene}`);
	}
}

/** Returns the fields of a model: those of the engine file, and the defaults for its other options. Reports invalid ones. */
export function completeFields(
	model: Pick<CatalogModel, "options">,
	given: OptionFields,
	defaults: OptionFields,
	settingPath: string,
	addIssue: (settingPath: string, message: string) => void,
): OptionFields {
	const usedDefaults = Object.entries(defaults).filter(([option]) => Object.hasOwn(model.options, option));
	const fields: OptionFields = { ...Object.fromEntries(usedDefaults), ...given };
	const addFieldIssue = (option: string, message: string): void => addIssue(`${settingPath}.fields.${option}`, message);
	for (const option of Object.keys(fields)) {
		if (!Object.hasOwn(model.options, option)) addFieldIssue(option, "expected an option of the model");
	}
	for (const [option, schema] of Object.entries(model.options)) {
		const target = fields[option];
		const message = target === undefined ? "expected the field for this option" : mismatchOf(target, schema);
		if (message !== undefined) addFieldIssue(option, message);
	}
	const media = Object.entries(model.options).filter(
		([option, { type }]) => type === "array" && option !== MASK_OPTION,
	);
	if (media.length > 1) addIssue(settingPath, `expected at most one option with input media, beside ${MASK_OPTION}`);
	return fields;
}

/** Returns why an option cannot be sent as its field; `undefined` if it can. */
function mismatchOf(target: FieldTarget, schema: CatalogOption): string | undefined {
	const isList = typeof target === "object" && "as" in target && target.as === "list";
	if (schema.type === "array") {
		if (typeof target === "object" && !isList) return "expected a field, or one as a list";
		return schema.maxItems > 1 && !isList ? 'expected "as": "list", because the option has several values' : undefined;
	}
	if (isList) return 'expected no "as": "list", because the option has one value';
	if (typeof target === "string" || "as" in target) return undefined;
	if ("times" in target) {
		return schema.type === "integer" ? undefined : 'expected no "times", because the option is not a number';
	}
	const values = valuesOf(schema);
	if (values === undefined) return "expected a field, because the values cannot be listed";
	const mapped = "values" in target ? target.values : target.sets;
	const missing = values.filter((value) => !(value in mapped));
	return missing.length === 0 ? undefined : `expected a value for ${missing.join(", ")}`;
}

const LISTED_VALUES_MAX = 100;

/** Returns the values of an option as text; `undefined` for text and media, and if there are too many. */
function valuesOf(schema: CatalogOption): readonly string[] | undefined {
	if (schema.type === "boolean") return ["true", "false"];
	if (schema.type === "string") return "enum" in schema ? schema.enum : undefined;
	if (schema.type !== "integer" || schema.maximum - schema.minimum >= LISTED_VALUES_MAX) return undefined;
	return Array.from({ length: schema.maximum - schema.minimum + 1 }, (_, index) => String(schema.minimum + index));
}

/** Builds the body of a request: constant fields, then the prompt, then options. */
export function requestBody(
	model: Pick<CatalogModel, "options">,
	{ input, fields }: RequestMapping,
	task: Pick<EngineTask, "prompt" | "options">,
	/** The path of the prompt, if the model takes one. */
	promptPath: string | undefined,
	{ media, mask }: EncodedInputs = { media: [] },
): Record<string, unknown> {
	const body = structuredClone(input) as Record<string, unknown>;
	if (promptPath !== undefined) setField(body, promptPath, task.prompt);
	for (const [option, schema] of Object.entries(model.options)) {
		const target = fields[option];
		const sources = option !== MASK_OPTION ? media : mask === undefined ? [] : [mask];
		const value = schema.type === "array" ? sources : task.options[option];
		if (target === undefined || value === undefined || (typeof value === "object" && value.length === 0)) continue;
		for (const [path, fieldValue] of fieldValuesOf(target, value)) setField(body, path, fieldValue);
	}
	return body;
}

function fieldValuesOf(
	target: FieldTarget,
	value: string | number | boolean | readonly string[],
): readonly (readonly [path: string, value: unknown])[] {
	const single = typeof value === "object" ? value[0] : value;
	if (typeof target === "string") return [[target, single]];
	if ("sets" in target) return Object.entries(target.sets[String(single)] ?? {});
	if ("values" in target) return [[target.field, target.values[String(single)]]];
	if ("times" in target) return [[target.field, Number(single) * target.times]];
	return [[target.field, target.as === "list" ? value : String(single)]];
}

/** Sets the field at this path, and creates the objects on the way. */
export function setField(body: Record<string, unknown>, path: string, value: unknown): void {
	const [name = "", ...rest] = path.split(".");
	if (rest.length === 0) {
		body[name] = value;
		return;
	}
	const inner = body[name];
	const next = typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
	body[name] = next;
	setField(next, rest.join("."), value);
}

/** The input media of a task in the form of a service, such as URLs. */
interface EncodedInputs {
	readonly media: readonly string[];
	readonly mask?: string | undefined;
}

export async function encodeInputs(
	task: Pick<EngineTask, "readInputs">,
	encodeInput: (bytes: Uint8Array) => Promise<string>,
): Promise<EncodedInputs> {
	const { images, mask } = await task.readInputs();
	const media: string[] = [];
	// One after the other: a service may limit concurrent uploads.
	for (const bytes of images) media.push(await encodeInput(bytes));
	return { media, mask: mask && (await encodeInput(mask)) };
}

/** Encodes an image as a data URI. */
export async function dataUri(bytes: Uint8Array): Promise<string> {
	const type = (await detectMedia(bytes))?.contentType ?? "application/octet-stream";
	return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
