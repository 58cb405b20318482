/** Reactions to messages. To remove those of others needs the permission to manage messages. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel, StoredMessage } from "../../simulator/documents.ts";
import { isEmoji } from "../../simulator/emojis.ts";
import { requireMayPost, requireNotArchived } from "./posting.ts";
import { findReaction, REACTIONS_MAX } from "../../simulator/reactions.ts";
import { pageOfUsers } from "../read-request.ts";
import type { ActorRequest, RestRequest } from "../route.ts";
import { historyMessageOf, requireChannelPermission } from "./channels.ts";

/** A super reaction, which bots cannot add. */
const BURST = "1";

function targetOf(request: ActorRequest, channel: Channel): { message: StoredMessage; emoji: string } {
	const message = historyMessageOf(request, channel);
	const emoji = request.param("emoji");
	if (!isEmoji(emoji)) throw apiErrors.unknownEmoji();
	return { message, emoji };
}

export function add(request: ActorRequest, channel: Channel): void {
	const { message, emoji } = targetOf(request, channel);
	requireNotArchived(channel);
	const { simulator, actorId } = request;
	const isNew = !findReaction(message, emoji);
	requireMayPost(request, channel, { reaction: isNew });
	if (isNew && message.reactions.length >= REACTIONS_MAX) throw apiErrors.tooManyReactions();
	simulator.reactions.add(message, emoji, actorId);
}

export function remove(request: ActorRequest, channel: Channel): void {
	const { message, emoji } = targetOf(request, channel);
	const { reactions, members } = request.simulator;
	const userId = request.param("userOrMe");
	if (userId !== request.actorId) {
		requireChannelPermission(request, channel, PermissionFlagsBits.ManageMessages);
		if (!members.find(userId)) throw apiErrors.unknownUser();
	}
	reactions.remove(message, emoji, userId);
}

export function list(request: RestRequest, channel: Channel): object {
	const { message, emoji } = targetOf(request, channel);
	const userIds = request.query.get("type") === BURST ? [] : (findReaction(message, emoji)?.userIds ?? []);
	return pageOfUsers(request, userIds);
}

export function removeEmoji(request: RestRequest, channel: Channel): void {
	const { message, emoji } = targetOf(request, channel);
	request.simulator.reactions.removeEmoji(message, emoji);
}

export function removeAll(request: RestRequest, channel: Channel): void {
	request.simulator.reactions.removeAll(historyMessageOf(request, channel));
}
