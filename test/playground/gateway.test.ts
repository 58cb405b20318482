import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { createInflate, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { IMAGE_COMMAND, invoked, MINUTE_MS, openGround, openWire, type Ground } from "./setup.ts";

async function setup() {
	const ground = await openGround();
	const url = `${ground.origin.replace("http", "ws")}/playground/gateway`;
	const connect = (query = "?v=10&encoding=json") => openWire(`${url}${query}`);
	const identify = (over: object = {}) => ({
		op: 2,
		d: { token: ground.playground.botToken, properties: {}, intents: 0, ...over },
	});
	return { ...ground, url, connect, identify };
}

async function typePing({ rest, applicationId, person }: Ground) {
	await rest("PUT", `/applications/${applicationId}/commands`, [{ name: "ping", description: "Pong" }]);
	return (await person()).type("/ping");
}

describe("starting a session", () => {
	test("hello comes first, and heartbeats are acknowledged", async () => {
		const { connect } = await setup();
		const wire = await connect();
		expect(await wire.until(() => true)).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
		wire.send({ op: 1, d: null });
		expect(await wire.until(({ op }) => op === 11)).toMatchObject({ op: 11 });
	});

	test("READY says who the bot is and where to resume, and counts from one", async () => {
		const ground = await setup();
		const { servers } = await (await ground.person()).state();
		const wire = await ground.connect();
		wire.send(ground.identify());
		expect(await wire.until(({ t }) => t === "READY")).toMatchObject({
			s: 1,
			d: {
				v: 10,
				user: { id: ground.applicationId, bot: true },
				guilds: servers.map(({ id }) => ({ id, unavailable: true })),
				session_id: expect.any(String),
				resume_gateway_url: ground.url,
				application: { id: ground.applicationId, flags: expect.any(Number) },
			},
		});
	});

	test("without the Guilds intent a guild stays unavailable; with it the guild follows", async () => {
		const ground = await setup();
		const quiet = await ground.bot();
		const curious = await ground.bot({ intents: 1 });
		const { d } = await curious.wire.until(({ t }) => t === "GUILD_CREATE");
		expect(d).toMatchObject({
			name: "Atelier Playground",
			channels: [{ name: "general" }, { name: "gallery" }, { name: "after-dark" }, { name: "notices" }],
			member_count: 6,
		});
		expect(quiet.wire.received.map(({ t }) => t)).not.toContain("GUILD_CREATE");
	});

	test("messages are told to those who asked for them", async () => {
		const ground = await setup();
		const quiet = await ground.bot();
		const curious = await ground.bot({ intents: 1 << 9 });
		const { channels } = await (await ground.person()).state();
		const path = `/channels/${channels[0]?.id}/messages`;
		const { id } = (await ground.rest("POST", path, { content: "one" })).body as { id: string };
		await ground.rest("PATCH", `${path}/${id}`, { content: "two" });
		await ground.rest("DELETE", `${path}/${id}`);
		await curious.wire.until(({ t }) => t === "MESSAGE_DELETE");
		expect(curious.wire.received.map(({ t }) => t).slice(2)).toStrictEqual([
			"MESSAGE_CREATE",
			"MESSAGE_UPDATE",
			"MESSAGE_DELETE",
		]);
		expect(quiet.wire.received.map(({ t }) => t)).toStrictEqual([null, "READY"]);
	});

	test("zlib-stream is one compressed stream, flushed after every message", async () => {
		const { url, identify } = await setup();
		const socket = new WebSocket(`${url}?v=10&encoding=json&compress=zlib-stream`);
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

const wrong = (over: object) => (ground: Awaited<ReturnType<typeof setup>>) => ground.identify(over);

describe("what ends a connection", () => {
	test.each([
		["an unknown opcode", 4001, () => ({ op: 99, d: null })],
		["what is no JSON", 4002, () => "{"],
		["more than 4096 bytes", 4002, () => ({ op: 1, d: "x".repeat(4_096) })],
		["identifying with half of it missing", 4002, () => ({ op: 2, d: { token: "x" } })],
		["anything before identifying", 4003, () => ({ op: 3, d: {} })],
		["a wrong token", 4004, wrong({ token: "wrong" })],
		["resuming with a wrong token", 4004, () => ({ op: 6, d: { token: "wrong", session_id: "x", seq: 1 } })],
		["a shard that cannot be", 4010, wrong({ shard: [2, 2] })],
		["an intent that does not exist", 4013, wrong({ intents: 2 ** 30 })],
	])("%s: %i", async (_, code, payload) => {
		const ground = await setup();
		const wire = await ground.connect();
		wire.send(payload(ground));
		expect(await wire.closed).toBe(code);
	});

	test("another version of the API: 4012", async () => {
		const { connect } = await setup();
		expect(await (await connect("?v=6&encoding=json")).closed).toBe(4012);
	});

	test("identifying twice: 4005", async () => {
		const { bot, identify } = await setup();
		const { wire } = await bot();
		wire.send(identify());
		expect(await wire.closed).toBe(4005);
	});

	test("more than 120 events in a minute: 4008", async () => {
		const { bot } = await setup();
		const { wire } = await bot();
		for (let sent = 0; sent <= 120; sent += 1) wire.send({ op: 1, d: null });
		expect(await wire.closed).toBe(4008);
	});
});

describe("resuming", () => {
	test("a client that lost its connection hears of everything it missed, in order, once", async () => {
		const ground = await setup();
		const { wire, ready } = await ground.bot();
		wire.break();
		await wire.closed;
		const reply = await typePing(ground);
		const back = await ground.connect();
		back.send({ op: 6, d: { token: ground.playground.botToken, session_id: ready["session_id"], seq: 1 } });
		await back.until(({ t }) => t === "RESUMED");
		expect(back.received.map(({ t, s, d }) => [t, s, d["id"]])).toStrictEqual([
			[null, null, undefined],
			["INTERACTION_CREATE", 2, reply.interactionId],
			["RESUMED", 3, undefined],
		]);
		const { d } = await back.until(({ t }) => t === "INTERACTION_CREATE");
		expect(await invoked(ground.rest, d).callback({ type: 4, data: { content: "pong" } })).toMatchObject({
			status: 204,
		});
	});

	test("a session that nobody knows is invalid, and the same connection may identify", async () => {
		const { connect, identify, playground } = await setup();
		const wire = await connect();
		wire.send({ op: 6, d: { token: playground.botToken, session_id: "unknown", seq: 1 } });
		expect(await wire.until(({ op }) => op === 9)).toMatchObject({ d: false });
		wire.send(identify());
		expect(await wire.until(({ t }) => t === "READY")).toBeDefined();
	});

	test("a sequence number that was never sent: 4007", async () => {
		const { bot, connect, playground } = await setup();
		const { wire, ready } = await bot();
		wire.break();
		await wire.closed;
		const back = await connect();
		back.send({ op: 6, d: { token: playground.botToken, session_id: ready["session_id"], seq: 50 } });
		expect(await back.closed).toBe(4007);
	});

	test("after a goodbye in order, and after five minutes away, there is nothing to resume", async () => {
		const { bot, connect, playground, clock, person } = await setup();
		const polite = await bot();
		await polite.wire.close(1000);
		const lost = await bot();
		lost.wire.break();
		await lost.wire.closed;
		// The playground hears of the broken socket a moment later than its client.
		await expect.poll(async () => (await (await person()).state()).bot.online).toBe(false);
		await clock.advance(5 * MINUTE_MS);
		for (const { ready } of [polite, lost]) {
			const wire = await connect();
			wire.send({ op: 6, d: { token: playground.botToken, session_id: ready["session_id"], seq: 1 } });
			expect(await wire.until(({ op }) => op === 9)).toMatchObject({ d: false });
		}
	});
});

describe("shards", () => {
	test("a guild's interactions reach its shard alone", async () => {
		const ground = await setup();
		await ground.rest("PUT", `/applications/${ground.applicationId}/commands`, [IMAGE_COMMAND]);
		const shards = [await ground.bot({ shard: [0, 2] }), await ground.bot({ shard: [1, 2] })];
		const person = await ground.person();
		const { guild } = await person.state();
		const own = Number((BigInt(guild.id) >> 22n) % 2n);
		const lists = shards.map(({ ready }) => (ready["guilds"] as { id: string }[]).map(({ id }) => id));
		expect(lists[own]).toStrictEqual([guild.id]);
		expect(lists[1 - own]).toHaveLength(1);
		expect(lists[1 - own]).not.toContain(guild.id);
		const reply = await person.type("/image", { prompt: "x" });
		await shards[own]?.interaction(reply.interactionId);
		expect(shards[1 - own]?.wire.received.map(({ t }) => t)).toStrictEqual([null, "READY"]);
	});

	test("direct conversations belong to the first shard", async () => {
		const ground = await setup();
		await ground.rest("PUT", `/applications/${ground.applicationId}/commands`, [IMAGE_COMMAND]);
		const person = await ground.person();
		await ground.rest("POST", "/users/@me/channels", { recipient_id: person.me.user.id });
		const [, first] = [await ground.bot({ shard: [1, 2] }), await ground.bot({ shard: [0, 2] })];
		const reply = await person.type("/image", { prompt: "x" }, { channel: "Atelier" });
		const { payload } = await first.interaction(reply.interactionId);
		expect(payload).toMatchObject({ user: { username: "you" }, context: 1, channel: { type: 1 } });
		expect(payload).not.toHaveProperty("member");
	});

	test("the same shard connected twice hears of everything twice", async () => {
		const ground = await setup();
		const [one, two] = [await ground.bot(), await ground.bot()];
		const { interactionId } = await typePing(ground);
		expect((await one.interaction(interactionId)).id).toBe((await two.interaction(interactionId)).id);
	});
});

test("the page sees the bot come and go", async () => {
	const { bot, person } = await setup();
	const you = await person();
	expect((await you.state()).bot.online).toBe(false);
	const { leave } = await bot();
	expect((await you.state()).bot.online).toBe(true);
	await leave();
	await expect.poll(async () => (await you.state()).bot.online).toBe(false);
});

test("who asks for a socket in a wrong way is refused in our words, and not with a page", async () => {
	const { origin } = await setup();
	const headers = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
	const asked = request(`${origin}/playground/gateway`, { headers }).end();
	const [answer] = (await once(asked, "response")) as [IncomingMessage];
	expect(answer.statusCode).toBe(400);
	expect(answer.headers).toStrictEqual({ connection: "close", "content-length": "0" });
	answer.resume();
});
