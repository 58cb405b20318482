/** What somebody wishes who has a result before them: pure. The seed is left to chance, unless they name one. */
import { UserError } from "../user-error.ts";
import type { Model, OptionValue } from "@atelier/media-protocol/model";
import { isUpscale, takesImage, type GenerationRequest, type GenerationInput } from "./request.ts";

/** The same once more. */
export function sameAgain(order: GenerationRequest, nowMs: number): GenerationInput {
	const wishes = { prompt: order.prompt, options: plainOptionsOf(order), imageUrl: inputOf(order, nowMs) };
	if (isUpscale(order)) return { ...wishes, isUpscale: true };
	return { ...wishes, options: { ...wishes.options, seed: null } };
}

/** The same with a picture of it as its beginning, where a model takes one; else once more. */
export function variationOf(
	order: GenerationRequest,
	model: Model,
	pictureUrl: string | undefined,
	nowMs: number,
): GenerationInput {
	if (pictureUrl === undefined || !takesImage(model)) return sameAgain(order, nowMs);
	return { prompt: order.prompt, options: { ...plainOptionsOf(order), seed: null }, imageUrl: pictureUrl };
}

/** The same with other words and options. */
export function editOf(
	order: GenerationRequest,
	{ prompt, options }: Pick<GenerationInput, "prompt" | "options">,
	nowMs: number,
): GenerationInput {
	const all = { ...plainOptionsOf(order), ...options };
	return { prompt, options: all, imageUrl: inputOf(order, nowMs), isUpscale: isUpscale(order) };
}

/** A picture in motion, in the shape that it has, where the model makes that. */
export function motionOf(
	prompt: string,
	order: GenerationRequest | undefined,
	model: Model,
	pictureUrl: string,
): GenerationInput {
	const shape = order ? plainOptionsOf(order)["aspect_ratio"] : undefined;
	const isMade = shape !== undefined && (model.options["aspect_ratio"]?.enum ?? []).includes(String(shape));
	return { prompt, options: isMade ? { aspect_ratio: shape } : {}, imageUrl: pictureUrl };
}

/** A picture made larger, by what a model says of that and nothing of the order that it came of. */
export function upscaleOf(prompt: string, pictureUrl: string): GenerationInput {
	return { prompt, options: {}, imageUrl: pictureUrl, isUpscale: true };
}

function plainOptionsOf({ options }: GenerationRequest): Readonly<Record<string, OptionValue>> {
	const plain = Object.entries(options).filter((entry): entry is [string, OptionValue] => !Array.isArray(entry[1]));
	return Object.fromEntries(plain);
}

/** Where the picture lies that an order starts from. Discord's addresses say until when they are good. */
function inputOf({ options }: GenerationRequest, nowMs: number): string | null {
	const { image_input: input } = options;
	const url = Array.isArray(input) ? (input as readonly string[])[0] : undefined;
	if (url === undefined) return null;
	const expiresAtS = Number.parseInt(new URL(url).searchParams.get("ex") ?? "", 16);
	if (expiresAtS * 1000 < nowMs) throw new UserError({ key: "inputGone" });
	return url;
}
