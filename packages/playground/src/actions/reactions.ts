/** Reactions of the bot and of members. */
import { apiErrors } from "../simulator/api-error.ts";
import type { Channel, StoredMessage, StoredReaction } from "../simulator/documents.ts";
import { isEmoji, isSameEmoji } from "../simulator/emojis.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type Actor, requireMayPost, requireNotArchived } from "./channel-permissions.ts";

const REACTIONS_MAX = 20;

/** Returns the reaction with this emoji: a new one without users if the message has none. */
export function reactionOf({ reactions }: StoredMessage, emoji: string): StoredReaction {
	if (!isEmoji(emoji)) throw apiErrors.unknownEmoji();
	return reactions.find((reaction) => isSameEmoji(reaction.emoji, emoji)) ?? { emoji, userIds: [] };
}

/** Replaces the users of a reaction, which is removed without any. The caller emits the event. */
export function replaceUsers(
	{ messages }: Simulator,
	message: StoredMessage,
	{ emoji }: StoredReaction,
	userIds: readonly string[],
): StoredMessage {
	const isKnown = message.reactions.some((reaction) => reaction.emoji === emoji);
	const all = isKnown ? message.reactions : [...message.reactions, { emoji, userIds }];
	const changed = all.map((reaction) => (reaction.emoji === emoji ? { emoji, userIds } : reaction));
	return messages.replaceSilently(message, { reactions: changed.filter((reaction) => reaction.userIds.length > 0) });
}

/** Adds the reaction of the bot or of a member, once. */
export function addReaction(actor: Actor, channel: Channel, message: StoredMessage, typed: string): void {
	const { simulator, actorId: userId } = actor;
	const reaction = reactionOf(message, typed);
	const { emoji, userIds } = reaction;
	requireNotArchived(channel);
	const isNew = userIds.length === 0;
	requireMayPost(actor, channel, { reaction: isNew });
	if (isNew && message.reactions.length >= REACTIONS_MAX) throw apiErrors.tooManyReactions();
	if (userIds.includes(userId)) return;
	const target = replaceUsers(simulator, message, reaction, [...userIds, userId]);
	simulator.events.emit({ type: "reactionAdd", target, emoji, userId });
}

export function removeReaction(simulator: Simulator, message: StoredMessage, typed: string, userId: string): void {
	const reaction = reactionOf(message, typed);
	const { emoji, userIds } = reaction;
	if (!userIds.includes(userId)) return;
	const others = userIds.filter((id) => id !== userId);
	const target = replaceUsers(simulator, message, reaction, others);
	simulator.events.emit({ type: "reactionRemove", target, emoji, userId });
}
