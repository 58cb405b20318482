/** Messages, reactions, votes and threads of members, by the rules for the bot, and those of Discord's client. */
import { type APIMessage, ChannelType } from "discord-api-types/v10";
import { type BodyOf, DIRECT_CHANNEL } from "../page/page-contract.ts";
import { type Actor, requireHistory } from "../actions/channel-permissions.ts";
import { deleteMessage, editMessage, postMessage } from "../actions/messages.ts";
import { addReaction, removeReaction } from "../actions/reactions.ts";
import { startThread, startThreadFromMessage } from "../actions/threads.ts";
import { validateRequest } from "../schema/validator.ts";
import type { MessageBody } from "../simulator/build-message.ts";
import type { Channel, StoredMessage, Thread, User } from "../simulator/documents.ts";
import { InvalidInputError } from "./invalid-input.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { checkNotTimedOut, channelForUser, readableMessage } from "./user-access.ts";

export function createMemberMessages(simulator: Simulator) {
	const { channels, polls, attachments } = simulator;

	const channelOf = (user: User, channelId: string): Channel =>
		channelForUser(simulator, user, channelId === DIRECT_CHANNEL ? channels.openDirect(user.id).id : channelId);

	/** Returns the channel for a change that members in a timeout may not make. */
	function changeableChannelOf(user: User, channelId: string): Channel {
		const channel = channelOf(user, channelId);
		checkNotTimedOut(simulator, channel, user);
		return channel;
	}

	const actorOf = ({ id }: User): Actor => ({ simulator, actorId: id });

	/** Returns a message that others see, too: other messages can neither be answered nor get reactions or a thread. */
	function sharedMessage(user: User, channel: Channel, messageId: string): StoredMessage {
		const message = readableMessage(simulator, user, channel.id, messageId);
		if (message.visibleTo !== null) throw new InvalidInputError("Others cannot see this message.");
		return message;
	}

	return {
		say(user: User, { channelId, content, replyTo, files, poll }: BodyOf<"say">): Promise<APIMessage> {
			const channel = changeableChannelOf(user, channelId);
			const replied = replyTo === undefined ? undefined : sharedMessage(user, channel, replyTo);
			const reference = replied ? { message_id: replied.id } : null;
			const body = {
				...(poll && (validateRequest("MessageCreateRequest", { poll }) as MessageBody)),
				content: content.trim(),
				message_reference: reference,
			};
			const uploads = files.map((id) => attachments.uploadOf(id, user.id));
			return postMessage({ ...actorOf(user), body, files: [], uploads, sender: "user" }, channel);
		},
		editMessage(user: User, { channelId, messageId, content }: BodyOf<"editMessage">): Promise<APIMessage> {
			const channel = channelOf(user, channelId);
			const message = sharedMessage(user, channel, messageId);
			return editMessage(actorOf(user), channel, message, { content: content.trim() });
		},
		/** Members who manage messages may delete those of others. */
		deleteMessage(user: User, { channelId, messageId }: BodyOf<"deleteMessage">): void {
			const channel = channelOf(user, channelId);
			deleteMessage(actorOf(user), channel, sharedMessage(user, channel, messageId));
		},
		react(user: User, { channelId, messageId, emoji }: BodyOf<"react">): void {
			const channel = changeableChannelOf(user, channelId);
			requireHistory(actorOf(user), channel);
			addReaction(actorOf(user), channel, sharedMessage(user, channel, messageId), emoji);
		},
		unreact(user: User, { channelId, messageId, emoji }: BodyOf<"react">): void {
			const channel = channelOf(user, channelId);
			requireHistory(actorOf(user), channel);
			removeReaction(simulator, sharedMessage(user, channel, messageId), emoji, user.id);
		},
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
			const actor = actorOf(user);
			if (messageId === undefined) {
				const type = isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread;
				return startThread(actor, channel, { name, type });
			}
			if (isPrivate) throw new InvalidInputError("The thread of a message is public.");
			return startThreadFromMessage(actor, channel, sharedMessage(user, channel, messageId), { name });
		},
	};
}
