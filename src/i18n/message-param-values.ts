/** Parts of messages that are formatted later, in the language of the reader. */
import type { MediaType } from "@atelier/media-protocol/model";
import en from "./locales/en.json" with { type: "json" };
import type { CommandWord, MessageDescriptor, Text } from "./message-descriptor.ts";

export const channelMention = (id: string): string => `<#${id}>`;
export const roleMention = (id: string): string => `<@&${id}>`;
export const memberMention = (id: string): string => `<@${id}>`;
export const messageLink = (guildId: string, channelId: string, messageId: string): string =>
	`https://discord.com/channels/${guildId}/${channelId}/${messageId}`;

/** Converts to the seconds of Discord's timestamps, rounded up: never earlier than the time itself. */
export function toTimestampS(timeMs: number): number {
	return Math.ceil(timeMs / 1000);
}

/** Returns the first items, and the number of the rest as the last item. */
export function shortList<Item extends Text>(
	items: readonly Item[],
	itemsMax: number,
): readonly (Item | MessageDescriptor)[] {
	const hiddenCount = items.length - itemsMax;
	return hiddenCount > 0 ? [...items.slice(0, itemsMax), { key: "list.more", params: { count: hiddenCount } }] : items;
}

/** Names a command or option. Options without a name in the messages keep the name that the service gave them. */
export function nameOf(word: string): Text {
	return isWord(word) ? ({ key: `name.${word}` } as MessageDescriptor) : word;
}

function isWord(word: string): word is CommandWord {
	return Object.hasOwn(en, `name.${word}`);
}

/** Names a media type in a list: "images". */
export function mediaTypeName(mediaType: MediaType): MessageDescriptor {
	return { key: `mediaTypes.${mediaType}` };
}
