/** Messages, reactions, votes and threads of members, by the rules for the bot, and those of Discord's client. */
import assert from "node:assert/strict";
import { type APIMessage, ChannelType } from "discord-api-types/v10";
import { type BodyOf, DIRECT_CHANNEL } from "../page/page-contract.ts";
import { deleteMessage, editMessage, postMessage } from "../rest/handlers/channels.ts";
import * as reactions from "../rest/handlers/reactions.ts";
import * as threads from "../rest/handlers/threads.ts";
import type { ActorRequest } from "../rest/route.ts";
import type { Channel, Thread, User } from "../simulator/documents.ts";
import { InvalidInputError } from "./invalid-input.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { checkNotTimedOut, readableChannel, readableMessage } from "./user-access.ts";

export function createMemberMessages(simulator: Simulator) {
	const { channels, polls, attachments } = simulator;

	const channelOf = (user: User, channelId: string): Channel =>
		readableChannel(simulator, user, channelId === DIRECT_CHANNEL ? channels.openDirect(user.id).id : channelId);

	/** Returns the channel for a change that members in a timeout may not make. */
	function changeableChannelOf(user: User, channelId: string): Channel {
		const channel = channelOf(user, channelId);
		checkNotTimedOut(simulator, channel, user);
		return channel;
	}

	/** The same request of the bot, but with this user as its actor. */
	function requestOf(
		user: User,
		{ messageId = "", emoji = "" }: { readonly messageId?: string | undefined; readonly emoji?: string },
		body: object = {},
	): ActorRequest {
		const params = new Map([
			["message", messageId],
			["emoji", emoji],
			["userOrMe", user.id],
		]);
		const param = (name: string): string => {
			const value = params.get(name);
			assert(value !== undefined, `no parameter ${name}`);
			return value;
		};
		return { simulator, actorId: user.id, param, body, files: [] };
	}

	/** A message that only this user sees can neither be answered nor get reactions or a thread. */
	function checkSharedMessage(user: User, channel: Channel, messageId: string): void {
		const { visibleTo } = readableMessage(simulator, user, channel.id, messageId);
		if (visibleTo !== null) throw new InvalidInputError("Others cannot see this message.");
	}

	return {
		say(user: User, { channelId, content, replyTo, files, poll }: BodyOf<"say">): Promise<APIMessage> {
			const channel = changeableChannelOf(user, channelId);
			if (replyTo !== undefined) checkSharedMessage(user, channel, replyTo);
			const reference = replyTo === undefined ? null : { message_id: replyTo };
			const body = { content: content.trim(), poll: poll ?? null, message_reference: reference };
			const uploads = files.map((id) => attachments.uploadOf(id, user.id));
			return postMessage({ ...requestOf(user, {}), body, uploads, sender: "user" }, channel);
		},
		editMessage: (user: User, { channelId, content, ...target }: BodyOf<"editMessage">): Promise<APIMessage> =>
			editMessage(requestOf(user, target, { content: content.trim() }), channelOf(user, channelId)),
		/** Members who manage messages may delete those of others. */
		deleteMessage: (user: User, { channelId, ...target }: BodyOf<"deleteMessage">): void =>
			deleteMessage(requestOf(user, target), channelOf(user, channelId)),
		react(user: User, { channelId, ...target }: BodyOf<"react">): void {
			const channel = changeableChannelOf(user, channelId);
			checkSharedMessage(user, channel, target.messageId);
			reactions.add(requestOf(user, target), channel);
		},
		unreact: (user: User, { channelId, ...target }: BodyOf<"react">): void =>
			reactions.remove(requestOf(user, target), channelOf(user, channelId)),
		/** Replaces the user's votes in a poll. An empty list takes them back. */
		vote(user: User, { channelId, messageId, answers }: BodyOf<"vote">): void {
			const channel = changeableChannelOf(user, channelId);
			const message = readableMessage(simulator, user, channel.id, messageId);
			const { poll } = message;
			if (!poll) throw new InvalidInputError("This message has no poll.");
			if (poll.isFinalized) throw new InvalidInputError("This poll has ended.");
			const chosen = new Set(answers);
			if (chosen.size > 1 && !poll.allow_multiselect) throw new InvalidInputError("This poll allows one answer.");
			if (answers.some((answer) => answer < 1 || answer > poll.answers.length))
				throw new InvalidInputError("The poll has no such answer.");
			polls.vote(message, poll, user.id, chosen);
		},
		startThread(user: User, { channelId, messageId, name, isPrivate }: BodyOf<"startThread">): Thread {
			const channel = changeableChannelOf(user, channelId);
			if (messageId !== undefined && isPrivate) throw new InvalidInputError("The thread of a message is public.");
			if (messageId !== undefined) checkSharedMessage(user, channel, messageId);
			const type = isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
			const request = requestOf(user, { messageId }, { name, type });
			return messageId === undefined ? threads.start(request, channel) : threads.startFromMessage(request, channel);
		},
	};
}
