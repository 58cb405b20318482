import Fastify from "fastify";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { registerResultRoutes } from "../../../src/http/result-routes.ts";
import { createResultLinks, openLinkSecret } from "../../../src/services/delivery/result-links.ts";
import { createResultStore } from "../../../src/services/delivery/result-store.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { storeFile } from "../../fakes/file-content.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const TASK = "1430000000000000000";
const DAY_MS = 24 * 60 * 60 * 1000;
const png = Buffer.from(fakePng());

async function open(links: Parameters<typeof registerResultRoutes>[1]["links"]) {
	const app = Fastify();
	onTestFinished(() => app.close());
	await registerResultRoutes(app, { links, logger: pino({ level: "silent" }) });
	return async (path: string, headers = {}) => await app.inject({ url: path, headers });
}

async function setup() {
	const folder = await createTempFolder();
	// File times come from the machine's clock.
	const clock = createManualClock(Date.now());
	const results = createResultStore({ folder, bytesMax: 1_000_000, async *openTaskIds() {}, clock });
	await storeFile(results, TASK, 1, png);
	await storeFile(results, TASK, 0, Buffer.from("<script>alert(1)</script>"));
	const links = createResultLinks({ publicUrl: "https://bot.example.com", secret: "secret", results, clock });
	const get = await open(() => links);
	const pathOf = async (index: number): Promise<string> =>
		new URL((await links.find(TASK, 2))[index]?.url ?? "").pathname;
	return { clock, results, links, pathOf, get };
}

test("a link serves its file as a download with its type; browsers do not execute it", async () => {
	const { pathOf, get } = await setup();
	const response = await get(await pathOf(1));
	expect(response.statusCode).toBe(200);
	expect(response.rawPayload.equals(png)).toBe(true);
	expect(response.headers).toMatchObject({
		"content-type": "image/png",
		"content-disposition": 'attachment; filename="atelier-1430000000000000000.png"',
		"x-content-type-options": "nosniff",
		"accept-ranges": "bytes",
	});
	expect((await get(await pathOf(0))).headers["content-type"]).toBe("application/octet-stream");
});

test.each<[string, (path: string) => string]>([
	["another file", (path) => path.replace("/1/", "/0/")],
	["another task", (path) => path.replace(TASK, "1430000000000000001")],
	["a later expiry", (path) => path.replace(/\/(\d{10})\//, (_, untilS) => `/${Number(untilS) + 1}/`)],
	["another signature", (path) => path.slice(0, -4)],
	["a path outside of the folder", (path) => path.replace("/1/", "/..%2F..%2Fetc%2Fpasswd/")],
])("a link changed to %s is rejected", async (_what, change) => {
	const { pathOf, get } = await setup();
	const changed = change(await pathOf(1));
	expect(changed).not.toBe(await pathOf(1));
	expect((await get(changed)).statusCode).toBe(404);
});

test("a link ends when its file expires, even if the file is still on the disk", async () => {
	const { clock, pathOf, get } = await setup();
	const path = await pathOf(1);
	await clock.advance(6.9 * DAY_MS);
	expect((await get(path)).statusCode).toBe(200);
	await clock.advance(0.2 * DAY_MS);
	expect((await get(path)).statusCode).toBe(404);
});

test("a link answers with a sentence while the bot starts, and when its file cannot be read", async () => {
	const { pathOf } = await setup();
	const path = await pathOf(1);
	const starting = await (await open(() => undefined))(path);
	expect(starting).toMatchObject({ statusCode: 503, headers: { "retry-after": "10" } });
	expect(starting.payload).toBe("The bot is starting. Try again in a minute.\n");
	const broken = { follow: () => Promise.reject(new Error("ECONNREFUSED 10.0.0.5:5432")) };
	const failed = await (await open(() => broken))(path);
	expect(failed).toMatchObject({ statusCode: 500, payload: expect.not.stringContaining("10.0.0.5") });
});

test("a link requires a public address and a stored file", async () => {
	const { results, clock, links } = await setup();
	const none = createResultLinks({ publicUrl: undefined, secret: "secret", results, clock });
	expect(await none.find(TASK, 1)).toStrictEqual([undefined]);
	await results.remove(TASK);
	expect(await links.find(TASK, 1)).toStrictEqual([undefined]);
});

test("all processes on one store sign with one secret", async () => {
	const storage = createMemoryAdapter();
	const first = await openLinkSecret(createKeyvStore(storage));
	expect(first).toMatch(/^[\w-]{43}$/);
	expect(await openLinkSecret(createKeyvStore(storage))).toBe(first);
});
