/** Reactions to messages. To remove those of others needs the permission to manage messages. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel, StoredMessage, StoredReaction } from "../../simulator/documents.ts";
import { isEmoji, isSameEmoji } from "../../simulator/emojis.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { pageOfUsers } from "../read-request.ts";
import type { Actor, RestRequest } from "../route.ts";
import { historyMessageOf, requireChannelPermission } from "./channels.ts";
import { requireMayPost, requireNotArchived } from "./posting.ts";

const REACTIONS_MAX = 20;
/** A super reaction, which bots cannot add. */
const BURST = "1";

/** Returns the reaction with this emoji: a new one without users if the message has none. */
function reactionOf({ reactions }: StoredMessage, emoji: string): StoredReaction {
	if (!isEmoji(emoji)) throw apiErrors.unknownEmoji();
	return reactions.find((reaction) => isSameEmoji(reaction.emoji, emoji)) ?? { emoji, userIds: [] };
}

/** Replaces the users of a reaction, which is removed without any. The caller emits the event. */
function replaceUsers(
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

export function add(request: RestRequest, channel: Channel): void {
	addReaction(request, channel, historyMessageOf(request, channel), request.param("emoji"));
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

export function remove(request: RestRequest, channel: Channel): void {
	const message = historyMessageOf(request, channel);
	const userId = request.param("userOrMe");
	if (userId !== request.actorId) {
		requireChannelPermission(request, channel, PermissionFlagsBits.ManageMessages);
		if (!request.simulator.members.find(userId)) throw apiErrors.unknownUser();
	}
	removeReaction(request.simulator, message, request.param("emoji"), userId);
}

export function removeReaction(simulator: Simulator, message: StoredMessage, typed: string, userId: string): void {
	const reaction = reactionOf(message, typed);
	const { emoji, userIds } = reaction;
	if (!userIds.includes(userId)) return;
	const others = userIds.filter((id) => id !== userId);
	const target = replaceUsers(simulator, message, reaction, others);
	simulator.events.emit({ type: "reactionRemove", target, emoji, userId });
}

export function list(request: RestRequest, channel: Channel): object {
	const { userIds } = reactionOf(historyMessageOf(request, channel), request.param("emoji"));
	return pageOfUsers(request, request.query.get("type") === BURST ? [] : userIds);
}

export function removeEmoji(request: RestRequest, channel: Channel): void {
	const { simulator } = request;
	const message = historyMessageOf(request, channel);
	const reaction = reactionOf(message, request.param("emoji"));
	if (reaction.userIds.length === 0) return;
	const target = replaceUsers(simulator, message, reaction, []);
	simulator.events.emit({ type: "reactionRemoveEmoji", target, emoji: reaction.emoji });
}

export function removeAll(request: RestRequest, channel: Channel): void {
	const { messages, events } = request.simulator;
	const target = messages.replaceSilently(historyMessageOf(request, channel), { reactions: [] });
	events.emit({ type: "reactionRemoveAll", target });
}
