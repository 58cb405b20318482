/** The forms of an emoji as text. */
export interface EmojiName {
	/** Absent for a Unicode emoji. */
	readonly id?: string | null | undefined;
	readonly name?: string | null | undefined;
}

/** The form of an emoji in requests: the character itself, or `name:id`. */
export function emojiPath({ id, name }: EmojiName): string {
	return id ? `${name}:${id}` : (name ?? "");
}

/** The text of an emoji for labels and for custom emoji that the open guild does not have. */
export function emojiText({ id, name }: EmojiName): string {
	return id ? `:${name}:` : (name ?? "");
}

/** Replaces `:name:` by the custom emoji of this name, as Discord's client does when a message is sent. */
export function withCustomEmoji(
	content: string,
	emojis: readonly { readonly id: string; readonly name: string }[],
): string {
	return content.replaceAll(/<a?:\w+:\d+>|:(\w+):/g, (typed, name: string | undefined) => {
		const found = emojis.find((emoji) => emoji.name === name);
		return found ? `<:${found.name}:${found.id}>` : typed;
	});
}
