import { UPSCALE_INPUT_PIXELS_MAX } from "@atelier/sketch";
import type { CatalogModel, CatalogOption } from "./catalog-model.ts";
import { SEED_MAX } from "./seed.ts";

const IMAGE_ASPECTS = ["1:1", "16:9", "9:16", "4:3", "3:4", "3:2", "2:3", "21:9"] as const;
export const IMAGE_LONG_SIDES: Readonly<Record<string, number>> = { "1K": 1024, "2K": 2048, "4K": 4096 };
const VIDEO_ASPECTS = ["16:9", "9:16", "1:1"] as const;
export const VIDEO_SHORT_SIDES: Readonly<Record<string, number>> = { "480p": 480, "720p": 720, "1080p": 1080 };

/** The most input images of one task. */
const IMAGES_MAX = 10;

const seed: CatalogOption = {
	type: "integer",
	description: "The same prompt and seed give the same result on the same machine. By default every task has its own.",
	minimum: 0,
	maximum: SEED_MAX,
};

const n: CatalogOption = {
	type: "integer",
	description: "The number of images, each with the next seed. Default: 1.",
	minimum: 1,
	maximum: 4,
};

function imageInput(use: string, maxItems = 1): CatalogOption {
	return { type: "array", description: use, items: { type: "string", format: "uri" }, maxItems };
}

/** The models of the built-in engine. None of it is AI, and each description says so. */
export const SKETCH_MODELS = [
	{
		id: "sketch",
		name: "Sketch",
		description:
			"Draws one of six scenes from the words of the prompt by fixed rules. Not AI: it knows some hundreds of English words and emoji, and every other word only changes the random seed.",
		mediaType: "image",
		scenes: ["text-to-image", "image-to-image"],
		options: {
			aspect_ratio: { type: "string", description: "Width to height.", enum: IMAGE_ASPECTS, default: "16:9" },
			resolution: {
				type: "string",
				description:
					"Long side: 1K is 1024 pixels, 2K is 2048, 4K is 4096. The short side follows, rounded to an even number.",
				enum: Object.keys(IMAGE_LONG_SIDES),
				default: "1K",
			},
			n,
			seed,
			image_input: imageInput(
				"Images to paint over, side by side: PNG, JPEG, WebP or GIF, each of at most 40 megapixels.",
				IMAGES_MAX,
			),
			mask_image: imageInput("Paints only where this image is white. It has the size of the first image."),
		},
		price: { credits: 2, per: "output", resolutionFactors: { "1K": 1, "2K": 2, "4K": 4 } },
		typicalSeconds: 1,
		digitalSourceType: "algorithmicMedia",
	},
	{
		id: "sketch-motion",
		name: "Sketch Motion",
		description:
			"The same scenes with moving water, light and weather and a sound track, at 24 frames a second. Not AI: drawn and composed by fixed rules.",
		mediaType: "video",
		scenes: ["text-to-video", "image-to-video"],
		options: {
			aspect_ratio: { type: "string", description: "Width to height.", enum: VIDEO_ASPECTS, default: "16:9" },
			resolution: {
				type: "string",
				description: "Short side: 480, 720 or 1080 pixels; 16:9 is 854x480, 1280x720 or 1920x1080.",
				enum: Object.keys(VIDEO_SHORT_SIDES),
				default: "720p",
			},
			duration: { type: "integer", description: "Seconds of video.", minimum: 2, maximum: 12, default: 5 },
			seed,
			image_input: imageInput(
				"Images to animate, side by side: PNG, JPEG, WebP or GIF, each of at most 40 megapixels.",
				IMAGES_MAX,
			),
		},
		price: { credits: 2, per: "second", resolutionFactors: { "480p": 1, "720p": 2, "1080p": 4 } },
		typicalSeconds: 8,
		digitalSourceType: "algorithmicMedia",
	},
	{
		id: "sketch-tune",
		name: "Sketch Tune",
		description:
			"Composes and plays a short piece whose key, tempo and instruments follow the mood of the prompt. Not AI: written by fixed rules of harmony, played by synthesizers. Instrumental only: it ignores lyrics.",
		mediaType: "music",
		scenes: ["text-to-music"],
		options: {
			duration: { type: "integer", description: "Seconds of music.", minimum: 5, maximum: 60, default: 20 },
			seed,
			lyrics: { type: "string", description: "Ignored: this model does not sing.", maxLength: 3000 },
			instrumental: {
				type: "boolean",
				description: "Ignored: every piece is instrumental.",
				default: false,
			},
		},
		price: { credits: 1, per: "second", resolutionFactors: {} },
		typicalSeconds: 4,
		digitalSourceType: "algorithmicMedia",
	},
	{
		id: "sketch-enlarge",
		name: "Sketch Enlarge",
		description:
			"Doubles the width and height of an image by Lanczos resampling, and sharpens it a little. Not AI: it adds no detail.",
		mediaType: "image",
		scenes: ["upscale"],
		options: {
			image_input: imageInput("The image to enlarge, PNG, JPEG, WebP or GIF, of at most 2.5 megapixels."),
		},
		price: { credits: 1, per: "output", resolutionFactors: {} },
		typicalSeconds: 1,
		digitalSourceType: "algorithmicMedia",
		inputPixelsMax: UPSCALE_INPUT_PIXELS_MAX,
	},
] as const satisfies readonly CatalogModel[];
