import { z } from "zod";

export const MEDIA_TYPES = ["image", "video", "music"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** IPTC's digital source types: created by a trained model, or by a fixed algorithm. https://cv.iptc.org/newscodes/digitalsourcetype */
export const SOURCE_TYPES = ["trainedAlgorithmicMedia", "algorithmicMedia"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The subset of JSON Schema in which services describe options. Unknown keywords are ignored. */
const optionSchema = z.object({
	type: z.enum(["string", "integer", "number", "boolean", "array"]),
	description: z.string().exactOptional(),
	enum: z.array(z.string()).exactOptional(),
	minimum: z.number().exactOptional(),
	maximum: z.number().exactOptional(),
	maxLength: z.int().exactOptional(),
	/** The most files, for an option of type "array". */
	maxItems: z.int().min(1).exactOptional(),
	default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
});

const priceSchema = z.object({
	credits: z.number().min(0),
	/** The unit that `credits` buys: one output, or one second of it. */
	per: z.enum(["output", "second"]).default("output"),
	resolutionFactors: z.record(z.string(), z.number().min(0)).default({}),
});

export const modelSchema = z.object({
	id: z.string().min(1).max(100),
	name: z.string().min(1).max(80),
	description: z.string().default(""),
	mediaType: z.enum(MEDIA_TYPES),
	/** The operations, such as `text-to-image` or `upscale`; the first is the default. */
	scenes: z.array(z.string()).min(1),
	options: z.record(z.string(), optionSchema).default({}),
	price: priceSchema,
	typicalSeconds: z.number().min(0).default(30),
	/** The largest input image, if the service declares it. */
	inputPixelsMax: z.int().min(1).optional().catch(undefined),
	/** True if the model may be used in age-restricted channels only. */
	ageRestricted: z.boolean().default(false),
	/** Absent if the service does not declare one. */
	digitalSourceType: z.enum(SOURCE_TYPES).optional().catch(undefined),
	/** Absent if the service does not declare one. */
	health: z.enum(["up", "degraded", "down"]).optional().catch(undefined),
});

export type Model = z.infer<typeof modelSchema>;
export type Price = z.infer<typeof priceSchema>;
/** The scene that upscales an input image. */
export const UPSCALE_SCENE = "upscale";
/** The option for the number of outputs, as services of this family name it; members type `count`. */
export const COUNT_OPTION = "n";

/** The option for input images. */
export const IMAGES_OPTION = "image_input";
/** The option for a mask: an image of the same size as the input image, which is changed where the mask is white. */
export const MASK_OPTION = "mask_image";

/** Returns the option name that members type. */
export function discordOptionName(option: string): string {
	return option === COUNT_OPTION ? "count" : option;
}

export type OptionSchema = z.infer<typeof optionSchema>;
export type OptionValue = string | number | boolean;

/** Returns the number of outputs that the options ask for. */
export function countOf(options: Readonly<Record<string, unknown>>): number {
	const count = options[COUNT_OPTION];
	return typeof count === "number" ? count : 1;
}
