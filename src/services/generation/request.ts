/** Builds the request to the service from the member's input. Pure, and strict about what a model accepts. */
import { nameOf } from "../../i18n/message-param-values.ts";
import { enumerate, plainLine, quote, quoteName } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import {
	discordOptionName,
	IMAGES_OPTION,
	MASK_OPTION,
	type MediaType,
	type Model,
	type OptionSchema,
	type OptionValue,
	type SourceType,
	UPSCALE_SCENE,
} from "@atelier/media-protocol/model";
import { priceOf } from "@atelier/media-protocol/price";

const QUOTED_CHARS_MAX = 60;
/** The prefix of scenes that derive from an input image. */
const FROM_IMAGE_PREFIX = "image-to-";

/** The input of a member, before it is checked against the model. */
export interface GenerationInput {
	readonly prompt: string;
	/** By the names of the service's API; `null` without a value. */
	readonly options: Readonly<Record<string, OptionValue | null>>;
	/** Options that are left out if the model does not support them. */
	readonly optionsIfSupported?: Readonly<Record<string, OptionValue>>;
	/** The URLs of input images, given by Discord, never typed by a member. */
	readonly imageUrls: readonly string[];
	/** The URL of a mask of the first image, which is changed where the mask is white. */
	readonly maskUrl?: string | undefined;
	/** Upscales the image instead of deriving another one. */
	readonly wantsUpscale?: boolean;
}

/** One generation: what is sent to the service, and what the model catalog says about it. */
export interface GenerationRequest {
	readonly mediaType: MediaType;
	readonly model: string;
	readonly modelName: string;
	readonly scene: string;
	readonly prompt: string;
	readonly options: Readonly<Record<string, OptionValue | readonly string[]>>;
	readonly costCredits: number;
	/** The usual duration of a task of this model, from the catalog. */
	readonly typicalSeconds: number;
	/** The origin of the result, if the model declares it. */
	readonly digitalSourceType?: SourceType;
	/** True if only age-restricted channels may show the result, because of its model. Absent otherwise. */
	readonly needsAgeRestrictedChannel?: boolean;
}

/** Builds the request. Throws a `UserError` that names the invalid option and the accepted values. */
export function buildRequest(model: Model, input: GenerationInput): GenerationRequest {
	const prompt = input.prompt.trim();
	// Invisible characters alone are no prompt.
	if (plainLine(prompt, 1) === "") throw new UserError({ key: "request.promptEmpty" });

	const chosen: Record<string, OptionValue> = {};
	for (const [name, value] of Object.entries(input.options)) {
		if (value === null) continue;
		chosen[name] = checkOption(model, name, value);
	}
	const supported = Object.entries(input.optionsIfSupported ?? {})
		.filter((option) => supportsOption(model, ...option))
		.map(([name, value]) => [name, checkOption(model, name, value)] as const);
	const complete: Record<string, OptionValue> = { ...defaultsOf(model), ...Object.fromEntries(supported), ...chosen };
	if (model.price.per === "second" && typeof complete["duration"] !== "number") {
		throw new UserError({ key: "request.durationNeeded", params: { model: quoteName(model.name) } });
	}
	requireInputs(model, input);
	const { imageUrls, maskUrl } = input;
	const options = {
		...complete,
		...(imageUrls.length > 0 && { [IMAGES_OPTION]: imageUrls }),
		...(maskUrl !== undefined && { [MASK_OPTION]: [maskUrl] }),
	};
	return {
		mediaType: model.mediaType,
		model: model.id,
		modelName: model.name,
		scene: sceneOf(model, input),
		prompt,
		options,
		costCredits: priceOf(model.price, complete),
		typicalSeconds: model.typicalSeconds,
		...(model.ageRestricted && { needsAgeRestrictedChannel: true }),
		...(model.digitalSourceType && { digitalSourceType: model.digitalSourceType }),
	};
}

/** Returns the default values of a model's options. */
export function defaultsOf(model: Model): Readonly<Record<string, OptionValue>> {
	const entries = Object.entries(model.options).flatMap(([name, schema]) =>
		schema.default === undefined ? [] : [[name, schema.default] as const],
	);
	return Object.fromEntries(entries);
}

/** Returns whether a model accepts an input image. */
export function takesImage({ scenes }: Pick<Model, "scenes">): boolean {
	return scenes.some((scene) => scene.startsWith(FROM_IMAGE_PREFIX));
}

/** Returns the most input images that a model accepts. */
function imagesMaxOf(model: Pick<Model, "scenes" | "options">): number {
	return takesImage(model) ? (model.options[IMAGES_OPTION]?.maxItems ?? 1) : 0;
}

/** Returns whether a model has the operation that an input needs: from a prompt, from images, or an upscale. */
export function hasOperation(model: Model, { imageUrls, wantsUpscale = false }: GenerationInput): boolean {
	if (wantsUpscale) return upscales(model);
	return imageUrls.length > 0 ? takesImage(model) : takesPrompt(model);
}

/** Returns whether a model accepts the images and the mask of an input. */
export function acceptsFiles(model: Model, { imageUrls, maskUrl, wantsUpscale = false }: GenerationInput) {
	if (wantsUpscale) return true;
	return imageUrls.length <= imagesMaxOf(model) && (maskUrl === undefined || MASK_OPTION in model.options);
}

/**
 * Throws a `UserError` for too many input images, and for a mask that the model does not accept. `sceneOf` does so for a missing or
 * unsupported image.
 */
function requireInputs(model: Model, { imageUrls, maskUrl }: GenerationInput): void {
	const imagesMax = imagesMaxOf(model);
	if (imagesMax > 0 && imageUrls.length > imagesMax)
		throw new UserError({
			key: "request.tooManyImages",
			params: { model: quoteName(model.name), imagesMax },
			remedy: "help",
		});
	if (maskUrl === undefined) return;
	if (!(MASK_OPTION in model.options)) throw optionNotSupportedError("mask", model);
	if (imageUrls.length !== 1) throw new UserError({ key: "request.maskNeedsOneImage" });
}

function optionNotSupportedError(option: Parameters<typeof nameOf>[0], model: Model): UserError {
	const params = { option: nameOf(option), model: quoteName(model.name) };
	return new UserError({ key: "request.optionNotSupported", params, remedy: "help" });
}

/** Returns whether a model generates new media from a prompt, as `/image`, `/video` and `/music` require. Other models only upscale. */
export function takesPrompt({ scenes }: Pick<Model, "scenes">): boolean {
	return scenes.some((scene) => scene !== UPSCALE_SCENE);
}

/** Returns the first model that upscales an image of that size; for an unknown size, the first that upscales at all. */
export function upscalerOf(models: readonly Model[], pixels: number | undefined): Model | undefined {
	return models.find((model) => upscales(model) && (pixels ?? 0) <= (model.inputPixelsMax ?? Number.POSITIVE_INFINITY));
}

/** Returns whether a request upscales an image. */
export function isUpscale({ scene }: Pick<GenerationRequest, "scene">): boolean {
	return scene === UPSCALE_SCENE;
}

/** Returns whether a model can upscale an image. */
function upscales({ scenes }: Pick<Model, "scenes">): boolean {
	return scenes.includes(UPSCALE_SCENE);
}

/** Selects the scene of a request. An image for a model that only upscales is upscaled. Throws a `UserError` if the model has no such scene. */
function sceneOf(model: Model, { wantsUpscale = false, imageUrls }: GenerationInput): string {
	const fromImage = imageUrls.length > 0;
	if (wantsUpscale || (fromImage && !takesPrompt(model))) {
		if (!upscales(model)) throw new UserError({ key: "request.upscaleNone" });
		return UPSCALE_SCENE;
	}
	const scene = model.scenes.find((each) => each !== UPSCALE_SCENE && each.startsWith(FROM_IMAGE_PREFIX) === fromImage);
	if (scene !== undefined) return scene;
	if (fromImage) throw optionNotSupportedError("image", model);
	throw new UserError({ key: "request.imageNeeded", params: { model: quoteName(model.name) } });
}

/** Returns the value in the model's spelling. Throws a `UserError` that names the accepted values if the model does not accept it. */
export function checkOption(model: Model, name: string, value: OptionValue): OptionValue {
	const schema = model.options[name];
	if (!schema) throw optionNotSupportedError(discordOptionName(name), model);
	return checkValue(model, name, schema, value);
}

/** Returns whether a model accepts this value of an option. */
export function supportsOption(model: Model, name: string, value: OptionValue): boolean {
	try {
		checkOption(model, name, value);
		return true;
	} catch (error) {
		if (error instanceof UserError) return false;
		throw error;
	}
}

function checkValue(model: Model, name: string, schema: OptionSchema, value: OptionValue): OptionValue {
	const params = {
		option: nameOf(discordOptionName(name)),
		value: quote(String(value), QUOTED_CHARS_MAX),
		model: quoteName(model.name),
	};
	const choices = choicesOf(model, name, schema);
	if (choices) {
		const choice = choices.find((each) => each.toLowerCase() === String(value).toLowerCase());
		if (choice !== undefined) return choice;
		throw new UserError({ key: "request.optionOneOf", params: { ...params, values: enumerate(choices) } });
	}
	if (typeof value === "number") {
		const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
		if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
		throw new UserError({ key: "request.optionRange", params: { ...params, min: minimum, max: maximum } });
	}
	if (typeof value === "string" && schema.maxLength !== undefined && value.length > schema.maxLength) {
		throw new UserError({
			key: "request.optionTooLong",
			params: { option: nameOf(discordOptionName(name)), model: quoteName(model.name), charsMax: schema.maxLength },
		});
	}
	return value;
}

/**
 * Returns the accepted values of an option if they are a list, otherwise `undefined`. Without a declared list, the resolutions that
 * have a price are the list.
 */
export function choicesOf(model: Model, option: string, schema: OptionSchema): readonly string[] | undefined {
	if (schema.enum) return schema.enum;
	const priced = option === "resolution" ? Object.keys(model.price.resolutionFactors) : [];
	return priced.length > 0 ? priced : undefined;
}
