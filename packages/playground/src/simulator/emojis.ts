/** Unicode emoji, and custom ones, which paths and documents name `name:id`, or `a:name:id` if they are animated. */
import type { APIPartialEmoji } from "discord-api-types/v10";

/** Makes a character an emoji that is text by default. Clients send some emoji without it. */
const EMOJI_STYLE = "\u{FE0F}";
/** Discord also has the letters from which flags are composed. */
const UNICODE = /^(?:\p{RGI_Emoji}|[\u{1F1E6}-\u{1F1FF}])$/v;
const CUSTOM = /^(a:)?(\w+):(\d{17,20})$/;

export function isUnicodeEmoji(text: string): boolean {
	return UNICODE.test(text) || UNICODE.test(`${text}${EMOJI_STYLE}`);
}

/** Returns whether both name the same emoji: a custom one by its id. */
export function isSameEmoji(one: string, other: string): boolean {
	return identityOf(one) === identityOf(other);
}

function identityOf(text: string): string {
	return CUSTOM.exec(text)?.[3] ?? text.replaceAll(EMOJI_STYLE, "");
}

/** Returns whether this is an emoji. Each custom one counts as known: bots bring the ids of emoji on Discord. */
export function isEmoji(text: string): boolean {
	return isUnicodeEmoji(text) || CUSTOM.test(text);
}

/** The object of an emoji in reactions and polls. */
export function toPartialEmoji(text: string): APIPartialEmoji {
	const [, animated, name = "", id = ""] = CUSTOM.exec(text) ?? [];
	if (id === "") return { id: null, name: text };
	return { id, name, ...(animated !== undefined && { animated: true }) };
}
