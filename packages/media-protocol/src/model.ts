import { z } from "zod";

export const MEDIA_TYPES = ["image", "video", "music"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** The part of JSON Schema in which services describe an option; what we do not know of it is passed over. */
const optionSchema = z.object({
	type: z.enum(["string", "integer", "number", "boolean", "array"]),
	description: z.string().exactOptional(),
	enum: z.array(z.string()).exactOptional(),
	minimum: z.number().exactOptional(),
	maximum: z.number().exactOptional(),
	maxLength: z.int().exactOptional(),
	default: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
});

const priceSchema = z.object({
	credits: z.number().min(0),
	/** Whether `credits` buys one output or one second of it. */
	per: z.enum(["output", "second"]).default("output"),
	resolutionFactors: z.record(z.string(), z.number().min(0)).default({}),
});

export const modelSchema = z.object({
	id: z.string().min(1).max(100),
	name: z.string().min(1).max(80),
	description: z.string().default(""),
	mediaType: z.enum(MEDIA_TYPES),
	/** The first is the default. */
	scenes: z.array(z.string()).min(1),
	options: z.record(z.string(), optionSchema).default({}),
	price: priceSchema,
	typicalSeconds: z.number().min(0).default(30),
	/** What a picture to start from may have, where the service says so. */
	inputPixelsMax: z.int().min(1).optional().catch(undefined),
	/** Only for channels that are age-restricted. */
	ageRestricted: z.boolean().default(false),
	/** How the service says it does; nothing where it says nothing that is known here. */
	health: z.enum(["up", "degraded", "down"]).optional().catch(undefined),
});

export type Model = z.infer<typeof modelSchema>;
/** The option that says how many are made, as the specification's family calls it; people type it as `count`. */
export const COUNT_OPTION = "n";

/** An option by the name that people type it by. */
export function typedName(option: string): string {
	return option === COUNT_OPTION ? "count" : option;
}

export type OptionSchema = z.infer<typeof optionSchema>;
export type OptionValue = string | number | boolean;

/** Returns the number of outputs that the options ask for. */
export function countOf(options: Readonly<Record<string, unknown>>): number {
	const count = options[COUNT_OPTION];
	return typeof count === "number" ? count : 1;
}
