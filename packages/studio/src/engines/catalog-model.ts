/** The model of the catalog: as the engine file describes it, and as `GET /api/v1/models` lists it. */
import { z } from "zod";
import { MEDIA_TYPES, SOURCE_TYPES } from "@atelier/media-protocol/model";
import type { DeepReadonly } from "@atelier/common/deep-readonly";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
/** The name of an engine, or the id of a model. */
export const name = z.string().regex(NAME, { error: "expected letters, digits, dots and dashes, at most 64" });
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

/** The schema of an option: a subset of JSON Schema. An `array` contains URLs of input media. */
export type CatalogOption = DeepReadonly<
	z.output<typeof enumOption | typeof textOption | typeof integerOption | typeof booleanOption | typeof mediaOption>
>;

/** Selects the schema by `type`, so that errors name the fields of this type only. */
const option = z.looseObject({ type: z.enum(OPTION_TYPES) }).transform((entry, context): CatalogOption => {
	const schema = {
		string: "enum" in entry ? enumOption : textOption,
		integer: integerOption,
		boolean: booleanOption,
		array: mediaOption,
	}[entry.type];
	const parsed = (schema as z.ZodType<CatalogOption>).safeParse(entry);
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

export const modelShape = {
	id: name,
	name: z.string().min(1).max(80),
	description,
	mediaType: z.enum(MEDIA_TYPES),
	/** The first is the default. */
	scenes: values,
	options: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,40}$/), option).default({}),
	price,
	typicalSeconds: z
		.number()
		.positive()
		.max(24 * 60 * 60),
	/** The largest input image, if clients should know a limit. */
	inputPixelsMax: z.int().positive().exactOptional(),
	/** True for models that only age-restricted channels may use. */
	ageRestricted: z.boolean().exactOptional(),
	/** IPTC's digital source type of the engine's outputs; clients assume `trainedAlgorithmicMedia`. */
	digitalSourceType: z.enum(SOURCE_TYPES).exactOptional(),
};
const catalogModel = z.strictObject(modelShape);
export type CatalogModel = DeepReadonly<z.output<typeof catalogModel>>;

/** Scenes named `text-to-…` take a prompt only; all others, such as `image-to-image`, take media. */
export function takesInputMedia(scene: string): boolean {
	return !scene.startsWith("text-to-");
}
