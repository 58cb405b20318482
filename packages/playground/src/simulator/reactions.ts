/** Reactions to messages. The caller resolves the emoji. */
import type { StoredMessage, StoredReaction } from "./documents.ts";
import { isSameEmoji } from "./emojis.ts";
import type { Messages } from "./messages.ts";
import type { Core } from "./core.ts";

export const REACTIONS_MAX = 20;

export function findReaction({ reactions }: StoredMessage, emoji: string): StoredReaction | undefined {
	return reactions.find(({ emoji: known }) => isSameEmoji(known, emoji));
}

export function createReactions({ events }: Core, messages: Messages) {
	/** Replaces the reaction `known` of the message, or adds `changed`; one without users is removed. */
	function replace(message: StoredMessage, known: StoredReaction | undefined, changed: StoredReaction): StoredMessage {
		const reactions = known
			? message.reactions.map((reaction) => (reaction === known ? changed : reaction))
			: [...message.reactions, changed];
		return messages.replaceSilently(message, { reactions: reactions.filter(({ userIds }) => userIds.length > 0) });
	}

	return {
		/** Adds the reaction of a user, once. The caller checks the emoji, the limit and the permissions. */
		add(message: StoredMessage, typed: string, userId: string): void {
			const known = findReaction(message, typed);
			const { emoji, userIds } = known ?? { emoji: typed, userIds: [] };
			if (userIds.includes(userId)) return;
			const target = replace(message, known, { emoji, userIds: [...userIds, userId] });
			events.emit({ type: "reactionAdd", target, emoji, userId });
		},
		remove(message: StoredMessage, typed: string, userId: string): void {
			const known = findReaction(message, typed);
			if (!known?.userIds.includes(userId)) return;
			const { emoji, userIds } = known;
			const target = replace(message, known, { emoji, userIds: userIds.filter((id) => id !== userId) });
			events.emit({ type: "reactionRemove", target, emoji, userId });
		},
		removeEmoji(message: StoredMessage, typed: string): void {
			const known = findReaction(message, typed);
			if (!known) return;
			const target = replace(message, known, { ...known, userIds: [] });
			events.emit({ type: "reactionRemoveEmoji", target, emoji: known.emoji });
		},
		removeAll(message: StoredMessage): void {
			const target = messages.replaceSilently(message, { reactions: [] });
			events.emit({ type: "reactionRemoveAll", target });
		},
	};
}
