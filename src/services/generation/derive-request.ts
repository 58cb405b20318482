/** Derives the input of a new request from an earlier one. No I/O. The seed is random, except in a repeated upscale. */
import { UserError } from "../user-error.ts";
import { IMAGES_OPTION, MASK_OPTION, type Model, type OptionValue } from "@atelier/media-protocol/model";
import { isUpscale, takesImage, type GenerationRequest, type GenerationInput } from "./request.ts";

/** Returns the same request, with a random seed unless it is an upscale. Throws a `UserError` if an input image has expired. */
export function regenerationOf(request: GenerationRequest, nowMs: number): GenerationInput {
	const input = { prompt: request.prompt, options: plainOptionsOf(request), ...inputsOf(request, nowMs) };
	if (isUpscale(request)) return { ...input, wantsUpscale: true };
	return { ...input, options: { ...input.options, seed: null } };
}

/** Returns the same request with its result (`imageUrl`) as input; `undefined` without a URL, or if its model accepts no image. */
export function variationOf(
	request: GenerationRequest,
	model: Model | undefined,
	imageUrl: string | undefined,
): GenerationInput | undefined {
	if (imageUrl === undefined || (model && !takesImage(model))) return undefined;
	return { prompt: request.prompt, options: { ...plainOptionsOf(request), seed: null }, imageUrls: [imageUrl] };
}

/** Returns the same request with another prompt and options, and a random seed unless `options` has one or it is an upscale. */
export function editOf(
	request: GenerationRequest,
	{ prompt, options }: Pick<GenerationInput, "prompt" | "options">,
	nowMs: number,
): GenerationInput {
	const regeneration = regenerationOf(request, nowMs);
	return { ...regeneration, prompt, options: { ...regeneration.options, ...options } };
}

/** Returns a new request with input images, in the aspect ratio of the earlier request if the model supports it. */
export function imageInputOf(
	prompt: string,
	request: GenerationRequest | undefined,
	imageUrls: readonly string[],
): GenerationInput {
	const aspectRatio = request ? plainOptionsOf(request)["aspect_ratio"] : undefined;
	const optionsIfSupported = aspectRatio === undefined ? {} : { aspect_ratio: aspectRatio };
	return { prompt, options: {}, optionsIfSupported, imageUrls };
}

/** Returns the upscale of an image, with the model's own parameters, not those of the earlier request. */
export function upscaleOf(prompt: string, imageUrl: string): GenerationInput {
	return { prompt, options: {}, imageUrls: [imageUrl], wantsUpscale: true };
}

/** Returns the options without the lists of input images and masks. */
function plainOptionsOf({ options }: GenerationRequest): Readonly<Record<string, OptionValue>> {
	const plain = Object.entries(options).filter((entry): entry is [string, OptionValue] => !Array.isArray(entry[1]));
	return Object.fromEntries(plain);
}

/** Returns the URLs of the input images and of the mask. Throws a `UserError` if one has expired: Discord's URLs contain their expiry. */
function inputsOf({ options }: GenerationRequest, nowMs: number): Pick<GenerationInput, "imageUrls" | "maskUrl"> {
	const imageUrls = listOf(options[IMAGES_OPTION]);
	const maskUrls = listOf(options[MASK_OPTION]);
	for (const url of [...imageUrls, ...maskUrls]) {
		const expiresAtS = Number.parseInt(new URL(url).searchParams.get("ex") ?? "", 16);
		if (expiresAtS * 1000 < nowMs) throw new UserError({ key: "request.imageGone" });
	}
	const [maskUrl] = maskUrls;
	return { imageUrls, ...(maskUrl !== undefined && { maskUrl }) };
}

function listOf(value: GenerationRequest["options"][string] | undefined): readonly string[] {
	return typeof value === "object" ? value : [];
}
