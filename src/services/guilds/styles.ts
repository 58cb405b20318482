/** Styles of a server: words that members can have added to a prompt by a name. Pure. */
import type { MediaType } from "../generation/model.ts";
import type { Order } from "../generation/order.ts";
import { enumerate, plainLine, quote } from "../messages/quote.ts";
import { UserError } from "../user-error.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX, STYLES_MAX, isStyleName } from "./settings-schema.ts";

type Styles = GuildSettings["styles"];
type Style = Styles[string];

export function addStyle(settings: GuildSettings, typedName: string, style: Style): GuildSettings {
	const name = typedName.normalize("NFC").trim();
	if (!isStyleName(name))
		throw new UserError({ key: "styleNameImpossible", params: { charsMax: STYLE_NAME_CHARS_MAX } });
	const text = plainLine(style.text, STYLE_CHARS_MAX);
	if (text === "") throw new UserError({ key: "styleEmpty" });
	const before = nameOf(settings.styles, name);
	if (before === undefined && Object.keys(settings.styles).length >= STYLES_MAX) {
		throw new UserError({ key: "tooManyStyles", params: { stylesMax: STYLES_MAX } });
	}
	return { ...settings, styles: { ...without(settings.styles, before), [name]: { ...style, text } } };
}

export function removeStyle(settings: GuildSettings, typedName: string): GuildSettings {
	const name = nameOf(settings.styles, typedName);
	if (name === undefined) throw unknownStyle(settings.styles, typedName);
	return { ...settings, styles: without(settings.styles, name) };
}

/** Names of those for a medium, by what is typed of them: those that begin with it first. */
export function stylesLike({ styles }: GuildSettings, mediaType: MediaType | null, typed: string): readonly string[] {
	const text = fold(typed);
	const names = Object.entries(styles)
		.filter(([name, { medium }]) => isFor(medium, mediaType) && fold(name).includes(text))
		.map(([name]) => name);
	const begins = (name: string): boolean => fold(name).startsWith(text);
	return [...names.filter((name) => begins(name)), ...names.filter((name) => !begins(name))];
}

/** The order with the style's words behind the prompt; refuses by name what this server does not have for that medium. */
export function withStyle(order: Order, { styles }: GuildSettings, typedName: string | null): Order {
	if (typedName === null) return order;
	const name = nameOf(styles, typedName);
	const style = name === undefined ? undefined : styles[name];
	const forMedium = Object.fromEntries(
		Object.entries(styles).filter(([, { medium }]) => isFor(medium, order.mediaType)),
	);
	if (!style || !isFor(style.medium, order.mediaType)) throw unknownStyle(forMedium, typedName);
	return { ...order, prompt: `${order.prompt}, ${style.text}` };
}

function isFor(medium: MediaType | null, mediaType: MediaType | null): boolean {
	return medium === null || mediaType === null || medium === mediaType;
}

function unknownStyle(styles: Styles, typed: string): UserError {
	const names = Object.keys(styles);
	const style = quote(typed, STYLE_NAME_CHARS_MAX);
	if (names.length === 0) return new UserError({ key: "noStyles", params: { style } });
	return new UserError({ key: "styleUnknown", params: { style, known: enumerate(names) } });
}

/** As it is spelled here, however somebody writes it. */
function nameOf(styles: Styles, typed: string): string | undefined {
	return Object.keys(styles).find((name) => fold(name) === fold(typed));
}

function fold(name: string): string {
	return name.normalize("NFC").trim().toLowerCase();
}

function without(styles: Styles, name: string | undefined): Styles {
	return Object.fromEntries(Object.entries(styles).filter(([each]) => each !== name));
}
