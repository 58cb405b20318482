import { createInflate, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { IMAGE_COMMAND, invoked, MINUTE_MS, openPlayground, openWire, type TestPlayground } from "../testing/setup.ts";

async function setup() {
	const playground = await openPlayground();
	const url = `${playground.origin.replace("http", "ws")}/playground/gateway`;
	const connect = (query = "?v=10&encoding=json") => openWire(`${url}${query}`);
	const identify = (over: object = {}) => ({
		op: 2,
		d: { token: playground.botToken, properties: {}, intents: 0, ...over },
	});
	return { ...playground, url, connect, identify };
}

async function typePing({ rest, applicationId, user }: TestPlayground) {
	await rest("PUT", `/applications/${applicationId}/commands`, [{ name: "ping", description: "Pong" }]);
	return (await user()).type("/ping");
}

describe("starting a session", () => {
	test("sends Hello first, and acknowledges heartbeats", async () => {
		const { connect } = await setup();
		const gateway = await connect();
		expect(await gateway.until(() => true)).toMatchObject({ op: 10, d: { heartbeat_interval: 41_250 } });
		gateway.send({ op: 1, d: null });
		expect(await gateway.until(({ op }) => op === 11)).toMatchObject({ op: 11 });
	});

	test.each(["?v=9&encoding=json", "?v=10", ""])("accepts the query %j", async (query) => {
		const { connect, identify } = await setup();
		const gateway = await connect(query);
		gateway.send(identify());
		expect(await gateway.until(({ t }) => t === "READY")).toMatchObject({ d: { v: query.includes("9") ? 9 : 10 } });
	});

	test("READY contains the bot and the resume URL, and sequence numbers start at one", async () => {
		const playground = await setup();
		const { guilds } = await (await playground.user()).state();
		const gateway = await playground.connect();
		gateway.send(playground.identify());
		expect(await gateway.until(({ t }) => t === "READY")).toMatchObject({
			s: 1,
			d: {
				v: 10,
				user: { id: playground.applicationId, bot: true },
				guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
				session_id: expect.any(String),
				resume_gateway_url: playground.url,
				application: { id: playground.applicationId, flags: expect.any(Number) },
			},
		});
	});

	test("sends the members of a guild only with both the members and the presences intent; otherwise the bot alone", async () => {
		const playground = await setup();
		const [GUILDS, MEMBERS, PRESENCES] = [1 << 0, 1 << 1, 1 << 8];
		const seen = async (intents: number) => {
			const { gateway } = await playground.bot({ intents });
			const { d } = await gateway.until(({ t }) => t === "GUILD_CREATE");
			const members = d["members"] as { user: { username: string } }[];
			return [members.map(({ user }) => user.username), d["member_count"]];
		};
		expect(await seen(GUILDS)).toStrictEqual([["Atelier"], 6]);
		expect(await seen(GUILDS | MEMBERS)).toStrictEqual([["Atelier"], 6]);
		expect(await seen(GUILDS | PRESENCES)).toStrictEqual([["Atelier"], 6]);
		const [all] = await seen(GUILDS | MEMBERS | PRESENCES);
		expect(all).toHaveLength(6);
	});

	test("sends messages only to clients with the intent for messages", async () => {
		const playground = await setup();
		const quiet = await playground.bot();
		const curious = await playground.bot({ intents: 1 << 9 });
		const { channels } = await (await playground.user()).state();
		const path = `/channels/${channels[0]?.id}/messages`;
		const { id } = (await playground.rest("POST", path, { content: "one" })).body as { id: string };
		await playground.rest("PATCH", `${path}/${id}`, { content: "two" });
		await playground.rest("DELETE", `${path}/${id}`);
		await curious.gateway.until(({ t }) => t === "MESSAGE_DELETE");
		expect(curious.gateway.received.map(({ t }) => t).slice(2)).toStrictEqual([
			"MESSAGE_CREATE",
			"MESSAGE_UPDATE",
			"MESSAGE_DELETE",
		]);
		expect(quiet.gateway.received.map(({ t }) => t)).toStrictEqual([null, "READY"]);
	});

	test("zlib-stream is one compressed stream with a flush after every message", async () => {
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

const wrong = (over: object) => (playground: Awaited<ReturnType<typeof setup>>) => playground.identify(over);

test.each(["encoding=etf", "encoding=json&compress=zstd-stream", "encoding=json&compress=zlib"])(
	"the query %s closes with 4002 before hello",
	async (query) => {
		const { connect } = await setup();
		const client = await connect(`?v=10&${query}`);
		expect(await client.closed).toBe(4002);
		expect(client.received).toStrictEqual([]);
	},
);

const GUILD = "123456789012345678";

test("requests without an effect, for a presence or a voice channel, keep the connection open", async () => {
	const { gateway } = await (await setup()).bot();
	const activities = [{ name: "x", type: 0, state: "y" }];
	gateway.send({ op: 3, d: { since: null, activities, status: "idle", afk: false } });
	gateway.send({ op: 4, d: { guild_id: GUILD, channel_id: null } });
	gateway.send({ op: 31, d: {} });
	gateway.send({ op: 1, d: 1 });
	await expect(gateway.until(({ op }) => op === 11)).resolves.toBeDefined();
});

describe("the gateway closes the connection for", () => {
	test.each([
		["an unknown opcode", 4001, () => ({ op: 99, d: null })],
		["a packet that is not JSON", 4002, () => "{"],
		["more than 4096 bytes", 4002, () => ({ op: 1, d: "x".repeat(4_096) })],
		["an incomplete identify", 4002, () => ({ op: 2, d: { token: "x" } })],
		["a presence update before identifying", 4003, () => ({ op: 3, d: {} })],
		["a wrong token", 4004, wrong({ token: "wrong" })],
		["resuming with a wrong token", 4004, () => ({ op: 6, d: { token: "wrong", session_id: "x", seq: 1 } })],
		["an impossible shard", 4010, wrong({ shard: [2, 2] })],
		["an intent that does not exist", 4013, wrong({ intents: 2 ** 30 })],
		["a heartbeat with a text as its sequence number", 4002, () => ({ op: 1, d: "soon" })],
		["an incomplete resume", 4002, () => ({ op: 6, d: { token: "x" } })],
	])("%s: %i", async (_, code, payload) => {
		const playground = await setup();
		const gateway = await playground.connect();
		gateway.send(payload(playground));
		expect(await gateway.closed).toBe(code);
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
		const { gateway } = await (await setup()).bot();
		gateway.send({ op, d });
		expect(await gateway.closed).toBe(4002);
	});

	test.each([5, 8, 11])("version %i of the API: 4012", async (version) => {
		const { connect } = await setup();
		expect(await (await connect(`?v=${version}&encoding=json`)).closed).toBe(4012);
	});

	test("a second identify: 4005", async () => {
		const { bot, identify } = await setup();
		const { gateway } = await bot();
		gateway.send(identify());
		expect(await gateway.closed).toBe(4005);
	});

	test("more than 120 events in a minute: 4008", async () => {
		const { bot } = await setup();
		const { gateway } = await bot();
		for (let sent = 0; sent <= 120; sent += 1) gateway.send({ op: 1, d: null });
		expect(await gateway.closed).toBe(4008);
	});
});

/** A bot with these intents, and the members that it receives on a request for the first guild. */
async function asking(intents: number) {
	const playground = await setup();
	const user = await playground.user();
	const { guild } = await user.state();
	const { gateway } = await playground.bot({ intents });
	return {
		...playground,
		gateway,
		guild,
		you: user.me.user.id,
		ask: (d: object) => gateway.send({ op: 8, d: { guild_id: guild.id, ...d } }),
		chunk: async (nonce: string) => {
			const answer = await gateway.until(({ t, d }) => t === "GUILD_MEMBERS_CHUNK" && d["nonce"] === nonce);
			const { members, ...rest } = answer.d as { members: { user: { username: string } }[] };
			return { ...rest, names: members.map((member) => member.user.username) };
		},
	};
}

describe("a request for guild members", () => {
	const [MEMBERS, PRESENCES] = [1 << 1, 1 << 8];

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
		const playground = await setup();
		const { guilds } = await (await playground.user()).state();
		const { gateway, ready } = await playground.bot({ shard: [0, 2] });
		const own = (ready["guilds"] as { id: string }[]).map(({ id }) => id);
		for (const { id } of guilds) gateway.send({ op: 8, d: { guild_id: id, query: "robin", limit: 1 } });
		gateway.send({ op: 8, d: { guild_id: "123", query: "robin", limit: 1 } });
		gateway.send({ op: 1, d: null });
		await gateway.until(({ op }) => op === 11);
		const answered = gateway.received.filter(({ t }) => t === "GUILD_MEMBERS_CHUNK").map(({ d }) => d["guild_id"]);
		expect(answered).toStrictEqual(own);
	});
});

describe("a resume", () => {
	test("replays a missed event once, before RESUMED, and its interaction can be answered", async () => {
		const playground = await setup();
		const { gateway, ready } = await playground.bot();
		gateway.break();
		await gateway.closed;
		const reply = await typePing(playground);
		const back = await playground.connect();
		back.send({ op: 6, d: { token: playground.botToken, session_id: ready["session_id"], seq: 1 } });
		await back.until(({ t }) => t === "RESUMED");
		expect(back.received.map(({ t, s, d }) => [t, s, d["id"]])).toStrictEqual([
			[null, null, undefined],
			["INTERACTION_CREATE", 2, reply.interactionId],
			["RESUMED", 3, undefined],
		]);
		const { d } = await back.until(({ t }) => t === "INTERACTION_CREATE");
		expect(await invoked(playground.rest, d).callback({ type: 4, data: { content: "pong" } })).toMatchObject({
			status: 204,
		});
	});

	test("of an unknown session is invalid, and the connection may then identify", async () => {
		const { connect, identify, botToken } = await setup();
		const gateway = await connect();
		gateway.send({ op: 6, d: { token: botToken, session_id: "unknown", seq: 1 } });
		expect(await gateway.until(({ op }) => op === 9)).toMatchObject({ d: false });
		gateway.send(identify());
		expect(await gateway.until(({ t }) => t === "READY")).toBeDefined();
	});

	test("with a sequence number that was never sent is closed with 4007", async () => {
		const { bot, connect, botToken } = await setup();
		const { gateway, ready } = await bot();
		gateway.break();
		await gateway.closed;
		const back = await connect();
		back.send({ op: 6, d: { token: botToken, session_id: ready["session_id"], seq: 50 } });
		expect(await back.closed).toBe(4007);
	});

	test("is impossible after a regular close, and after five minutes", async () => {
		const { bot, connect, botToken, clock, user } = await setup();
		const polite = await bot();
		await polite.gateway.close(1000);
		const lost = await bot();
		lost.gateway.break();
		await lost.gateway.closed;
		// The playground notices the broken socket a moment later than its client.
		await expect.poll(async () => (await (await user()).state()).bot.online).toBe(false);
		await clock.advance(5 * MINUTE_MS);
		for (const { ready } of [polite, lost]) {
			const gateway = await connect();
			gateway.send({ op: 6, d: { token: botToken, session_id: ready["session_id"], seq: 1 } });
			expect(await gateway.until(({ op }) => op === 9)).toMatchObject({ d: false });
		}
	});
});

describe("shards", () => {
	test("interactions in direct messages are sent to the first shard", async () => {
		const playground = await setup();
		await playground.register(IMAGE_COMMAND);
		const user = await playground.user();
		await playground.rest("POST", "/users/@me/channels", { recipient_id: user.me.user.id });
		const [, first] = [await playground.bot({ shard: [1, 2] }), await playground.bot({ shard: [0, 2] })];
		const reply = await user.type("/image", { prompt: "x" }, { channel: "Atelier" });
		const { payload } = await first.interaction(reply.interactionId);
		expect(payload).toMatchObject({ user: { username: "robin" }, context: 1, channel: { type: 1 } });
		expect(payload).not.toHaveProperty("member");
	});

	test("a shard that is connected twice receives an interaction on both connections", async () => {
		const playground = await setup();
		const [one, two] = [await playground.bot(), await playground.bot()];
		const { interactionId } = await typePing(playground);
		expect((await one.interaction(interactionId)).id).toBe((await two.interaction(interactionId)).id);
	});
});
