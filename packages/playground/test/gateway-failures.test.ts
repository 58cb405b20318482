/** Injected faults between the gateway and a bot: on the wire, and with discord.js. */
import { Events } from "discord.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectDiscordJs } from "./discord-js-client.ts";
import { deferred, type TestPlayground, openPlayground, openWire, refusal, typed } from "../testing/setup.ts";

const wireOf = async (playground: TestPlayground) => {
	const bot = await playground.bot();
	const { url } = (await playground.rest("GET", "/gateway/bot")).body as { url: string };
	const connect = () => openWire(`${url}?v=10&encoding=json`);
	/** A second connection that asks for the session again. */
	async function resume(sessionId = bot.ready["session_id"]) {
		const gateway = await connect();
		onTestFinished(() => gateway.close(4_000).then(() => undefined));
		gateway.send({ op: 6, d: { token: playground.botToken, session_id: sessionId, seq: 1 } });
		return gateway;
	}
	return { bot, admin: playground.admin, connect, resume };
};

describe("a gateway connection", () => {
	test("that stopped responding receives nothing, and a resume receives what it missed", async () => {
		const playground = await openPlayground();
		const { bot, admin, resume } = await wireOf(playground);
		await admin.gateway({ act: "silence" });
		bot.gateway.send({ op: 1, d: 1 });
		const user = await playground.user();
		await playground.register({ name: "hi", description: "x" });
		const reply = await user.type("/hi");
		const again = await resume();
		await again.until(({ t, d }) => t === "INTERACTION_CREATE" && d["id"] === reply.interactionId);
		expect(bot.gateway.received.filter(({ op, t }) => op === 11 || t === "INTERACTION_CREATE")).toStrictEqual([]);
	});

	test("without heartbeats is closed with 4009, and its session ends; an older one with heartbeats stays open", async () => {
		const playground = await openPlayground();
		const { admin, connect, resume } = await wireOf(playground);
		await admin.setGateway({ heartbeatIntervalMs: 1_000 });
		const beating = await connect();
		const beat = setInterval(() => beating.send({ op: 1, d: null }), 50);
		onTestFinished(() => clearInterval(beat));
		const acknowledged = () => beating.received.filter(({ op }) => op === 11).length;
		const silent = await connect();
		silent.send({ op: 2, d: { token: playground.botToken, properties: {}, intents: 0 } });
		const { d: ready } = await silent.until(({ t }) => t === "READY");
		expect(await silent.closed).toBe(4_009);
		const before = acknowledged();
		await expect.poll(acknowledged).toBeGreaterThan(before);
		const again = await resume(ready["session_id"]);
		expect((await again.until(({ op }) => op === 9)).d).toBe(false);
	});
});

test("an invalidated session can be resumed only if it is marked as resumable", async () => {
	const playground = await openPlayground();
	const { bot, admin, resume } = await wireOf(playground);
	const resumed = async (sessionId: unknown) => {
		const answer = await (await resume(sessionId)).until(({ op, t }) => op === 9 || t === "RESUMED");
		return answer.op === 9 ? "invalid" : "resumed";
	};
	await admin.gateway({ act: "invalidate", isResumable: true });
	expect((await bot.gateway.until(({ op }) => op === 9)).d).toBe(true);
	expect(await resumed(bot.ready["session_id"])).toBe("resumed");

	const second = await playground.bot();
	await admin.gateway({ act: "invalidate" });
	expect((await second.gateway.until(({ op }) => op === 9)).d).toBe(false);
	expect(await resumed(second.ready["session_id"])).toBe("invalid");
});

describe("a gateway event", () => {
	test("can be dropped once; the next one is sent", async () => {
		const playground = await openPlayground();
		const { admin } = playground;
		await admin.injectEventFault({ act: "drop", event: "INTERACTION_CREATE", times: 1 });
		const bot = await playground.bot();
		await playground.register({ name: "hi", description: "x" });
		const user = await playground.user();
		const lost = await user.type("/hi");
		const heard = await user.type("/hi");
		await bot.interaction(heard.interactionId);
		const ids = bot.gateway.received.filter(({ t }) => t === "INTERACTION_CREATE").map(({ d }) => d["id"]);
		expect(ids).toStrictEqual([heard.interactionId]);
		await admin.advanceClock({ advanceMs: 3_000 });
		await expect.poll(() => lost.failure()).toContain("did not respond");
	});

	test("can be sent twice, and the second callback is rejected", async () => {
		const playground = await openPlayground();
		await playground.admin.injectEventFault({ act: "repeat", times: 1 });
		const { bot, interaction } = await typed({ playground });
		await expect.poll(() => bot.gateway.received.filter(({ t }) => t === "INTERACTION_CREATE")).toHaveLength(2);
		expect((await interaction.callback({ type: 5 })).status).toBe(204);
		expect(await interaction.callback({ type: 5 })).toMatchObject(refusal(400, 40060));
	});
});

describe("an unmodified discord.js bot", () => {
	test.each([
		["a connection that ends", { act: "close" }],
		["being asked to reconnect", { act: "reconnect" }],
		["a connection that became silent", { act: "silence" }],
	] as const)("resumes after %s", async (_, act) => {
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
});
