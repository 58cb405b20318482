import { textOf } from "@atelier/playground/user-client/message-contents";
import { readdir } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { openUserClient } from "@atelier/playground/user-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { MODEL, ok } from "./stub-media-service.ts";
import { openDiscord } from "./open-discord.ts";
import { startProcess } from "./child-process.ts";

/** A service that first lists no models, and then responds slowly, so that a command waits for them. */
async function openSlowService() {
	let reads = 0;
	const waiting = Promise.withResolvers<void>();
	const respond = Promise.withResolvers<void>();
	const url = await openHttpServer((request, response) => {
		if (request.method === "POST") return void response.writeHead(400).end('{"code":40005,"message":"not today"}');
		reads++;
		if (reads === 1) return void response.writeHead(500).end("out of order");
		waiting.resolve();
		void respond.promise.then(() => response.end(ok({ models: [MODEL] })));
	});
	return { env: { MEDIA_API_URL: url, MEDIA_API_KEY: "key" }, waiting: waiting.promise, respond: respond.resolve };
}

test("a command that is running at a stop becomes a task, which the next start ends", async () => {
	const discord = await openDiscord();
	const service = await openSlowService();
	const env = { ...discord.env, ...service.env, PORT: "0", DATA_DIR: await createTempFolder() };
	const first = startProcess(env);
	const { url } = await first.logged("Atelier is ready");
	const userClient = await openUserClient(discord.origin);
	onTestFinished(() => userClient.close());
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await service.waiting;
	expect((await fetch(`${String(url)}/readyz`)).status).toBe(200);
	const ended = first.end("SIGTERM");
	await first.logged("stopping");
	const readiness = await fetch(`${String(url)}/readyz`);
	expect(readiness.status).toBe(503);
	expect(await readiness.json()).toMatchObject({ status: "stopping", store: true, gateway: true });
	// The process would have ended before the last of these if it did not wait for the command.
	for (let n = 0; n < 200; n++) expect((await fetch(`${String(url)}/livez`)).ok).toBe(true);
	expect((await userClient.state()).bot.online).toBe(true);
	service.respond();
	await first.logged("task created");
	expect(await ended).toBe(0);
	expect((await userClient.state()).bot.online).toBe(false);

	startProcess(env);
	const content = textOf(await reply.until(isFinalReply));
	expect(content).toContain("not today");
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
