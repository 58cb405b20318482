/** The styles of a server: text appended to a prompt, and default options. The member's own choices come before them. No I/O. */
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX, STYLES_MAX } from "@atelier/dashboard/limits";
import { STYLE_OPTIONS } from "@atelier/dashboard/server-settings";
import {
	COUNT_OPTION,
	discordOptionName,
	type MediaType,
	type Model,
	type OptionValue,
} from "@atelier/media-protocol/model";
import { nameOf } from "../../i18n/message-param-values.ts";
import { t } from "../../i18n/messages.ts";
import { enumerate, plainLine, quote, quoteName } from "../../i18n/quote.ts";
import { findModel, knownModels, type ModelCatalog } from "../generation/model-catalog.ts";
import {
	checkOption,
	takesPrompt,
	supportsOption,
	type GenerationRequest,
	type GenerationInput,
} from "../generation/request.ts";
import { UserError } from "../user-error.ts";
import {
	type GuildSettings,
	hasOptions,
	isStyleName,
	NEGATIVE_PROMPT_CHARS_MAX,
	type Style,
} from "./guild-settings.ts";

const VALUE_CHARS_MAX = 60;

type Styles = GuildSettings["styles"];
/** A style with its name as it was created. */
export interface NamedStyle extends Style {
	readonly name: string;
}

/** Adds a style, or replaces the one with the same name. */
export function addStyle(settings: GuildSettings, typed: string, style: Style): GuildSettings {
	const name = typed.normalize("NFC").trim();
	if (!isStyleName(name)) throw new UserError({ key: "style.nameInvalid", params: { charsMax: STYLE_NAME_CHARS_MAX } });
	const text = plainLine(style.text, STYLE_CHARS_MAX);
	if (text === "" && !hasOptions(style)) throw new UserError({ key: "style.empty" });
	const before = storedNameOf(settings.styles, name);
	if (before === undefined && Object.keys(settings.styles).length >= STYLES_MAX) {
		throw new UserError({ key: "style.tooMany", params: { stylesMax: STYLES_MAX } });
	}
	return { ...settings, styles: { ...without(settings.styles, before), [name]: { ...style, text } } };
}

export function removeStyle(settings: GuildSettings, typed: string): GuildSettings {
	const name = storedNameOf(settings.styles, typed);
	if (name === undefined) {
		const hasNone = Object.keys(settings.styles).length === 0;
		throw hasNone ? new UserError({ key: "style.listEmpty" }) : unknownStyleError(settings.styles, typed);
	}
	return { ...settings, styles: without(settings.styles, name) };
}

/** Finds styles for a media type by part of their name; those that begin with it come first. */
export function searchStyles(
	{ styles }: GuildSettings,
	mediaType: MediaType | null,
	typed: string,
): readonly NamedStyle[] {
	const text = fold(typed);
	const found = Object.entries(styles)
		.filter(([name, style]) => appliesTo(style, mediaType) && fold(name).includes(text))
		.map(([name, style]) => ({ name, ...style }));
	const isPrefixMatch = ({ name }: NamedStyle): boolean => fold(name).startsWith(text);
	return [...found.filter((each) => isPrefixMatch(each)), ...found.filter((each) => !isPrefixMatch(each))];
}

/** Finds a style by name, if it applies to the media type; `null` for any type. */
export function findStyle(
	{ styles }: GuildSettings,
	mediaType: MediaType | null,
	typed: string,
): NamedStyle | undefined {
	const name = storedNameOf(styles, typed);
	const style = name === undefined ? undefined : styles[name];
	return name !== undefined && style && appliesTo(style, mediaType) ? { name, ...style } : undefined;
}

/** Finds a style as `findStyle` does, or throws a denial that names the missing one. */
export function requireStyle(settings: GuildSettings, mediaType: MediaType | null, typed: string): NamedStyle {
	const found = findStyle(settings, mediaType, typed);
	if (found) return found;
	const forMediaType = Object.entries(settings.styles).filter(([, style]) => appliesTo(style, mediaType));
	throw unknownStyleError(Object.fromEntries(forMediaType), typed);
}

function appliesTo(style: Pick<Style, "mediaType">, mediaType: MediaType | null): boolean {
	return style.mediaType === null || mediaType === null || style.mediaType === mediaType;
}

function unknownStyleError(styles: Styles, typed: string): UserError {
	const names = Object.keys(styles);
	const style = quote(typed, STYLE_NAME_CHARS_MAX);
	if (names.length === 0) return new UserError({ key: "style.noneHere", params: { style } });
	return new UserError({ key: "style.unknown", params: { style, known: enumerate(names) } });
}

/** Returns the stored spelling of a name, ignoring case; `undefined` if no style has the name. */
function storedNameOf(styles: Styles, typed: string): string | undefined {
	return Object.keys(styles).find((name) => fold(name) === fold(typed));
}

function fold(name: string): string {
	return name.normalize("NFC").trim().toLowerCase();
}

function without(styles: Styles, name: string | undefined): Styles {
	return Object.fromEntries(Object.entries(styles).filter(([each]) => each !== name));
}

/** Returns the models that a style may use; `null` for those of all media types. */
export function modelsForStyles(catalog: Pick<ModelCatalog, "known">, mediaType: MediaType | null): readonly Model[] {
	return knownModels(catalog).filter(
		(model) => takesPrompt(model) && (mediaType === null || model.mediaType === mediaType),
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
			model: quoteName(model.name),
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
