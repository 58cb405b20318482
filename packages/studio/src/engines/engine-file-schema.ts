import { z } from "zod";
import { MASK_OPTION, UPSCALE_SCENE } from "@atelier/media-protocol/model";
import { modelShape, name, takesInputMedia } from "./catalog-model.ts";

const SCENES = {
	image: ["text-to-image", "image-to-image", UPSCALE_SCENE],
	video: ["text-to-video", "image-to-video"],
	music: ["text-to-music"],
} as const;

/** A model in the file: what `GET /api/v1/models` shows, and the engines that serve it, preferred first. */
export const modelEntry = z
	.strictObject({
		...modelShape,
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
		if (model.scenes.some(takesInputMedia) && !takesMedia) {
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

/** The part of the file that does not depend on the kinds of engines. */
export const engineFile = z.strictObject({
	engines: z.record(name, z.looseObject({ kind: z.string({ error: "expected the kind of the engine" }) }), {
		error: "expected the engines, each under its name",
	}),
	models: z.array(z.unknown()).default([]),
});
