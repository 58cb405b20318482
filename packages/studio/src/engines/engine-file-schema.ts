import { z } from "zod";
import { MASK_OPTION, SOURCE_TYPES, MEDIA_TYPES } from "@atelier/media-protocol/model";
import { startsFromMedia, type Model, type OptionSchema, UPSCALE_SCENE } from "./engine.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
/** The name of an engine, or the id of a model. */
const name = z.string().regex(NAME, { error: "expected letters, digits, dots and dashes, at most 64" });
const description = z.string().max(500).default("");
/** A list of values, none of them empty: a client could not request an empty value. */
const values = z.array(z.string().min(1)).min(1);

const enumOption = z
	.strictObject({ type: z.literal("string"), description, enum: values, default: z.string().exactOptional() })
	.transform((option) => ({ ...option, default: option.default ?? option.enum[0] ?? "" }))
	.refine((option) => option.enum.includes(option.default), { error: "expected a default that is one of enum" });
const textOption = z.strictObject({
	type: z.literal("string"),
	description,
	maxLength: z.int().min(1).max(10_000),
});
const integerOption = z
	.strictObject({
		type: z.literal("integer"),
		description,
		minimum: z.int(),
		maximum: z.int(),
		default: z.int().exactOptional(),
	})
	.refine(({ minimum, maximum, default: chosen = minimum }) => minimum <= chosen && chosen <= maximum, {
		error: "expected minimum, default and maximum in this order",
	});
const booleanOption = z.strictObject({ type: z.literal("boolean"), description, default: z.boolean().default(false) });
const mediaOption = z
	.strictObject({ type: z.literal("array"), description, maxItems: z.int().min(1).max(16).default(1) })
	.transform((option) => ({ ...option, items: { type: "string" as const, format: "uri" as const } }));

const OPTION_TYPES = ["string", "integer", "boolean", "array"] as const;

/** Selects the schema by `type`, so that errors name the fields of this type only. */
const option = z.looseObject({ type: z.enum(OPTION_TYPES) }).transform((entry, context): OptionSchema => {
	const schema = {
		string: "enum" in entry ? enumOption : textOption,
		integer: integerOption,
		boolean: booleanOption,
		array: mediaOption,
	}[entry.type];
	const parsed = (schema as z.ZodType<OptionSchema>).safeParse(entry);
	if (parsed.success) return parsed.data;
	for (const issue of parsed.error.issues) {
		context.issues.push({ code: "custom", message: issue.message, path: [...issue.path], input: entry });
	}
	return z.NEVER;
});

const price = z.strictObject({
	credits: z.number().min(0).max(1_000_000),
	per: z.enum(["output", "second"]).default("output"),
	resolutionFactors: z.record(z.string(), z.number().min(0)).default({}),
});

const SCENES = {
	image: ["text-to-image", "image-to-image", UPSCALE_SCENE],
	video: ["text-to-video", "image-to-video"],
	music: ["text-to-music"],
} as const;

/** A model in the file: what `GET /api/v1/models` shows, and the engines that serve it, preferred first. */
export const modelEntry = z
	.strictObject({
		id: name,
		name: z.string().min(1).max(80),
		description,
		mediaType: z.enum(MEDIA_TYPES),
		scenes: values,
		options: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,40}$/), option).default({}),
		price,
		typicalSeconds: z
			.number()
			.positive()
			.max(24 * 60 * 60),
		inputPixelsMax: z.int().positive().exactOptional(),
		ageRestricted: z.boolean().default(false),
		digitalSourceType: z.enum(SOURCE_TYPES).exactOptional(),
		engines: z
			.array(z.looseObject({ engine: z.string({ error: "expected the name of an engine above" }) }))
			.min(1, { error: "expected at least one engine that serves the model" }),
	})
	.superRefine((model, context) => {
		const addIssue = (path: string, message: string): void =>
			context.addIssue({ code: "custom", path: [path], message });
		const known: readonly string[] = SCENES[model.mediaType];
		if (!model.scenes.every((scene) => known.includes(scene))) {
			addIssue("scenes", `expected some of ${known.join(", ")}, because mediaType is ${model.mediaType}`);
		}
		const takesMedia = Object.values(model.options).some(({ type }) => type === "array");
		if (model.scenes.some(startsFromMedia) && !takesMedia) {
			addIssue("options", 'expected an option of type "array" such as image_input, because a scene starts from media');
		}
		const { [MASK_OPTION]: mask, duration, resolution } = model.options;
		if (mask && !(mask.type === "array" && mask.maxItems === 1)) {
			addIssue("options", `expected ${MASK_OPTION} to be of type "array" with "maxItems": 1`);
		}
		const resolutions = resolution?.type === "string" && "enum" in resolution ? resolution.enum : [];
		if (!Object.keys(model.price.resolutionFactors).every((priced) => resolutions.includes(priced))) {
			addIssue("price", 'expected resolutionFactors for values in "enum" of the option "resolution"');
		}
		if (model.price.per === "second" && !(duration?.type === "integer" && duration.default !== undefined)) {
			addIssue("options", 'expected an integer option "duration" with a default, because the price is per second');
		}
	});

export type ModelEntry = z.infer<typeof modelEntry>;

/** Returns the model as clients see it, without the settings of its engines. */
export function publicModel({ engines: _engines, ageRestricted, ...model }: ModelEntry): Model {
	return { ...model, ...(ageRestricted && { ageRestricted }) };
}

/** The part of the file that does not depend on the kinds of engines. */
export const engineFile = z.strictObject({
	engines: z.record(name, z.looseObject({ kind: z.string({ error: "expected the kind of the engine" }) }), {
		error: "expected the engines, each under its name",
	}),
	models: z.array(z.unknown()).default([]),
});
