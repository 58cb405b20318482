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

/** The text of an emoji. The playground has no images of custom ones. */
export function emojiText({ id, name }: EmojiName): string {
	return id ? `:${name}:` : (name ?? "");
}
