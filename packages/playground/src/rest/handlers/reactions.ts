/** Reactions to messages. Those of others, and all at once, need the permission to manage messages. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { StoredMessage } from "../../simulator/documents.ts";
import { isEmoji } from "../../simulator/emojis.ts";
import { findReaction, REACTIONS_MAX } from "../../simulator/reactions.ts";
import { pageOfUsers } from "../read-request.ts";
import type { RestRequest } from "../route.ts";
import {
	channelOf,
	historyMessageOf,
	requireChannelPermission,
	requireMayPost,
	requireNotArchived,
} from "./channels.ts";

/** A super reaction, which bots cannot add. */
const BURST = "1";

function targetOf(request: RestRequest): { message: StoredMessage; emoji: string } {
	const message = historyMessageOf(request);
	const emoji = request.param("emoji");
	if (!isEmoji(emoji)) throw apiErrors.unknownEmoji();
	return { message, emoji };
}

export function add(request: RestRequest): void {
	const { message, emoji } = targetOf(request);
	const channel = channelOf(request);
	requireNotArchived(channel);
	const { reactions, members } = request.simulator;
	const isNew = !findReaction(message, emoji);
	requireMayPost(request, channel, { reaction: isNew });
	if (isNew && message.reactions.length >= REACTIONS_MAX) throw apiErrors.tooManyReactions();
	reactions.add(message, emoji, members.bot.id);
}

export function removeOwn(request: RestRequest): void {
	const { message, emoji } = targetOf(request);
	request.simulator.reactions.remove(message, emoji, request.simulator.members.bot.id);
}

export function removeOfUser(request: RestRequest): void {
	const { message, emoji } = targetOf(request);
	const { reactions, members } = request.simulator;
	const userId = request.param("user");
	if (userId !== members.bot.id) {
		requireChannelPermission(request, PermissionFlagsBits.ManageMessages);
		if (!members.find(userId)) throw apiErrors.unknownUser();
	}
	reactions.remove(message, emoji, userId);
}

export function list(request: RestRequest): object {
	const { message, emoji } = targetOf(request);
	const userIds = request.query.get("type") === BURST ? [] : (findReaction(message, emoji)?.userIds ?? []);
	return pageOfUsers(request, userIds);
}

export function removeEmoji(request: RestRequest): void {
	const { message, emoji } = targetOf(request);
	requireChannelPermission(request, PermissionFlagsBits.ManageMessages);
	request.simulator.reactions.removeEmoji(message, emoji);
}

export function removeAll(request: RestRequest): void {
	const message = historyMessageOf(request);
	requireChannelPermission(request, PermissionFlagsBits.ManageMessages);
	request.simulator.reactions.removeAll(message);
}
