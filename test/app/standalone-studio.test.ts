import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { openStore } from "@atelier/store/open-store";
import { startStandaloneStudio } from "../../src/app/standalone-studio.ts";
import { runCli } from "../cli/run-cli.ts";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { createFakeEngine, fakePng } from "@atelier/studio/testing/fake-engine";

const ADDRESS = { HOST: "127.0.0.1", METRICS_HOST: "127.0.0.1", PORT: 0 };

async function start(
	config: Parameters<typeof startStandaloneStudio>[0],
	engine = createFakeEngine(),
	unlimitedAccounts: readonly string[] = [],
) {
	const engines = { engines: [engine], engineOrder: {} };
	const studio = await startStandaloneStudio(config, pino({ level: "silent" }), engines, unlimitedAccounts);
	onTestFinished(() => studio.stop());
	return studio;
}

/** Creates a key with credits, as an operator does from the command line. */
async function openKey(storeUrl: string): Promise<string> {
	const env = { STORE_URL: storeUrl };
	const { stdout } = await runCli("keys create acme --name web".split(" "), { env });
	await runCli("accounts grant acme 50 --reason welcome".split(" "), { env });
	return /^sk-\S+/.exec(stdout[0] ?? "")?.[0] ?? "";
}

test("the studio runs without the bot, with keys and credits from the command line, also after a restart", async () => {
	const folder = await createTempFolder();
	const config = {
		...ADDRESS,
		STUDIO_URL: "https://studio.example",
		STORE_URL: `sqlite:${join(folder, "studio.db")}`,
		DATA_DIR: folder,
	};
	const headers = { authorization: `Bearer ${await openKey(config.STORE_URL)}`, "content-type": "application/json" };

	const rateLimitAt = async (origin: string): Promise<string | null> =>
		(await fetch(`${origin}/api/v1/models`, { headers })).headers.get("x-ratelimit-limit");

	const first = await start(config);
	const body = JSON.stringify({ mediaType: "image", model: "fake-image", prompt: "a fox" });
	const submitted = await fetch(`${first.origin}/api/v1/generate`, { method: "POST", headers, body });
	const { data } = (await submitted.json()) as { data: { taskId: string } };
	const read = async (origin: string): Promise<unknown> =>
		(await fetch(`${origin}/api/v1/task/${data.taskId}`, { headers })).json();
	await expect.poll(() => read(first.origin)).toMatchObject({ code: 0, data: { status: "success" } });
	expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
	expect(await rateLimitAt(first.origin)).toBe("100");
	const readLease = async (): Promise<unknown> => {
		const store = await openStore(config.STORE_URL);
		onTestFinished(() => store.close());
		return await store.get("studio-lease");
	};
	expect(await readLease()).toBeDefined();
	await first.stop();
	expect(await readLease()).toBeUndefined();

	const second = await start(config, createFakeEngine(), ["acme"]);
	expect(await rateLimitAt(second.origin)).toBeNull();
	const record = await read(second.origin);
	expect(record).toMatchObject({ data: { status: "success", credits: { charged: 4 } } });
	expect(JSON.stringify(record)).toContain('"url":"https://studio.example/media/');
});

test("a standalone studio fetches input images from Discord's file hosts and the configured Discord only", async () => {
	const folder = await createTempFolder();
	const origin = await openHttpServer((_request, response) => response.end(fakePng("attached")));
	const config = loadConfig({
		STORE_URL: `sqlite:${join(folder, "studio.db")}`,
		DATA_DIR: folder,
		PORT: "0",
		DISCORD_TOKEN: "x".repeat(30),
		DISCORD_API_URL: `${origin}/api`,
	});
	const key = await openKey(config.STORE_URL);
	const engine = createFakeEngine();
	const studio = await start(config, engine);

	const submit = async (url: string): Promise<unknown> => {
		const body = { mediaType: "image", model: "fake-image", prompt: "a fox", options: { image_input: [url] } };
		const response = await fetch(`${studio.origin}/api/v1/generate`, {
			method: "POST",
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		return await response.json();
	};
	expect(await submit("http://127.0.0.1:9/secret.png")).toMatchObject({
		code: 40_005,
		message: expect.stringContaining("https://cdn.discordapp.com"),
	});
	expect(await submit(`${origin}/attachments/1/2/fox.png`)).toMatchObject({ code: 0 });
	await expect.poll(() => engine.runs[0]?.inputs.images).toStrictEqual([fakePng("attached")]);
});

test("the studio starts beside the .env of a bot that uses it", async () => {
	const bot = { MEDIA_API_URL: "http://127.0.0.1:8080", MEDIA_API_KEY: "k", STORE_URL: "memory:" };
	const { stderr } = await runCli(["studio"], { env: { ...bot, STUDIO_ENGINES: "/nowhere/engines.json" } });
	expect(stderr).toContain("/nowhere/engines.json");
});
