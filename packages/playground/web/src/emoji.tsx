/** A Unicode emoji, or the image of a custom one. */
import { usePage } from "./app-context.ts";
import { type EmojiName, emojiText } from "./emoji-text.ts";

export function Emoji({ emoji }: { emoji: EmojiName }) {
	const found = usePage().emojis.find(({ id }) => id === emoji.id);
	const text = emojiText(emoji);
	if (!found) return text;
	return <img class="emoji" src={`/playground/media/emojis/${found.id}/${found.name}`} alt={text} title={text} />;
}
