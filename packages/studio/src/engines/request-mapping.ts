/**
 * Maps the options of a model to the fields of a service's request. The engine file defines it per model. An option
 * without a field is an error in the file, so that no chosen option is silently ignored.
 */
import { z } from "zod";
import { MASK_OPTION } from "@atelier/media-protocol/model";
import { detectMedia } from "../media-type.ts";
import { UPSCALE_SCENE, type EngineTask, type Model, type OptionSchema } from "./engine.ts";

/** A path in the request: field names separated by dots. */
const fieldPath = z.string().regex(/^[a-z]\w*(\.[a-z]\w*)*$/i, {
	error: "expected the name of a field, such as seed or params.seed",
});

const target = z.union(
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

/** The field of each option. */
export type OptionFields = Readonly<Record<string, z.infer<typeof target>>>;

/** A model's part of the engine file, for engines whose requests differ between models. */
export const requestMapping = {
	/** Fields of every request. */
	input: z.record(z.string(), z.json()).default({}),
	/** Fields by option of the model. */
	fields: z.record(z.string(), target).default({}),
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

/** Upscalers take an image without a prompt. */
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

export function modelForScene(given: string | Readonly<Record<string, string>>, scene: string): string | undefined {
	return typeof given === "string" ? given : given[scene];
}

export function checkScenes(
	given: string | Readonly<Record<string, string>>,
	model: Model,
	addIssue: (message: string) => void,
): void {
	for (const scene of model.scenes)
		if (modelForScene(given, scene) === undefined) addIssue(`expected one for ${scene}`);
}

/** Reports invalid fields of a model, each with its option. */
export function checkFields(
	fields: OptionFields,
	model: Model,
	addIssue: (option: string, message: string) => void,
): void {
	for (const option of Object.keys(fields)) {
		if (!(option in model.options)) addIssue(option, "expected an option of the model");
	}
	for (const [option, schema] of Object.entries(model.options)) {
		const field = fields[option];
		const message = field === undefined ? "expected the field for this option" : mismatchOf(field, schema);
		if (message !== undefined) addIssue(option, message);
	}
	const media = Object.entries(model.options).filter(
		([option, { type }]) => type === "array" && option !== MASK_OPTION,
	);
	if (media.length > 1) addIssue("", `expected at most one option with media to start from, beside ${MASK_OPTION}`);
}

function mismatchOf(field: OptionFields[string], schema: OptionSchema): string | undefined {
	const isList = typeof field === "object" && "as" in field && field.as === "list";
	if (schema.type === "array") {
		if (typeof field === "object" && !isList) return "expected a field, or one as a list";
		return schema.maxItems > 1 && !isList ? 'expected "as": "list", because the option has several values' : undefined;
	}
	if (isList) return 'expected no "as": "list", because the option has one value';
	if (typeof field === "string" || "as" in field) return undefined;
	if ("times" in field)
		return schema.type === "integer" ? undefined : 'expected no "times", because the option is not a number';
	const words = wordsOf(schema);
	if (words === undefined) return "expected a field, because the values cannot be listed";
	const listed = "values" in field ? field.values : field.sets;
	const missing = words.filter((word) => !(word in listed));
	return missing.length === 0 ? undefined : `expected a value for ${missing.join(", ")}`;
}

const LISTED_MAX = 100;

function wordsOf(schema: OptionSchema): readonly string[] | undefined {
	if (schema.type === "boolean") return ["true", "false"];
	if (schema.type === "string") return "enum" in schema ? schema.enum : undefined;
	if (schema.type !== "integer" || schema.maximum - schema.minimum >= LISTED_MAX) return undefined;
	return Array.from({ length: schema.maximum - schema.minimum + 1 }, (_, index) => String(schema.minimum + index));
}

/** Builds the body of a request: constant fields, then the prompt, then options. */
export function requestBody(
	model: Model,
	{ input, fields }: RequestMapping,
	task: Pick<EngineTask, "prompt" | "options">,
	given: {
		/** The path of the prompt, if the model takes one. */
		readonly prompt: string | undefined;
		/** The input media in the service's form. */
		readonly media: readonly string[];
		/** The mask in the same form. */
		readonly mask?: string | undefined;
	},
): Record<string, unknown> {
	const body = structuredClone(input) as Record<string, unknown>;
	if (given.prompt !== undefined) setField(body, given.prompt, task.prompt);
	for (const [option, schema] of Object.entries(model.options)) {
		const field = fields[option];
		const media = option === MASK_OPTION ? listOf(given.mask) : given.media;
		const value = schema.type === "array" ? media : task.options[option];
		if (field === undefined || value === undefined || (typeof value === "object" && value.length === 0)) continue;
		for (const [path, fieldValue] of fieldValuesOf(field, value)) setField(body, path, fieldValue);
	}
	return body;
}

function listOf(value: string | undefined): readonly string[] {
	return value === undefined ? [] : [value];
}

function fieldValuesOf(
	field: OptionFields[string],
	value: string | number | boolean | readonly string[],
): readonly (readonly [string, unknown])[] {
	const single = typeof value === "object" ? value[0] : value;
	if (typeof field === "string") return [[field, single]];
	if ("sets" in field) return Object.entries(field.sets[String(single)] ?? {});
	if ("values" in field) return [[field.field, field.values[String(single)]]];
	if ("times" in field) return [[field.field, Number(single) * field.times]];
	return [[field.field, field.as === "list" ? value : String(single)]];
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

/** Encodes an image as a data URI. */
export async function dataUri(bytes: Uint8Array): Promise<string> {
	const type = (await detectMedia(bytes))?.contentType ?? "application/octet-stream";
	return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
