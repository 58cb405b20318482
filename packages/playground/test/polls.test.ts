/** Polls of messages: REST, votes of members, events, and their end. */
import { type APIMessage, GatewayIntentBits, MessageType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { deferred, invalidFormBody, MINUTE_MS, openPlayground, refusal, temporaryFolder } from "../testing/setup.ts";

const HOUR_MS = 60 * MINUTE_MS;
const answer = (text: string, emoji?: { name: string }) => ({ poll_media: { text, ...(emoji && { emoji }) } });
const POLL = { question: { text: "Where to?" }, answers: [answer("Harbor", { name: "⛵" }), answer("Beach")] };

async function withPoll(over: object = {}, intents = 0) {
	const playground = await openPlayground();
	const bot = await playground.bot({ intents });
	const channel = await playground.channel();
	const created = await playground.rest("POST", `${channel}/messages`, { poll: { ...POLL, ...over } });
	const message = created.body as APIMessage;
	const path = `${channel}/messages/${message.id}`;
	const polls = `${channel}/polls/${message.id}`;
	const [ada, grace] = [await playground.userNamed("ada"), await playground.userNamed("grace")];
	const event = async (name: string) => (await bot.gateway.until(({ t }) => t === name)).d;
	return { ...playground, bot, channel, message, path, polls, ada, grace, event };
}

describe("a poll", () => {
	test("is shown with its answers and its end, a day later by default", async () => {
		const { message, clock, ada } = await withPoll();
		expect(message).toMatchObject({
			content: "",
			poll: {
				question: { text: "Where to?" },
				answers: [
					{ answer_id: 1, poll_media: { text: "Harbor", emoji: { id: null, name: "⛵" } } },
					{ answer_id: 2, poll_media: { text: "Beach" } },
				],
				allow_multiselect: false,
				layout_type: 1,
				results: { is_finalized: false, answer_counts: [] },
			},
		});
		expect(Date.parse(message.poll?.expiry ?? "")).toBe(clock.nowMs() + 24 * HOUR_MS);
		expect(await ada.untilMessage(({ id }) => id === message.id)).toMatchObject({ poll: { answers: [{}, {}] } });
	});

	test.each([
		[{ question: {} }, "poll.question.text"],
		[{ question: { text: "x".repeat(301) } }, "poll.question.text"],
		[{ answers: [] }, "poll.answers"],
		[{ answers: [answer("x".repeat(56))] }, "poll.answers.0.poll_media.text"],
		[{ answers: [answer("")] }, "poll.answers.0.poll_media.text"],
		[{ answers: [answer("a"), answer("b", { name: "boat" })] }, "poll.answers.1.poll_media.emoji"],
		[{ answers: Array.from({ length: 11 }, () => answer("x")) }, "poll.answers"],
		[{ duration: 769 }, "poll.duration"],
		[{ layout_type: 2 }, "poll.layout_type"],
	])("with %o is an error at %s", async (over, place) => {
		const { rest, channel } = await withPoll();
		expect(await rest("POST", `${channel}/messages`, { poll: { ...POLL, ...over } })).toMatchObject(
			invalidFormBody(place),
		);
	});

	test("starts with a message or a deferred reply, and cannot be edited or added later", async () => {
		const { rest, path, channel } = await withPoll();
		expect(await rest("PATCH", path, { content: "x" })).toMatchObject(refusal(400, 520003));
		const { id } = (await rest("POST", `${channel}/messages`, { content: "x" })).body as APIMessage;
		expect(await rest("PATCH", `${channel}/messages/${id}`, { poll: POLL })).toMatchObject(invalidFormBody("poll"));
		const { interaction, reply } = await deferred();
		expect(await interaction.webhook("PATCH", { poll: POLL })).toMatchObject({ status: 200, body: { poll: {} } });
		expect(await reply.until()).toMatchObject({ poll: { question: { text: "Where to?" } } });
		expect(await interaction.webhook("PATCH", { poll: POLL })).toMatchObject(refusal(400, 520003));
	});
});

describe("a poll of a member", () => {
	test("is created, voted on and ended like one of the bot, which cannot end it", async () => {
		const { ada, grace, channel, rest, clock, event } = await withPoll(
			{},
			GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent,
		);
		const message = await ada.say("", { poll: { ...POLL, duration: 1 } });
		expect(message).toMatchObject({ poll: { question: { text: "Where to?" }, answers: [{ answer_id: 1 }, {}] } });
		expect((await event("MESSAGE_CREATE"))["author"]).toBeDefined();
		await grace.vote(message, 2);
		expect(await rest("POST", `${channel}/polls/${message.id}/expire`)).toMatchObject(refusal(403, 50005));
		await expect(ada.edit(message, "x")).rejects.toThrow("A poll cannot be edited.");
		await clock.advance(HOUR_MS);
		expect(await ada.untilMessage(({ type }) => type === MessageType.PollResult)).toMatchObject({
			author: { username: "ada" },
		});
	});
});

describe("a vote of a member", () => {
	test("is counted for everyone, and replaced or taken back by the next", async () => {
		const { ada, grace, message, path, rest, event } = await withPoll({}, GatewayIntentBits.GuildMessagePolls);
		await ada.vote(message, 1);
		const ids = { user_id: ada.me.user.id, channel_id: message.channel_id, message_id: message.id };
		expect(await event("MESSAGE_POLL_VOTE_ADD")).toStrictEqual({ ...ids, guild_id: expect.any(String), answer_id: 1 });
		await ada.untilMessage(({ poll }) => poll?.results?.answer_counts[0]?.me_voted === true);
		await grace.untilMessage(({ poll }) => poll?.results?.answer_counts[0]?.me_voted === false);
		await grace.vote(message, 1);
		await ada.vote(message, 2);
		expect(await event("MESSAGE_POLL_VOTE_REMOVE")).toMatchObject({ ...ids, answer_id: 1 });
		expect(await rest("GET", path)).toMatchObject({
			body: {
				poll: {
					results: {
						answer_counts: [
							{ id: 1, count: 1, me_voted: false },
							{ id: 2, count: 1, me_voted: false },
						],
					},
				},
			},
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
		const { bot, ada, message, rest, polls, event } = await withPoll({}, GatewayIntentBits.GuildMessages);
		await ada.vote(message, 1);
		expect(await rest("POST", `${polls}/expire`)).toMatchObject({
			status: 200,
			body: { poll: { results: { is_finalized: true, answer_counts: [{ id: 1, count: 1 }] } } },
		});
		expect(await event("MESSAGE_UPDATE")).toMatchObject({ poll: { results: { is_finalized: true } } });
		// Votes have an intent of their own.
		expect(bot.gateway.received.map(({ t }) => t)).not.toContain("MESSAGE_POLL_VOTE_ADD");
		await expect(ada.vote(message, 2)).rejects.toThrow("has ended");
		expect(await rest("POST", `${polls}/expire`)).toMatchObject(refusal(400, 520001));
	});

	test("posts a message with the result, which refers to the poll and mentions its author", async () => {
		const { ada, grace, message, rest, polls, channel, event, applicationId } = await withPoll(
			{},
			GatewayIntentBits.GuildMessages,
		);
		await ada.vote(message, 1);
		await grace.vote(message, 1);
		await rest("POST", `${polls}/expire`);
		const [result] = (await rest("GET", `${channel}/messages?limit=1`)).body as APIMessage[];
		expect(result).toMatchObject({
			type: 46,
			content: "",
			author: { id: applicationId },
			mentions: [{ id: applicationId }],
			message_reference: { message_id: message.id, channel_id: message.channel_id },
			embeds: [{ type: "poll_result" }],
		});
		expect(await rest("PATCH", `${channel}/messages/${result?.id}`, { content: "x" })).toMatchObject(
			refusal(403, 50021),
		);
		const fields = Object.fromEntries(result?.embeds[0]?.fields?.map(({ name, value }) => [name, value]) ?? []);
		expect(fields).toStrictEqual({
			poll_question_text: "Where to?",
			victor_answer_votes: "2",
			total_votes: "2",
			victor_answer_id: "1",
			victor_answer_text: "Harbor",
			victor_answer_emoji_name: "⛵",
		});
		await ada.untilMessage(({ type }) => type === MessageType.PollResult);
		expect(await event("MESSAGE_UPDATE")).toMatchObject({ id: message.id });
	});

	test("has no victor after a tie", async () => {
		const { ada, grace, message, rest, polls, channel } = await withPoll();
		await ada.vote(message, 1);
		await grace.vote(message, 2);
		await rest("POST", `${polls}/expire`);
		const [result] = (await rest("GET", `${channel}/messages?limit=1`)).body as APIMessage[];
		expect(result?.embeds[0]?.fields?.map(({ name, value }) => [name, value])).toStrictEqual([
			["poll_question_text", "Where to?"],
			["victor_answer_votes", "1"],
			["total_votes", "2"],
		]);
	});

	test("comes at its time without a request", async () => {
		const { message, ada, event, admin } = await withPoll({ duration: 768 }, GatewayIntentBits.GuildMessages);
		// 768 hours are 32 days, and the admin API advances the clock by 30 days at most.
		await admin.advanceClock({ advanceMs: 29 * 24 * HOUR_MS });
		await ada.vote(message, 1);
		await admin.advanceClock({ advanceMs: 3 * 24 * HOUR_MS });
		expect(await event("MESSAGE_UPDATE")).toMatchObject({ id: message.id, poll: { results: { is_finalized: true } } });
	});

	test("comes at the next start if its time has passed", async () => {
		const dataDir = await temporaryFolder();
		const first = await openPlayground({ dataDir });
		const channel = await first.channel();
		const { id } = (await first.rest("POST", `${channel}/messages`, { poll: POLL })).body as APIMessage;
		await first.close();
		await first.clock.advance(25 * HOUR_MS);
		const second = await openPlayground({ dataDir, clock: first.clock });
		const ada = await second.userNamed("ada");
		const ended = await ada.untilMessage(({ poll }) => poll?.results?.is_finalized === true);
		expect(ended.id).toBe(id);
	});

	test("cannot be requested for a message without a poll, or for a message of a member", async () => {
		const { rest, channel, ada } = await withPoll();
		const plain = (await rest("POST", `${channel}/messages`, { content: "x" })).body as APIMessage;
		expect(await rest("POST", `${channel}/polls/${plain.id}/expire`)).toMatchObject(refusal(400, 520006));
		expect(await rest("POST", `${channel}/polls/${(await ada.say("x")).id}/expire`)).toMatchObject(
			refusal(400, 520006),
		);
	});
});
