/** Builds, applies and formats styles. The member's own choices come before those of the style. No I/O. */
import { nameOf } from "../../i18n/message-param-values.ts";
import {
	COUNT_OPTION,
	discordOptionName,
	type MediaType,
	type Model,
	type OptionValue,
} from "@atelier/media-protocol/model";
import { STYLE_OPTIONS } from "@atelier/dashboard/settings-schema";
import { findModel, knownModels, type ModelCatalog } from "../generation/model-catalog.ts";
import {
	checkOption,
	makesNew,
	supportsOption,
	type GenerationRequest,
	type GenerationInput,
} from "../generation/request.ts";
import { t } from "../../i18n/messages.ts";
import { plainLine, quote, quoteName } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import { NEGATIVE_PROMPT_CHARS_MAX, type Style } from "./settings-schema.ts";
import type { NamedStyle } from "./styles.ts";

const VALUE_CHARS_MAX = 60;

/** Returns the models that a style may use; `null` for those of all media types. */
export function modelsForStyles(catalog: Pick<ModelCatalog, "known">, mediaType: MediaType | null): readonly Model[] {
	return knownModels(catalog).filter(
		(model) => makesNew(model) && (mediaType === null || model.mediaType === mediaType),
	);
}

/** The input as typed, not yet validated against a model. `null` for what was not given. */
export interface StyleInput {
	/** Appended to the prompt. */
	readonly text: string;
	readonly mediaType: MediaType | null;
	/** The id or the name of a model. */
	readonly model: string | null;
	readonly options: Readonly<Record<string, OptionValue | null>>;
}

/**
 * Builds a style from what a manager typed. A style that no model accepts could not be used, so it is denied, with the
 * denial of the model that accepts most of its options.
 */
export function buildStyle(
	{ text, mediaType: givenType, model: typedModel, options }: StyleInput,
	models: readonly Model[],
): Style {
	const givenOptions = Object.entries(options).filter((entry): entry is [string, OptionValue] => entry[1] !== null);
	const candidates = models.filter(({ mediaType }) => givenType === null || mediaType === givenType);
	const model = typedModel === null ? undefined : findModel(candidates, typedModel);
	const mediaType = givenType ?? model?.mediaType ?? null;
	if (givenOptions.length === 0) return { text, mediaType, model: model?.id ?? null, options: {} };
	if (mediaType === null) throw new UserError({ key: "style.mediaTypeNeeded" });
	const supportedCount = (each: Model): number =>
		givenOptions.filter(([name, value]) => supportsOption(each, name, value)).length;
	const [closestModel] = (model ? [model] : candidates).toSorted((a, b) => supportedCount(b) - supportedCount(a));
	if (!closestModel) throw new UserError({ key: "request.noModel", params: { mediaType }, remedy: "help" });
	const checked = givenOptions.map(([name, value]) => [name, checkOption(closestModel, name, value)] as const);
	return { text, mediaType, model: model?.id ?? null, options: Object.fromEntries(checked) };
}

/** Creates a style from the options of a result, without its prompt. */
export function styleFromRequest(request: GenerationRequest, text: string): Style {
	const setOptions = STYLE_OPTIONS.map((name) => [name, request.options[name]] as const).filter(
		([, value]) => value !== undefined && value !== "" && !Array.isArray(value),
	);
	// A long negative prompt is cut, not denied: the member has not typed it for this style.
	const options = setOptions.map(([name, value]) => [
		name,
		typeof value === "string" ? value.slice(0, NEGATIVE_PROMPT_CHARS_MAX) : value,
	]);
	return {
		text,
		mediaType: request.mediaType,
		model: request.model,
		options: Object.fromEntries(options) as Style["options"],
	};
}

/** Merges the member's input with the defaults of the style. Throws a `UserError` if the model does not support an option of the style. */
export function applyStyle(style: NamedStyle | undefined, model: Model, input: GenerationInput): GenerationInput {
	if (!style) return input;
	const defaults = defaultsFor(style, input);
	for (const [option, value] of defaults) {
		if (supportsOption(model, option, value)) continue;
		const params = {
			style: style.name,
			option: nameOf(discordOptionName(option)),
			value: quote(String(value), VALUE_CHARS_MAX),
			model: model.name,
		};
		throw new UserError({ key: "style.optionNotSupported", params });
	}
	return { ...input, options: { ...input.options, ...Object.fromEntries(defaults) } };
}

/** Returns whether a model supports the options that the style would add to the member's input. */
export function isModelCompatible(style: NamedStyle | undefined, model: Model, input: GenerationInput): boolean {
	return style === undefined || defaultsFor(style, input).every(([name, value]) => supportsOption(model, name, value));
}

/** The denial of a style whose model the service no longer offers. */
export function styleModelGoneError({ name, model }: NamedStyle): UserError {
	return new UserError({ key: "style.modelGone", params: { style: name, model: quoteName(model ?? "") } });
}

/** Appends the style's text to the prompt. */
export function applyStyleText(style: NamedStyle | undefined, prompt: string): string {
	return style === undefined || style.text === "" ? prompt : `${prompt}, ${style.text}`;
}

/** Formats the model and the options of a style, each as a member would type it. */
export function formatStyleOptions(style: Style, locale: string): readonly string[] {
	const { model, options } = style;
	const modelEntry = model === null ? [] : [["model", model] as const];
	return [...modelEntry, ...Object.entries(options)].map(([option, value]) => {
		const params = { option: nameOf(discordOptionName(option)), value: quote(String(value), VALUE_CHARS_MAX) };
		return t(locale, { key: "style.option", params });
	});
}

/** Labels a style for autocomplete: its name and options, untranslated. */
export function styleChoiceLabel({ name, model, options }: NamedStyle, charsMax: number): string {
	const { [COUNT_OPTION]: count, ...others } = options;
	const all = [model, ...Object.values(others), count === undefined ? null : `×${count}`];
	const values = all.filter((value) => value !== null && typeof value !== "boolean");
	return values.length === 0 ? name : plainLine(`${name} — ${values.join(" · ")}`, charsMax);
}

/** Returns the options of the style that the member has not chosen. */
function defaultsFor({ options }: Style, input: GenerationInput): readonly (readonly [string, OptionValue])[] {
	return Object.entries(options).filter(([name]) => (input.options[name] ?? null) === null);
}
