import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { createApp } from "../../src/app/create-app.ts";
import { openStore } from "@atelier/store/open-store";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";

test("a bot with its own studio does not start beside another studio, and the error says what to do", async () => {
	const folder = await mkdtemp(join(tmpdir(), "atelier-beside-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const STORE_URL = `sqlite:${join(folder, "atelier.db")}`;
	const store = await openStore(STORE_URL);
	onTestFinished(() => store.close());
	await store.set("studio-lease", { studio: "another", count: 1 });
	const waits = Promise.withResolvers<void>();
	const write = (line: string): void => void (line.includes("another studio holds the lease") && waits.resolve());
	const clock = createManualClock();
	const config = loadConfig({ PORT: "0", STORE_URL, DATA_DIR: folder });
	const starting = createApp(config, pino({ level: "warn" }, { write }), { clock, engines: [createFakeEngine()] });
	const outcome = starting.then(
		() => "it started",
		(error: unknown) => (error as Error).message,
	);
	await waits.promise;
	await store.set("studio-lease", { studio: "another", count: 2 });
	await clock.advance(10_000);
	expect(await outcome).toMatch(
		/^Cannot start: another studio works on this store\. Stop it, or give both the same QUEUE_URL .*\n.*MEDIA_API_URL/,
	);
	expect((await store.get("studio-lease"))?.value).toStrictEqual({ studio: "another", count: 2 });
});
