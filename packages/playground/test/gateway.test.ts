/** The protocol of the gateway on the wire, its faults, and how discord.js recovers from them. */
import { Events } from "discord.js";
import { constants, createInflate } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createSession } from "../src/gateway/session.ts";
import { connectDiscordJs } from "./discord-js-client.ts";
import { deferred, IMAGE_COMMAND, invoked, MINUTE_MS, openPlayground, refusal, typed } from "../testing/setup.ts";

const GUILD = "123456789012345678";
const [GUILDS, MEMBERS, PRESENCES] = [1 << 0, 1 << 1, 1 << 8] as const;

async function openGateway() {
	const playground = await openPlayground();
	const { connect, botToken } = playground;
	return {
		...playground,
		typePing: async () => {
			await playground.register({ name: "ping", description: "Pong" });
			return (await playground.user()).type("/ping");
		},
		/** A connection that asks for a session again. */
		resume: async (sessionId: unknown, { token = botToken, seq = 1 } = {}) => {
			const gateway = await connect();
			onTestFinished(() => gateway.close(4_000));
			gateway.send({ op: 6, d: { token, session_id: sessionId, seq } });
			return gateway;
		},
	};
}

describe("starting a session", () => {
	test.each([
		["?v=9&encoding=json", 9],
		["?v=10", 10],
		["", 10],
	])("with the query %j contains the bot and the resume URL, and sequence numbers start at one", async (query, v) => {
		const { user, connect, identify, origin, applicationId } = await openGateway();
		const { guilds } = await (await user()).state();
		const gateway = await connect(query);
		expect(await gateway.until(() => true)).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
		gateway.send(identify());
		expect(await gateway.until(({ t }) => t === "READY")).toMatchObject({
			s: 1,
			d: {
				v,
				user: { id: applicationId, bot: true },
				guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
				session_id: expect.any(String),
				resume_gateway_url: `${origin.replace("http", "ws")}/playground/gateway`,
				application: { id: applicationId, flags: expect.any(Number) },
			},
		});
	});

	test.each([
		[GUILDS, ["Atelier"]],
		[GUILDS | MEMBERS, ["Atelier"]],
		[GUILDS | PRESENCES, ["Atelier"]],
		[GUILDS | MEMBERS | PRESENCES, ["Atelier", "ada", "grace", "lena", "robin", "yuki"]],
	])("with the intents %i sends these members of a guild: %j", async (intents, usernames) => {
		const { members, member_count } = await (await (await openGateway()).bot({ intents })).event("GUILD_CREATE");
		const sent = (members as { user: { username: string } }[]).map(({ user }) => user.username);
		expect([sent.toSorted(), member_count]).toStrictEqual([usernames, 6]);
	});

	test("zlib-stream is one compressed stream with a flush after every message", async () => {
		const { origin, identify } = await openGateway();
		const query = "?v=10&encoding=json&compress=zlib-stream";
		const socket = new WebSocket(`${origin.replace("http", "ws")}/playground/gateway${query}`);
		const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
		const text: string[] = [];
		inflate.on("data", (chunk: Buffer) => text.push(chunk.toString()));
		await new Promise<void>((resolve) => {
			socket.on("message", (message: Buffer) => {
				expect(message.subarray(-4).toString("hex")).toBe("0000ffff");
				inflate.write(message);
				inflate.flush(() => {
					if (text.join("").includes('"READY"')) resolve();
				});
			});
			socket.on("open", () => socket.send(JSON.stringify(identify())));
		});
		expect(text.join("")).toContain('"op":10');
		socket.terminate();
	});
});

test("requests without an effect, for a presence or a voice channel, keep the connection open", async () => {
	const { gateway } = await (await openGateway()).bot();
	const activities = [{ name: "x", type: 0, state: "y" }];
	gateway.send({ op: 3, d: { since: null, activities, status: "idle", afk: false } });
	gateway.send({ op: 4, d: { guild_id: GUILD, channel_id: null } });
	gateway.send({ op: 31, d: {} });
	gateway.send({ op: 1, d: 1 });
	expect(await gateway.until(({ op }) => op === 11)).toBeDefined();
});

describe("the gateway closes the connection for", () => {
	test.each([
		[4002, "v=10&encoding=etf"],
		[4002, "v=10&encoding=json&compress=zstd-stream"],
		[4002, "v=10&encoding=json&compress=zlib"],
		[4012, "v=5&encoding=json"],
		[4012, "v=8&encoding=json"],
		[4012, "v=11&encoding=json"],
	])("%i before hello: the query %s", async (code, query) => {
		const client = await (await openGateway()).connect(`?${query}`);
		expect(await client.closed).toBe(code);
		expect(client.received).toStrictEqual([]);
	});

	test.each<[what: string, code: number, payload: unknown]>([
		["an unknown opcode", 4001, { op: 99, d: null }],
		["a packet that is not JSON", 4002, "{"],
		["more than 4096 bytes", 4002, { op: 1, d: null, ignored: "x".repeat(4_096) }],
		["an incomplete identify", 4002, { op: 2, d: { token: "x" } }],
		["a presence update before identifying", 4003, { op: 3, d: {} }],
		["a wrong token", 4004, { token: "wrong" }],
		["resuming with a wrong token", 4004, { op: 6, d: { token: "wrong", session_id: "x", seq: 1 } }],
		["an impossible shard", 4010, { shard: [2, 2] }],
		["an intent that does not exist", 4013, { intents: 2 ** 30 }],
		["a heartbeat with a text as its sequence number", 4002, { op: 1, d: "soon" }],
		["an incomplete resume", 4002, { op: 6, d: { token: "x" } }],
	])("%s: %i", async (_, code, payload) => {
		const { connect, identify } = await openGateway();
		const gateway = await connect();
		const isPacket = typeof payload === "string" || "op" in (payload as object);
		gateway.send(isPacket ? payload : identify(payload as object));
		expect(await gateway.closed).toBe(code);
	});

	test("a second identify: 4005, and more than 120 events in a minute: 4008", async () => {
		const { bot, identify } = await openGateway();
		const [twice, busy] = [await bot(), await bot()];
		twice.gateway.send(identify());
		for (let sent = 0; sent <= 120; sent += 1) busy.gateway.send({ op: 1, d: null });
		expect([await twice.gateway.closed, await busy.gateway.closed]).toStrictEqual([4005, 4008]);
	});

	test.each([
		[3, { since: null, activities: {}, status: "online" }],
		[3, { since: null, activities: [], status: "busy" }],
		[4, {}],
		[4, { guild_id: "general", channel_id: null }],
		[8, undefined],
		[8, []],
		[8, { guild_id: GUILD }],
		[8, { guild_id: GUILD, query: "a" }],
		[8, { guild_id: GUILD, query: "a", limit: -1 }],
		[8, { guild_id: [GUILD], query: "", limit: 0 }],
		[8, { guild_id: GUILD, user_ids: { id: GUILD } }],
	])("opcode %i with the invalid payload %j: 4002", async (op, d) => {
		const { gateway } = await (await openGateway()).bot();
		gateway.send({ op, d });
		expect(await gateway.closed).toBe(4002);
	});
});

/** A bot with these intents, and the members that it receives on a request for the first guild. */
async function asking(intents: number) {
	const playground = await openGateway();
	const { guild, userId } = playground;
	const { gateway } = await playground.bot({ intents });
	return {
		...playground,
		gateway,
		you: userId("robin"),
		ask: (d: object) => gateway.send({ op: 8, d: { guild_id: guild.id, ...d } }),
		chunk: async (nonce: string) => {
			const answer = await gateway.until(({ t, d }) => t === "GUILD_MEMBERS_CHUNK" && d["nonce"] === nonce);
			const { members, ...rest } = answer.d as { members: { user: { username: string } }[] };
			return { ...rest, names: members.map((member) => member.user.username) };
		},
	};
}

describe("a request for guild members", () => {
	test("for all members with the members intent is answered, and again only after thirty seconds", async () => {
		const { ask, chunk, gateway, guild, clock } = await asking(MEMBERS | PRESENCES);
		ask({ query: "", limit: 0, nonce: "first", presences: true });
		const first = await chunk("first");
		expect(first).toMatchObject({ guild_id: guild.id, chunk_index: 0, chunk_count: 1, presences: [] });
		expect(first.names).toHaveLength(6);
		expect(first.names).toContain("Atelier");
		await clock.advance(10_000);
		ask({ query: "", limit: 0, nonce: "second" });
		expect(await gateway.until(({ t }) => t === "RATE_LIMITED")).toMatchObject({
			d: { opcode: 8, retry_after: 20, meta: { guild_id: guild.id, nonce: "second" } },
		});
		await clock.advance(20_000);
		ask({ query: "", limit: 2, nonce: "third" });
		expect((await chunk("third")).names).toHaveLength(2);
	});

	test("for all members is not answered without the members intent; requests by prefix and by user ids are", async () => {
		const { ask, chunk, gateway, you } = await asking(0);
		ask({ query: "", limit: 0, nonce: "all" });
		ask({ query: "ROB", limit: 0, nonce: "prefix" });
		expect((await chunk("prefix")).names).toStrictEqual(["robin"]);
		ask({ user_ids: you, nonce: "one" });
		expect(await chunk("one")).not.toHaveProperty("not_found");
		expect((await chunk("one")).names).toStrictEqual(["robin"]);
		ask({ user_ids: [you, you, "123", "unknown"], nonce: "some" });
		expect(await chunk("some")).toMatchObject({ names: ["robin"], not_found: ["123", "unknown"] });
		ask({ query: "no such name", limit: 5, nonce: "none" });
		expect(await chunk("none")).toMatchObject({ names: [], chunk_index: 0, chunk_count: 1 });
		expect(gateway.received.filter(({ d }) => d?.["nonce"] === "all")).toStrictEqual([]);
	});

	test("for a guild of another shard, or for an unknown guild, is not answered", async () => {
		const { user, bot } = await openGateway();
		const { guilds } = await (await user()).state();
		const { gateway, ready, events } = await bot({ shard: [0, 2] });
		for (const id of [...guilds.map((guild) => guild.id), "123"])
			gateway.send({ op: 8, d: { guild_id: id, query: "robin", limit: 1 } });
		gateway.send({ op: 1, d: null });
		await gateway.until(({ op }) => op === 11);
		const own = (ready["guilds"] as { id: string }[]).map(({ id }) => id);
		expect(events("GUILD_MEMBERS_CHUNK").map((chunk) => chunk["guild_id"])).toStrictEqual(own);
	});
});

describe("a resume", () => {
	test("replays a missed event once, before RESUMED, and its interaction can be answered", async () => {
		const { bot, resume, typePing, rest } = await openGateway();
		const { gateway, ready } = await bot();
		gateway.break();
		await gateway.closed;
		const { interactionId } = await typePing();
		const back = await resume(ready["session_id"]);
		await back.until(({ t }) => t === "RESUMED");
		expect(back.received.map(({ t, s, d }) => [t, s, d["id"]])).toStrictEqual([
			[null, null, undefined],
			["INTERACTION_CREATE", 2, interactionId],
			["RESUMED", 3, undefined],
		]);
		const { d } = await back.until(({ t }) => t === "INTERACTION_CREATE");
		const answer = await invoked(rest, d).callback({ type: 4, data: { content: "pong" } });
		expect(answer).toMatchObject({ status: 204 });
	});

	test("of an unknown session is invalid, and the connection may then identify", async () => {
		const { resume, identify } = await openGateway();
		const gateway = await resume("unknown");
		expect(await gateway.until(({ op }) => op === 9)).toMatchObject({ d: false });
		gateway.send(identify());
		await gateway.until(({ t }) => t === "READY");
	});

	test("with a sequence number that was never sent is closed with 4007", async () => {
		const { bot, resume } = await openGateway();
		const { gateway, ready } = await bot();
		gateway.break();
		await gateway.closed;
		expect(await (await resume(ready["session_id"], { seq: 50 })).closed).toBe(4007);
	});

	test("is impossible after more events than a session keeps", () => {
		const connection = { version: 10, send: () => {}, close: () => {}, perform: () => {} };
		const session = createSession({ id: "a", shardId: 0, shardCount: 1, intents: 0, connection });
		for (let sent = 1; sent <= 1_001; sent++) session.dispatch("TYPING_START", {});
		session.disconnect(connection, 0);
		expect(session.resume(connection, 1)).toBe(false);
		expect(session.resume(connection, 1_000)).toBe(true);
	});

	test("is impossible after a regular close, and after five minutes", async () => {
		const { bot, resume, clock, user } = await openGateway();
		const polite = await bot();
		await polite.gateway.close(1000);
		const lost = await bot();
		lost.gateway.break();
		await lost.gateway.closed;
		// The playground notices the broken socket a moment later than its client.
		await expect.poll(async () => (await (await user()).state()).bot.online).toBe(false);
		await clock.advance(5 * MINUTE_MS);
		for (const { ready } of [polite, lost]) {
			const gateway = await resume(ready["session_id"]);
			expect(await gateway.until(({ op }) => op === 9)).toMatchObject({ d: false });
		}
	});

	test("after an invalidation is possible only if it is marked as resumable", async () => {
		const { admin, bot, resume } = await openGateway();
		for (const [isResumable, answer] of [
			[true, "RESUMED"],
			[false, null],
		] as const) {
			const { gateway, ready } = await bot();
			await admin.gateway({ act: "invalidate", isResumable });
			expect(await gateway.until(({ op }) => op === 9)).toMatchObject({ d: isResumable });
			const again = await resume(ready["session_id"]);
			expect(await again.until(({ op, t }) => op === 9 || t === "RESUMED")).toMatchObject({ t: answer });
		}
	});
});

describe("a connection", () => {
	test("that stopped responding receives nothing, and a resume receives what it missed", async () => {
		const { admin, bot, resume, typePing } = await openGateway();
		const { gateway, ready, events } = await bot();
		await admin.gateway({ act: "silence" });
		gateway.send({ op: 1, d: 1 });
		const { interactionId } = await typePing();
		const again = await resume(ready["session_id"]);
		await again.until(({ t, d }) => t === "INTERACTION_CREATE" && d["id"] === interactionId);
		expect(events("INTERACTION_CREATE")).toStrictEqual([]);
		expect(gateway.received.filter(({ op }) => op === 11)).toStrictEqual([]);
	});

	test("without heartbeats is closed with 4009, and its session ends; an older one with heartbeats stays open", async () => {
		const { admin, connect, bot, resume } = await openGateway();
		await admin.setGateway({ heartbeatIntervalMs: 1_000 });
		const beating = await connect();
		const beat = setInterval(() => beating.send({ op: 1, d: null }), 50);
		onTestFinished(() => clearInterval(beat));
		const acknowledged = () => beating.received.filter(({ op }) => op === 11).length;
		const silent = await bot();
		expect(await silent.gateway.closed).toBe(4_009);
		const before = acknowledged();
		await expect.poll(acknowledged).toBeGreaterThan(before);
		const again = await resume(silent.ready["session_id"]);
		expect((await again.until(({ op }) => op === 9)).d).toBe(false);
	});

	test("of a shard that is connected twice receives an interaction, as does the other", async () => {
		const { bot, typePing } = await openGateway();
		const [one, two] = [await bot(), await bot()];
		const { interactionId } = await typePing();
		for (const each of [one, two]) expect((await each.interaction(interactionId)).id).toBe(interactionId);
	});

	test("of the first shard receives interactions in direct messages", async () => {
		const { register, user, rest, bot } = await openGateway();
		await register(IMAGE_COMMAND);
		const robin = await user();
		await rest("POST", "/users/@me/channels", { recipient_id: robin.me.user.id });
		const [, first] = [await bot({ shard: [1, 2] }), await bot({ shard: [0, 2] })];
		const reply = await robin.type("/image", { prompt: "x" }, { channel: "Atelier" });
		const { payload } = await first.interaction(reply.interactionId);
		expect(payload).toMatchObject({ user: { username: "robin" }, context: 1, channel: { type: 1 } });
		expect(payload).not.toHaveProperty("member");
	});
});

describe("a gateway event", () => {
	test("can be dropped once; the next one is sent", async () => {
		const { admin, bot, typePing } = await openGateway();
		await admin.inject({ act: "drop", event: "INTERACTION_CREATE", times: 1 });
		const { interaction, events } = await bot();
		const [lost, heard] = [await typePing(), await typePing()];
		await interaction(heard.interactionId);
		expect(events("INTERACTION_CREATE").map(({ id }) => id)).toStrictEqual([heard.interactionId]);
		await admin.advanceClock({ advanceMs: 3_000 });
		await expect.poll(() => lost.failure()).toContain("did not respond");
	});

	test("can be sent twice, and the second callback is rejected", async () => {
		const playground = await openPlayground();
		await playground.admin.inject({ act: "repeat", times: 1 });
		const { bot, interaction } = await typed({ playground });
		await expect.poll(() => bot.events("INTERACTION_CREATE")).toHaveLength(2);
		expect((await interaction.callback({ type: 5 })).status).toBe(204);
		expect(await interaction.callback({ type: 5 })).toMatchObject(refusal(400, 40060));
	});
});

test.each([
	["a connection that ends", { act: "close" }],
	["being asked to reconnect", { act: "reconnect" }],
	["a connection that became silent", { act: "silence" }],
] as const)("an unmodified discord.js bot resumes after %s", async (_, act) => {
	const playground = await openPlayground();
	const { admin } = playground;
	// The client notices a silent connection by an unacknowledged heartbeat. At a shorter interval, one that a busy machine delays
	// would end the session.
	await admin.setGateway({ heartbeatIntervalMs: 3_000 });
	const client = await connectDiscordJs(playground, async () => {});
	const isBack = new Promise((resolve) => client.once(Events.ShardResume, resolve));
	await admin.gateway(act);
	await isBack;
	const { payload } = (await deferred({ playground })).interaction;
	expect(payload["application_id"]).toBe(client.user?.id);
});
