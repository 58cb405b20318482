/** The styles of a server: text appended to a prompt, and default options, by name. No I/O. */
import type { MediaType } from "@atelier/media-protocol/model";
import { enumerate, plainLine, quote } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX, STYLES_MAX } from "@atelier/dashboard/limits";
import { hasOptions, isStyleName, type Style } from "./settings-schema.ts";

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
