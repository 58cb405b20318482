import { textOf } from "@atelier/playground/user-client/message-contents";
import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openFakeServer } from "@atelier/studio/testing/servers/fake-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openDiscord } from "./open-discord.ts";
import { advanceUntilAnswered, openAtelier, storeOnDisk } from "./start-atelier.ts";

/** A service that first lists no models, and then responds slowly, so that a command waits for them. */
async function openSlowService() {
	const waiting = Promise.withResolvers<void>();
	const respond = Promise.withResolvers<void>();
	const service = await openFakeServer(async ({ method }) => {
		if (method === "POST") return { status: 400, json: { code: 40005, message: "not today" } };
		waiting.resolve();
		await respond.promise;
		return { json: { code: 0, data: { models: [fakeImageModel] } } };
	});
	service.plan("GET", "/", { status: 500, text: "out of order" });
	const env = { MEDIA_API_URL: service.url, MEDIA_API_KEY: "key" };
	return { env, waiting: waiting.promise, respond: respond.resolve };
}

test("a command that is running at a stop becomes a task, which the next start ends", async () => {
	// The clock of the bot stands still, so the stop waits for the command without a deadline.
	const clock = createManualClock();
	const discord = await openDiscord({ clock });
	const service = await openSlowService();
	const env = { ...discord.env, ...service.env, ...(await storeOnDisk()) };
	const { atelier, userClient, logs } = await openAtelier({ clock, env });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await service.waiting;
	expect((await fetch(`${atelier.origin}/readyz`)).status).toBe(200);
	const stopped = atelier.stop();
	const readiness = await fetch(`${atelier.origin}/readyz`);
	expect(readiness.status).toBe(503);
	expect(await readiness.json()).toMatchObject({ status: "stopping", store: true, gateway: true });
	// The app would have closed its server before the last of these if it did not wait for the command.
	for (let n = 0; n < 30; n++) expect((await fetch(`${atelier.origin}/livez`)).ok).toBe(true);
	expect((await userClient.state()).bot.online).toBe(true);
	service.respond();
	await stopped;
	expect(logs()).toContain("task created");
	expect((await userClient.state()).bot.online).toBe(false);

	await openAtelier({ clock, env });
	expect(textOf(await advanceUntilAnswered(clock, reply))).toContain("not today");
});

test("a failed disposal does not stop the others, and is reported at the end", async () => {
	const engine = createFakeEngine();
	const closing = { ...engine, close: () => Promise.reject(new Error("the engine is stuck")) };
	const folder = await createTempFolder();
	const lines: string[] = [];
	const logger = createLogger({
		level: "warn",
		pretty: false,
		destination: { write: (line) => void lines.push(line) },
	});
	const config = loadConfig({ PORT: "0", STORE_URL: `sqlite:${folder}/a.db`, DATA_DIR: folder });
	const atelier = await createApp(config, logger, { engines: [closing] });
	await expect(atelier.stop()).rejects.toThrow("shutdown was incomplete");
	expect(lines.join("")).toContain("the engine is stuck");
	// SQLite removes its journal only when the store is closed, which happens last.
	expect(await readdir(folder)).not.toContain("a.db-wal");
	await expect(fetch(`${atelier.origin}/livez`)).rejects.toThrow("fetch failed");
});
