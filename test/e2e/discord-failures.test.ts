import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { GATEWAY_CHECK_EVERY_MS, GATEWAY_DOWN_MS_MAX } from "../../src/discord/gateway-watch.ts";
import type { App } from "../../src/app/app-context.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { freePort } from "@atelier/common/testing/free-port";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAtelier } from "./start-atelier.ts";
import { openDiscord } from "./open-discord.ts";
import { startProcess } from "./child-process.ts";

async function readiness({ origin }: App): Promise<readonly [number, unknown]> {
	const response = await fetch(`${origin}/readyz`);
	return [response.status, await response.json()];
}

test("a lost gateway connection is visible in /readyz until it is restored", async () => {
	const dataDir = await createTempFolder();
	const discord = await openDiscord({ dataDir, port: await freePort() });
	const { atelier } = await openAtelier({ env: discord.env });
	const well = { status: "ready", store: true, gateway: true, media: true, oldestOverdueRunMs: 0 };
	expect(await readiness(atelier)).toStrictEqual([200, well]);
	await discord.close();
	await expect.poll(() => readiness(atelier)).toStrictEqual([503, { ...well, status: "not ready", gateway: false }]);
	expect((await fetch(`${atelier.origin}/livez`)).status).toBe(200);
	await openDiscord({ dataDir, port: discord.port });
	await expect.poll(() => readiness(atelier)).toMatchObject([200, { gateway: true }]);
});

test("a gateway outage while the API works fails /livez, and an outage of both does not", async () => {
	const discord = await openDiscord();
	const clock = createManualClock();
	const { atelier, logs } = await openAtelier({ env: discord.env, clock });
	const livez = async (): Promise<number> => (await fetch(`${atelier.origin}/livez`)).status;
	const adminClient = openAdminClient(discord.origin);
	await adminClient.setGateway({ answersResume: false });
	await adminClient.gateway({ act: "close", code: 4000 });
	await expect.poll(() => readiness(atelier)).toMatchObject([503, { gateway: false }]);
	await clock.advance(GATEWAY_DOWN_MS_MAX / 2);
	expect(await livez()).toBe(200);
	await clock.advance(GATEWAY_DOWN_MS_MAX / 2 + GATEWAY_CHECK_EVERY_MS);
	await expect.poll(livez).toBe(503);
	expect(logs()).toContain("gateway down although Discord's API responds");
	discord.answer(/\/gateway$/, 503, {});
	await clock.advance(GATEWAY_CHECK_EVERY_MS);
	await expect.poll(livez).toBe(200);
});

test("a token that the gateway rejects later ends the process with a message and code 1", async () => {
	const discord = await openDiscord({ port: await freePort() });
	const bot = startProcess({ ...discord.env, PORT: "0", STORE_URL: "memory:", DATA_DIR: await createTempFolder() });
	await bot.logged("Atelier is ready");
	const exited = bot.exited();
	await discord.close();
	// Another Discord at the same address, which does not know the token.
	await openDiscord({ port: discord.port });
	const line = await bot.logged("cannot continue");
	expect(line).toMatchObject({
		level: 60,
		msg: expect.stringContaining("Discord rejects DISCORD_TOKEN. Copy it again"),
	});
	expect(await exited).toBe(1);
});

test("an error of Discord is logged without the token and the prompt in it", async () => {
	const discord = await openDiscord();
	const { userClient, logs } = await openAtelier({ env: discord.env });
	discord.answer(/^(PATCH|POST) .*\/(webhooks|interactions|channels)\//, 400, {
		message: "Invalid Form Body",
		code: 50_035,
		errors: { content: { _errors: [{ code: "PLANTED", message: "injected secret words" }] } },
	});
	await userClient.type("/image", { prompt: "injected secret words" });
	await expect.poll(logs).toContain("DiscordAPIError");
	expect(logs()).toContain("/[token]/");
});

test("the start continues although commands cannot be registered, and a stop logs no warning", async () => {
	const discord = await openDiscord();
	discord.answer(/^PUT .*\/commands/, 503, {});
	const { atelier, logs } = await openAtelier({ env: discord.env });
	expect(await readiness(atelier)).toMatchObject([200, { gateway: true }]);
	const atStart = logs();
	expect(atStart).toContain("commands not registered");
	await atelier.stop();
	expect(logs().slice(atStart.length)).not.toMatch(/"level":[456]0/);
});

test("the start fails if Discord rejects the commands", async () => {
	const discord = await openDiscord();
	discord.answer(/^PUT .*\/commands/, 400, { message: "Invalid Form Body", code: 50_035 });
	await expect(openAtelier({ env: discord.env })).rejects.toThrow("Invalid Form Body");
});

test("a silent gateway fails the start after a minute", async () => {
	const silent = new WebSocketServer({ port: 0, host: "127.0.0.1" });
	onTestFinished(() => silent.close());
	await once(silent, "listening");
	const discord = await openDiscord();
	discord.answer(/gateway/, 200, {
		url: `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`,
		shards: 1,
		session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
	});
	const clock = createManualClock();
	const connected = once(silent, "connection");
	void connected.then(() => clock.advance(60_000));
	await expect(openAtelier({ env: discord.env, clock })).rejects.toThrow("was not ready within 60 seconds");
});
