/** Plain messages of members, by the rules of Discord's client. */
import { MessageType, PermissionFlagsBits as Permission } from "discord-api-types/v10";
import {
	DIRECT_CHANNEL,
	type MessageEditRequest,
	type MessageRequest,
	type MessageTarget,
	type PollVoteRequest,
	type ReactionRequest,
	type ThreadRequest,
} from "../page/page-contract.ts";
import { pollErrors } from "../schema/poll-validation.ts";
import type { Channel, StoredAttachment, StoredMessage, StoredPoll, Thread, User } from "../simulator/documents.ts";
import { isEmoji } from "../simulator/emojis.ts";
import { findMentions, withRepliedAuthor } from "../simulator/mentions.ts";
import { blankMessage } from "../simulator/messages.ts";
import { newPoll } from "../simulator/polls.ts";
import { type PostingParts, type PostingProblem, postingProblem } from "../simulator/posting.ts";
import { findReaction, REACTIONS_MAX } from "../simulator/reactions.ts";
import { InvalidInputError } from "./invalid-input.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { checkNotArchived, checkNotTimedOut, readableChannel, readableMessage } from "./user-access.ts";
import { lengthProblem } from "./value-limits.ts";

const CONTENT_CHARS_MAX = 2_000;
const PROBLEMS: Readonly<Record<PostingProblem, string>> = {
	write: "You may not write in this channel.",
	files: "You may not send files in this channel.",
	embeds: "You may not send embeds in this channel.",
	poll: "You may not send polls in this channel.",
	history: "You may not read the history of this channel.",
	reaction: "You may not add reactions in this channel.",
	publicThread: "You may not start threads in this channel.",
	privateThread: "You may not start private threads in this channel.",
	locked: "This thread is locked.",
};

export function createMemberMessages(simulator: Simulator) {
	const { channels, members, messages, reactions, polls, threads, attachments, clock } = simulator;

	const channelOf = (user: User, channelId: string): Channel =>
		readableChannel(simulator, user, channelId === DIRECT_CHANNEL ? channels.openDirect(user.id).id : channelId);

	function checkMayPost(user: User, channel: Channel, parts: PostingParts): void {
		checkNotTimedOut(simulator, channel, user);
		const problem = postingProblem(channel, channels.permissionsIn(channel, user.id), parts);
		if (problem) throw new InvalidInputError(PROBLEMS[problem]);
	}

	const messageOf = (user: User, channel: Channel, messageId: string): StoredMessage =>
		readableMessage(simulator, user, channel.id, messageId);

	function claimFiles(user: User, uploadIds: readonly string[]): StoredAttachment[] {
		return uploadIds.map((id) => {
			const file = attachments.claim(id, user.id);
			if (!file) throw new InvalidInputError("The file was not uploaded, or is in another message.");
			return file;
		});
	}

	function startPoll(body: NonNullable<MessageRequest["poll"]>): StoredPoll {
		const [error] = pollErrors(body);
		if (error) throw new InvalidInputError(`${error.path.join(".")}: ${error.message}`);
		try {
			return newPoll(body, clock.nowMs());
		} catch (cause) {
			throw new InvalidInputError("Invalid emoji.", { cause });
		}
	}

	return {
		say(user: User, { channelId, content: text, replyTo, files, poll }: MessageRequest): StoredMessage {
			const channel = channelOf(user, channelId);
			const parts = { write: true, files: files.length > 0, poll: poll !== undefined, history: replyTo !== undefined };
			checkMayPost(user, channel, parts);
			const content = contentOf(text);
			if (content === "" && files.length === 0 && !poll) throw new InvalidInputError("A message needs text or files.");
			const replied = replyTo === undefined ? undefined : messageOf(user, channel, replyTo);
			if (replied && replied.visibleTo !== null) throw new InvalidInputError("Others cannot see this message.");
			const permissions = channels.permissionsIn(channel, user.id);
			const pinged = findMentions(simulator, channel, content, { permissions });
			return simulator.atomically(() =>
				messages.create({
					...blankMessage(channel.id, channel.guildId),
					...pinged,
					...(replied && {
						type: MessageType.Reply,
						repliesTo: replied.id,
						mentionedUserIds: withRepliedAuthor(pinged.mentionedUserIds, replied, {
							authorId: user.id,
							botId: members.bot.id,
						}),
					}),
					authorId: user.id,
					content,
					attachments: claimFiles(user, files),
					poll: poll ? startPoll(poll) : null,
				}),
			);
		},
		editMessage(user: User, { channelId, messageId, content: text }: MessageEditRequest): StoredMessage {
			const channel = channelOf(user, channelId);
			const message = messageOf(user, channel, messageId);
			if (message.authorId !== user.id) throw new InvalidInputError("You can edit your own messages only.");
			checkNotArchived(channel);
			if (message.poll) throw new InvalidInputError("A poll cannot be edited.");
			const content = contentOf(text);
			if (content === "" && message.attachments.length === 0)
				throw new InvalidInputError("A message needs text or files.");
			const permissions = channels.permissionsIn(channel, user.id);
			const pinged = findMentions(simulator, channel, content, { permissions });
			return messages.edit(message, { ...pinged, content, editedMs: clock.nowMs() });
		},
		/** Members who manage messages may delete those of others. */
		deleteMessage(user: User, { channelId, messageId }: MessageTarget): void {
			const channel = channelOf(user, channelId);
			const message = messageOf(user, channel, messageId);
			const mayManage = (channels.permissionsIn(channel, user.id) & Permission.ManageMessages) !== 0n;
			if (message.authorId !== user.id && !mayManage)
				throw new InvalidInputError("You can delete your own messages only.");
			messages.remove(message);
		},
		react(user: User, { channelId, messageId, emoji }: ReactionRequest): void {
			const channel = channelOf(user, channelId);
			const message = messageOf(user, channel, messageId);
			if (message.visibleTo !== null) throw new InvalidInputError("Others cannot see this message.");
			if (!isEmoji(emoji)) throw new InvalidInputError("Unknown emoji.");
			checkNotArchived(channel);
			const isNew = !findReaction(message, emoji);
			checkMayPost(user, channel, { history: true, reaction: isNew });
			if (isNew && message.reactions.length >= REACTIONS_MAX)
				throw new InvalidInputError(`A message may have at most ${REACTIONS_MAX} different reactions.`);
			reactions.add(message, emoji, user.id);
		},
		unreact(user: User, { channelId, messageId, emoji }: ReactionRequest): void {
			reactions.remove(messageOf(user, channelOf(user, channelId), messageId), emoji, user.id);
		},
		/** Replaces the user's votes in a poll. An empty list takes them back. */
		vote(user: User, { channelId, messageId, answers }: PollVoteRequest): void {
			const channel = channelOf(user, channelId);
			const message = messageOf(user, channel, messageId);
			checkNotTimedOut(simulator, channel, user);
			const { poll } = message;
			if (!poll) throw new InvalidInputError("This message has no poll.");
			if (poll.isFinalized) throw new InvalidInputError("This poll has ended.");
			const chosen = new Set(answers);
			if (chosen.size > 1 && !poll.allowsMultiselect) throw new InvalidInputError("This poll allows one answer.");
			if (answers.some((answer) => answer < 1 || answer > poll.answers.length))
				throw new InvalidInputError("The poll has no such answer.");
			polls.vote(message, poll, user.id, chosen);
		},
		startThread(user: User, { channelId, messageId, name, isPrivate }: ThreadRequest): Thread {
			const channel = channelOf(user, channelId);
			if (channel.kind !== "guild" || channel.thread) throw new InvalidInputError("There can be no thread here.");
			checkMayPost(user, channel, { publicThread: !isPrivate, privateThread: isPrivate === true });
			const message = messageId === undefined ? undefined : messageOf(user, channel, messageId);
			if (message && message.visibleTo !== null) throw new InvalidInputError("Others cannot see this message.");
			if (message && threads.find(message.id)) throw new InvalidInputError("This message has a thread already.");
			if (message && isPrivate) throw new InvalidInputError("The thread of a message is public.");
			const fields = { guildId: channel.guildId, parentId: channel.id, ownerId: user.id, name };
			return simulator.atomically(() =>
				threads.create(isPrivate ? { ...fields, isInvitable: true } : fields, message?.id),
			);
		},
	};
}

function contentOf(text: string): string {
	const content = text.trim();
	const problem = lengthProblem(content, { min: 0, max: CONTENT_CHARS_MAX });
	if (problem !== undefined) throw new InvalidInputError(`A message ${problem}`);
	return content;
}
