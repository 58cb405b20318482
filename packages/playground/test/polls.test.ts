/** Polls of messages: REST, votes of members, events, and their end. */
import { type APIMessage, GatewayIntentBits, MessageType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { deferred, invalidFormBody, MINUTE_MS, openPlayground, refusal, temporaryFolder } from "../testing/setup.ts";

const { GuildMessages, GuildMessagePolls, MessageContent } = GatewayIntentBits;
const HOUR_MS = 60 * MINUTE_MS;
const answer = (text: string, emoji?: string) => ({
	poll_media: { text, ...(emoji !== undefined && { emoji: { id: null, name: emoji } }) },
});
const POLL = { question: { text: "Where to?" }, answers: [answer("Harbor", "⛵"), answer("Beach")] };

async function withPoll(over: object = {}, intents: number = GuildMessages) {
	const playground = await openPlayground();
	const { event, events } = await playground.bot({ intents });
	const message = await playground.send({ poll: { ...POLL, ...over } });
	const channel = `/channels/${message.channel_id}`;
	const expire = (id = message.id) => playground.rest("POST", `${channel}/polls/${id}/expire`);
	/** Ends the poll. Resolves to the message with the result, and the fields of its embed. */
	const result = async () => {
		await expire();
		const [posted] = (await playground.rest("GET", `${channel}/messages?limit=1`)).body as APIMessage[];
		return { posted, fields: posted?.embeds[0]?.fields?.map(({ name, value }) => `${name}: ${value}`) };
	};
	const [ada, grace] = [await playground.userNamed("ada"), await playground.userNamed("grace")];
	return { ...playground, event, events, channel, message, expire, result, ada, grace };
}

describe("a poll", () => {
	test("is shown with its answers and its end, a day later by default", async () => {
		const { message, clock, ada } = await withPoll();
		const answers = [
			{ answer_id: 1, poll_media: { text: "Harbor", emoji: { id: null, name: "⛵" } } },
			{ answer_id: 2, poll_media: { text: "Beach" } },
		];
		const results = { is_finalized: false, answer_counts: [] };
		const poll = { question: { text: "Where to?" }, answers, allow_multiselect: false, layout_type: 1, results };
		expect(message).toMatchObject({ content: "", poll });
		expect(Date.parse(message.poll?.expiry ?? "")).toBe(clock.nowMs() + 24 * HOUR_MS);
		expect(await ada.untilMessage(({ id }) => id === message.id)).toMatchObject({ poll: { answers: [{}, {}] } });
	});

	test.each([
		[{ question: {} }, "poll.question.text"],
		[{ question: { text: "x".repeat(301) } }, "poll.question.text"],
		[{ answers: [] }, "poll.answers"],
		[{ answers: [answer("x".repeat(56))] }, "poll.answers.0.poll_media.text"],
		[{ answers: [answer("")] }, "poll.answers.0.poll_media.text"],
		[{ answers: [answer("a"), answer("b", "boat")] }, "poll.answers.1.poll_media.emoji"],
		[{ answers: Array.from({ length: 11 }, () => answer("x")) }, "poll.answers"],
		[{ duration: 769 }, "poll.duration"],
		[{ layout_type: 2 }, "poll.layout_type"],
	])("with %o is an error at %s", async (over, place) => {
		const { rest, channel } = await openPlayground();
		const poll = { ...POLL, ...over };
		expect(await rest("POST", `${await channel()}/messages`, { poll })).toMatchObject(invalidFormBody(place));
	});

	test("starts with a message or a deferred reply, and cannot be edited or added later", async () => {
		const { playground, interaction, reply } = await deferred();
		const add = () => interaction.webhook("PATCH", { poll: POLL });
		expect(await add()).toMatchObject({ status: 200, body: { poll: {} } });
		expect(await reply.until()).toMatchObject({ poll: { question: { text: "Where to?" } } });
		expect(await add()).toMatchObject(refusal(400, 520003));
		const { id, channel_id: channelId } = await playground.send({ content: "x" });
		const later = await playground.rest("PATCH", `/channels/${channelId}/messages/${id}`, { poll: POLL });
		expect(later).toMatchObject(invalidFormBody("poll"));
	});

	test("of a member is created, voted on and ended like one of the bot, which cannot end it", async () => {
		const { ada, grace, expire, clock, event } = await withPoll({}, GuildMessages | MessageContent);
		await expect(ada.say("", { poll: { ...POLL, duration: 769 } })).rejects.toThrow("poll.duration: ");
		const message = await ada.say("", { poll: { ...POLL, duration: 1 } });
		expect(message).toMatchObject({ poll: { question: { text: "Where to?" }, answers: [{ answer_id: 1 }, {}] } });
		expect(await event("MESSAGE_CREATE", message.id)).toMatchObject({ author: { username: "ada" } });
		await grace.vote(message, 2);
		expect(await expire(message.id)).toMatchObject(refusal(403, 50005));
		await expect(ada.edit(message, "x")).rejects.toThrow("Cannot edit a poll message");
		await clock.advance(HOUR_MS);
		expect(await ada.untilMessage(({ type }) => type === MessageType.PollResult)).toMatchObject({
			author: { username: "ada" },
		});
	});
});

describe("a vote of a member", () => {
	test("is counted for everyone, and replaced or taken back by the next", async () => {
		const { ada, grace, message, channel, rest, event } = await withPoll({}, GuildMessagePolls);
		await ada.vote(message, 1);
		const ids = { user_id: ada.me.user.id, channel_id: message.channel_id, message_id: message.id };
		expect(await event("MESSAGE_POLL_VOTE_ADD")).toStrictEqual({ ...ids, guild_id: expect.any(String), answer_id: 1 });
		await ada.untilMessage(({ poll }) => poll?.results?.answer_counts[0]?.me_voted === true);
		await grace.untilMessage(({ poll }) => poll?.results?.answer_counts[0]?.me_voted === false);
		await grace.vote(message, 1);
		await ada.vote(message, 2);
		expect(await event("MESSAGE_POLL_VOTE_REMOVE")).toMatchObject({ ...ids, answer_id: 1 });
		const answer_counts = [1, 2].map((id) => ({ id, count: 1, me_voted: false }));
		expect(await rest("GET", `${channel}/messages/${message.id}`)).toMatchObject({
			body: { poll: { results: { answer_counts } } },
		});
		await ada.vote(message);
		await grace.untilMessage(({ poll }) => poll?.results?.answer_counts.length === 1);
	});

	test("may have several answers only if the poll allows it", async () => {
		const single = await withPoll();
		await expect(single.ada.vote(single.message, 1, 2)).rejects.toThrow("allows one answer");
		await expect(single.ada.vote(single.message, 3)).rejects.toThrow("no such answer");
		await expect(single.ada.vote(await single.ada.say("x"), 1)).rejects.toThrow("has no poll");
		const several = await withPoll({ allow_multiselect: true });
		await several.ada.vote(several.message, 1, 2);
		await several.ada.untilMessage(({ poll }) => poll?.results?.answer_counts.length === 2);
	});
});

describe("the end of a poll", () => {
	test("is final: the bot ends it once, and later votes are rejected", async () => {
		const { ada, message, expire, event, events, send } = await withPoll({ duration: 768 });
		await ada.vote(message, 1);
		const results = { is_finalized: true, answer_counts: [{ id: 1, count: 1 }] };
		expect(await expire()).toMatchObject({ status: 200, body: { poll: { results } } });
		expect(await event("MESSAGE_UPDATE")).toMatchObject({ id: message.id, poll: { results: { is_finalized: true } } });
		// Votes have an intent of their own.
		expect(events("MESSAGE_POLL_VOTE_ADD")).toStrictEqual([]);
		await expect(ada.vote(message, 2)).rejects.toThrow("has ended");
		expect(await expire()).toMatchObject(refusal(400, 520001));
		for (const { id } of [await send({ content: "x" }), await ada.say("x")])
			expect(await expire(id)).toMatchObject(refusal(400, 520006));
	});

	test("posts a message with the result, which refers to the poll and mentions its author", async () => {
		const { ada, grace, message, rest, channel, applicationId, result } = await withPoll();
		for (const user of [ada, grace]) await user.vote(message, 1);
		const { posted, fields } = await result();
		expect(posted).toMatchObject({
			type: 46,
			content: "",
			author: { id: applicationId },
			mentions: [{ id: applicationId }],
			message_reference: { message_id: message.id, channel_id: message.channel_id },
			embeds: [{ type: "poll_result" }],
		});
		const edited = await rest("PATCH", `${channel}/messages/${posted?.id}`, { content: "x" });
		expect(edited).toMatchObject(refusal(403, 50021));
		expect(fields).toStrictEqual([
			"poll_question_text: Where to?",
			"victor_answer_votes: 2",
			"total_votes: 2",
			"victor_answer_id: 1",
			"victor_answer_text: Harbor",
			"victor_answer_emoji_name: ⛵",
		]);
		await ada.untilMessage(({ type }) => type === MessageType.PollResult);
	});

	test("has no victor after a tie", async () => {
		const { ada, grace, message, result } = await withPoll();
		await ada.vote(message, 1);
		await grace.vote(message, 2);
		const tie = ["poll_question_text: Where to?", "victor_answer_votes: 1", "total_votes: 2"];
		expect((await result()).fields).toStrictEqual(tie);
	});

	test("comes at the next start if its time has passed", async () => {
		const dataDir = await temporaryFolder();
		const first = await openPlayground({ dataDir });
		const { id } = await first.send({ poll: POLL });
		await first.close();
		await first.clock.advance(25 * HOUR_MS);
		const second = await openPlayground({ dataDir, clock: first.clock });
		const ended = await (
			await second.userNamed("ada")
		).untilMessage(({ poll }) => poll?.results?.is_finalized === true);
		expect(ended.id).toBe(id);
	});
});
