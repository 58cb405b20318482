/** Reactions to messages. To remove those of others needs the permission to manage messages. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { requireChannelPermission } from "../../actions/channel-permissions.ts";
import { addReaction, reactionOf, removeReaction, replaceUsers } from "../../actions/reactions.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel } from "../../simulator/documents.ts";
import { pageOfUsers } from "../read-request.ts";
import type { RestRequest } from "../route.ts";
import { historyMessageOf } from "./messages.ts";

/** A super reaction, which bots cannot add. */
const BURST = "1";

export function add(request: RestRequest, channel: Channel): void {
	addReaction(request, channel, historyMessageOf(request, channel), request.param("emoji"));
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
