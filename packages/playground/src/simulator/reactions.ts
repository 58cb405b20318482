/** Reactions to messages. The caller resolves the emoji. */
import type { StoredMessage, StoredReaction } from "./documents.ts";
import { isSameEmoji } from "./emojis.ts";
import type { Messages } from "./messages.ts";
import type { Core } from "./simulator-state.ts";

export const REACTIONS_MAX = 20;

export function findReaction({ reactions }: StoredMessage, emoji: string): StoredReaction | undefined {
	return reactions.find(({ emoji: known }) => isSameEmoji(known, emoji));
}

export function createReactions({ events }: Core, messages: Messages) {
	return {
		/** Adds the reaction of a user, once. The caller checks the emoji, the limit and the permissions. */
		add(message: StoredMessage, emoji: string, userId: string): void {
			const known = findReaction(message, emoji);
			if (known?.userIds.includes(userId)) return;
			const changed = { emoji: known?.emoji ?? emoji, userIds: [...(known?.userIds ?? []), userId] };
			const reactions = known
				? message.reactions.map((reaction) => (reaction === known ? changed : reaction))
				: [...message.reactions, changed];
			const target = messages.change(message, { reactions });
			events.emit({ type: "reactionAdd", target, emoji: changed.emoji, userId });
		},
		remove(message: StoredMessage, emoji: string, userId: string): void {
			const known = findReaction(message, emoji);
			if (!known?.userIds.includes(userId)) return;
			const reactions = message.reactions
				.map((reaction) =>
					reaction === known ? { ...known, userIds: known.userIds.filter((id) => id !== userId) } : reaction,
				)
				.filter(({ userIds }) => userIds.length > 0);
			const target = messages.change(message, { reactions });
			events.emit({ type: "reactionRemove", target, emoji: known.emoji, userId });
		},
		removeEmoji(message: StoredMessage, emoji: string): void {
			const known = findReaction(message, emoji);
			if (!known) return;
			const reactions = message.reactions.filter((reaction) => reaction !== known);
			const target = messages.change(message, { reactions });
			events.emit({ type: "reactionRemoveEmoji", target, emoji: known.emoji });
		},
		removeAll(message: StoredMessage): void {
			const target = messages.change(message, { reactions: [] });
			events.emit({ type: "reactionRemoveAll", target });
		},
	};
}
