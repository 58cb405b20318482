/** The polls of messages: votes, and their end. */
import { type APIEmbed, type APIPoll, MessageType, PollLayoutType, type RESTAPIPoll } from "discord-api-types/v10";
import { apiErrors } from "./api-error.ts";
import { discordTime } from "./discord-formats.ts";
import type { StoredMessage, StoredPoll } from "./documents.ts";
import { isEmoji, toPartialEmoji } from "./emojis.ts";
import { blankMessage, type Messages } from "./messages.ts";
import type { Core } from "./core.ts";

const DURATION_HOURS = 24;
const HOUR_MS = 60 * 60_000;

/** Throws Discord's error for an unknown emoji. */
export function newPoll(body: RESTAPIPoll, nowMs: number): StoredPoll {
	const answers = body.answers.map(({ poll_media: { text, emoji } }, index) => {
		const animated = emoji?.animated ? "a:" : "";
		const name = emoji?.id ? `${animated}${emoji.name ?? "emoji"}:${emoji.id}` : (emoji?.name ?? "");
		if (emoji && !isEmoji(name))
			throw apiErrors.invalidField(["poll", "answers", index, "poll_media", "emoji"], "INVALID_EMOJI", "Invalid emoji");
		const media = { text: text ?? "", ...(emoji && { emoji: toPartialEmoji(name) }) };
		return { answer_id: index + 1, poll_media: media };
	});
	return {
		question: { text: body.question.text ?? "" },
		answers,
		allow_multiselect: body.allow_multiselect ?? false,
		layout_type: PollLayoutType.Default,
		expiry: discordTime(nowMs + (body.duration ?? DURATION_HOURS) * HOUR_MS),
		isFinalized: false,
		voterIds: answers.map(() => []),
	};
}

/** As a viewer sees it: `me_voted` tells whether a vote is theirs. Only answers with votes are counted. */
export function serializePoll({ isFinalized, voterIds, ...poll }: StoredPoll, viewerId: string): APIPoll {
	const counts = voterIds.flatMap((ids, index) =>
		ids.length === 0 ? [] : { id: index + 1, count: ids.length, me_voted: ids.includes(viewerId) },
	);
	return { ...poll, results: { is_finalized: isFinalized, answer_counts: counts } };
}

/** Returns the outcome as an embed of the type `poll_result`. A tie has no victor. */
function pollResult({ question, answers, voterIds }: StoredPoll): APIEmbed {
	const counts = voterIds.map(({ length }) => length);
	const most = Math.max(...counts);
	const at = counts.indexOf(most);
	const victor = most > 0 && counts.lastIndexOf(most) === at ? answers[at] : undefined;
	const values = {
		poll_question_text: question.text,
		victor_answer_votes: most,
		total_votes: counts.reduce((sum, count) => sum + count, 0),
		victor_answer_id: victor?.answer_id,
		victor_answer_text: victor?.poll_media.text,
		victor_answer_emoji_id: victor?.poll_media.emoji?.id,
		victor_answer_emoji_name: victor?.poll_media.emoji?.name,
	};
	return {
		fields: Object.entries(values).flatMap(([name, value]) =>
			value === undefined || value === null ? [] : { name, value: String(value) },
		),
	};
}

export function createPolls(
	{ clock, events, tables, atomically }: Core,
	deps: { messages: Messages; stop: AbortSignal; onError: (error: unknown) => void },
) {
	const { messages, stop, onError } = deps;
	const scheduledIds = new Set<string>();

	/** Also posts a message with the result, in the name of the author. */
	function end(message: StoredMessage, poll: StoredPoll): StoredMessage {
		const { channelId, guildId, authorId, webhook, visibleTo, id } = message;
		return atomically(() => {
			const ended = messages.edit(message, { poll: { ...poll, isFinalized: true } });
			messages.create({
				...blankMessage(channelId, guildId, authorId),
				type: MessageType.PollResult,
				webhook,
				visibleTo,
				repliesTo: id,
				embeds: [pollResult(poll)],
				mentionedUserIds: [authorId],
			});
			return ended;
		});
	}

	/** Ends the poll at its time, unless it was ended or deleted before. */
	async function endInTime({ id, channelId, poll }: StoredMessage): Promise<void> {
		if (!poll || poll.isFinalized || scheduledIds.has(id)) return;
		scheduledIds.add(id);
		const remainingMs = Date.parse(poll.expiry) - clock.nowMs();
		// A poll may have ended while the playground was stopped.
		if (remainingMs > 0) await clock.sleep(remainingMs, stop);
		scheduledIds.delete(id);
		const current = messages.find(channelId, id);
		if (current?.poll && !current.poll.isFinalized) end(current, current.poll);
	}

	for (const message of tables.messages.values()) endInTime(message).catch(onError);
	// A reply can contain a poll only after it was deferred, so that the poll arrives with an edit.
	events.listen((event) => {
		if (event.type === "messageCreate" || event.type === "messageUpdate") endInTime(event.message).catch(onError);
	});

	return {
		end,
		/** Replaces the votes of a user by these answers. The caller checks them. */
		vote(message: StoredMessage, poll: StoredPoll, userId: string, answerIds: ReadonlySet<number>): void {
			const before = new Set(poll.voterIds.flatMap((ids, index) => (ids.includes(userId) ? index + 1 : [])));
			const voterIds = poll.voterIds.map((ids, index) => {
				const others = ids.filter((id) => id !== userId);
				return answerIds.has(index + 1) ? [...others, userId] : others;
			});
			const polled = messages.replaceSilently(message, { poll: { ...poll, voterIds } });
			for (const answerId of before.difference(answerIds))
				events.emit({ type: "pollVoteRemove", polled, answerId, userId });
			for (const answerId of answerIds.difference(before))
				events.emit({ type: "pollVoteAdd", polled, answerId, userId });
		},
	};
}
