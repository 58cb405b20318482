/** The reactions of a message: each is a button that adds or removes the user's own. */
import type { APIMessage } from "discord-api-types/v10";
import { useApp } from "./app-context.ts";
import { targetOf } from "./app.ts";
import type { MenuItem } from "./menu.tsx";
import { emojiPath, emojiText } from "./emoji-text.ts";

/** The reactions in the menu of a message. Others can be joined once someone has added them. */
const OFFERED = ["👍", "❤️", "😂", "🎉"] as const;

export function Reactions({ message }: { message: APIMessage }) {
	const { api, runAndReport } = useApp();
	const { reactions = [] } = message;
	if (reactions.length === 0) return null;
	return (
		<ul class="reactions" aria-label="Reactions">
			{reactions.map(({ emoji, count, me: isOwn }) => (
				<li key={emojiPath(emoji)}>
					<button
						type="button"
						class="button small reaction"
						aria-pressed={isOwn}
						aria-label={`${emojiText(emoji)}, ${count} ${count === 1 ? "reaction" : "reactions"}`}
						onClick={() => {
							const reaction = { ...targetOf(message), emoji: emojiPath(emoji) };
							runAndReport(isOwn ? api.unreact(reaction) : api.react(reaction));
						}}
					>
						<span aria-hidden="true">{emojiText(emoji)}</span> <span aria-hidden="true">{count}</span>
					</button>
				</li>
			))}
		</ul>
	);
}

/** The entries of a message's menu that add a reaction. */
export function reactionItems(react: (emoji: string) => void): readonly MenuItem[] {
	return OFFERED.map((emoji) => ({ name: `React with ${emoji}`, icon: "smile", run: () => react(emoji) }));
}
