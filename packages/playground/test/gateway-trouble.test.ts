/** Injected faults between the gateway and a bot: on the wire, and with discord.js. */
import { Client, Events } from "discord.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { openAdminClient } from "../src/admin/admin-client.ts";
import { deferred, type Ground, openGround, openWire, refusal, typed } from "../testing/setup.ts";

const wireOf = async (ground: Ground) => {
	const bot = await ground.bot();
	const { url } = (await ground.rest("GET", "/gateway/bot")).body as { url: string };
	const connect = (options?: Parameters<typeof openWire>[1]) => openWire(`${url}?v=10&encoding=json`, options);
	/** A second connection that asks for the session again. */
	async function resume(sessionId = bot.ready["session_id"]) {
		const wire = await connect();
		onTestFinished(() => wire.close(4_000).then(() => undefined));
		wire.send({ op: 6, d: { token: ground.playground.botToken, session_id: sessionId, seq: 1 } });
		return wire;
	}
	return { bot, controls: openAdminClient(ground.origin), connect, resume };
};

describe("a connection", () => {
	test.each([
		[{ act: "close" }, 4_000],
		[{ act: "close", code: 4_004 }, 4_004],
	] as const)("ends by %o with %i", async (act, code) => {
		const { bot, controls } = await wireOf(await openGround());
		await controls.gateway(act);
		expect(await bot.wire.closed).toBe(code);
	});

	test("is asked to come back", async () => {
		const { bot, controls } = await wireOf(await openGround());
		await controls.gateway({ act: "reconnect" });
		expect((await bot.wire.until(({ op }) => op === 7)).d).toBeNull();
	});

	test("that fell silent hears nothing, and who resumes has missed nothing", async () => {
		const ground = await openGround();
		const { bot, controls, resume } = await wireOf(ground);
		await controls.gateway({ act: "silence" });
		bot.wire.send({ op: 1, d: 1 });
		const person = await ground.person();
		await ground.register({ name: "hi", description: "x" });
		const reply = await person.type("/hi");
		const again = await resume();
		await again.until(({ t, d }) => t === "INTERACTION_CREATE" && d["id"] === reply.interactionId);
		expect(bot.wire.received.filter(({ op, t }) => op === 11 || t === "INTERACTION_CREATE")).toStrictEqual([]);
	});

	test("without heartbeats is ended with 4009, and its session with it; who beats when asked stays", async () => {
		const ground = await openGround();
		const { bot, controls, connect, resume } = await wireOf(ground);
		const heartless = await connect({ hasHeart: false });
		heartless.send({ op: 2, d: { token: ground.playground.botToken, properties: {}, intents: 0 } });
		const { d: ready } = await heartless.until(({ t }) => t === "READY");
		await controls.advanceClock(60_000);
		bot.wire.send({ op: 1, d: null });
		await bot.wire.until(({ op }) => op === 11);
		expect(heartless.received.map(({ op }) => op)).not.toContain(1);
		await controls.advanceClock(2_000);
		expect(await heartless.closed).toBe(4_009);
		expect(heartless.received.at(-1)).toMatchObject({ op: 1 });
		const again = await resume(ready["session_id"]);
		expect((await again.until(({ op }) => op === 9)).d).toBe(false);
		await controls.advanceClock(15 * 60_000);
		await expect.poll(() => bot.wire.received.filter(({ op }) => op === 11)).toHaveLength(2);
		await expect(controls.gateway({ act: "reconnect" })).resolves.toBeDefined();
	});

	test("is sent any packet", async () => {
		const { bot, controls } = await wireOf(await openGround());
		await controls.gateway({ act: "send", payload: { op: 0, t: "GUILD_CREATE", d: null, s: null } });
		expect((await bot.wire.until(({ t }) => t === "GUILD_CREATE")).d).toBeNull();
	});

	test("that resumes gets no answer while the gateway gives none, and its heartbeats do", async () => {
		const { controls, resume } = await wireOf(await openGround());
		await controls.setAnswersResume(false);
		await controls.gateway({ act: "close" });
		const again = await resume();
		again.send({ op: 1, d: 1 });
		await again.until(({ op }) => op === 11);
		expect(again.received.map(({ op }) => op)).toStrictEqual([10, 11]);
	});

	test("cannot be ended where there is none", async () => {
		const { origin } = await openGround();
		await expect(openAdminClient(origin).gateway({ act: "close" })).rejects.toThrow("No bot is connected.");
	});
});

test("a session that is over cannot be resumed, one that is resumable can", async () => {
	const ground = await openGround();
	const { bot, controls, resume } = await wireOf(ground);
	const resumed = async (sessionId: unknown) => {
		const answer = await (await resume(sessionId)).until(({ op, t }) => op === 9 || t === "RESUMED");
		return answer.op === 9 ? "invalid" : "resumed";
	};
	await controls.gateway({ act: "invalidate", isResumable: true });
	expect((await bot.wire.until(({ op }) => op === 9)).d).toBe(true);
	expect(await resumed(bot.ready["session_id"])).toBe("resumed");

	const second = await ground.bot();
	await controls.gateway({ act: "invalidate" });
	expect((await second.wire.until(({ op }) => op === 9)).d).toBe(false);
	expect(await resumed(second.ready["session_id"])).toBe("invalid");
});

describe("an event", () => {
	test("is lost once, and then comes again", async () => {
		const ground = await openGround();
		const controls = openAdminClient(ground.origin);
		await controls.injectEvent({ act: "drop", event: "INTERACTION_CREATE", times: 1 });
		const bot = await ground.bot();
		await ground.register({ name: "hi", description: "x" });
		const person = await ground.person();
		const lost = await person.type("/hi");
		const heard = await person.type("/hi");
		await bot.interaction(heard.interactionId);
		const ids = bot.wire.received.filter(({ t }) => t === "INTERACTION_CREATE").map(({ d }) => d["id"]);
		expect(ids).toStrictEqual([heard.interactionId]);
		await controls.advanceClock(3_000);
		await expect.poll(() => lost.failure()).toContain("did not respond");
	});

	test("comes twice, and the second answer to it is refused", async () => {
		const ground = await openGround();
		await openAdminClient(ground.origin).injectEvent({ act: "repeat", times: 1 });
		const { bot, interaction } = await typed({ ground });
		await expect.poll(() => bot.wire.received.filter(({ t }) => t === "INTERACTION_CREATE")).toHaveLength(2);
		expect((await interaction.callback({ type: 5 })).status).toBe(204);
		expect(await interaction.callback({ type: 5 })).toMatchObject(refusal(400, 40060));
	});
});

describe("an unmodified discord.js bot", () => {
	test.each([
		["a connection that ends", { act: "close" }],
		["being asked to reconnect", { act: "reconnect" }],
		["a connection that died without a word", { act: "silence" }],
	] as const)("resumes after %s", async (_, act) => {
		const ground = await openGround();
		const controls = openAdminClient(ground.origin);
		// The client notices by an unacknowledged heartbeat.
		await controls.setHeartbeat(150);
		const client = new Client({ intents: [], rest: { api: `${ground.origin}/api` } });
		onTestFinished(() => client.destroy());
		const isReady = new Promise((resolve) => client.once(Events.ClientReady, resolve));
		await client.login(ground.playground.botToken);
		await isReady;
		const isBack = new Promise((resolve) => client.once(Events.ShardResume, resolve));
		await controls.gateway(act);
		await isBack;
		const { payload } = (await deferred({ ground })).interaction;
		expect(payload["application_id"]).toBe(client.user?.id);
	});
});
