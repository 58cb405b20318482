/** Stores and queues on which Atelier does not start, with the message for the operator. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openAtelier } from "../../e2e/start-atelier.ts";
import { messageOfFailedStart } from "../../e2e/failed-start.ts";

async function messageOf(env: Readonly<Record<string, string>>): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), "atelier-start-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return messageOfFailedStart({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "silent", ...env });
}

test.each(["memory:", "sqlite::memory:"])("several processes cannot start on %s", async (STORE_URL) => {
	const message = await messageOf({ STORE_URL, SHARDS: "0", SHARD_COUNT: "2" });
	expect(message).toContain("STORE_URL: expected a store that several processes share");
	expect(message).not.toContain("    at ");
});

test("several processes cannot start with a studio of their own on a shared store", async () => {
	const message = await messageOf({ SHARDS: "0", SHARD_COUNT: "2" });
	expect(message).toContain("QUEUE_URL: expected redis://…, which the studios of several processes share");
	expect(message).not.toContain("    at ");
});

test("a shared queue cannot start on a store of one process", async () => {
	const message = await messageOf({ STORE_URL: "memory:", QUEUE_URL: "redis://127.0.0.1:1" });
	expect(message).toContain("because QUEUE_URL shares the polls between processes");
});

test("a second bot cannot start on an SQLite file in use, and starts after the first has stopped", async () => {
	const folder = mkdtempSync(join(tmpdir(), "atelier-start-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const env = { STORE_URL: `sqlite:${join(folder, "atelier.db")}` };
	const { atelier } = await openAtelier({ env });
	expect(await messageOf(env)).toMatch(
		/^Cannot start: another process works on the store .*atelier\.db\. Stop it first/,
	);
	await atelier.stop();
	await openAtelier({ env });
});

test("two processes with the same shard cannot start on one SQLite file; with different shards they can", async () => {
	const folder = mkdtempSync(join(tmpdir(), "atelier-start-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const env = {
		STORE_URL: `sqlite:${join(folder, "atelier.db")}`,
		MEDIA_API_URL: "http://127.0.0.1:1",
		MEDIA_API_KEY: "key",
		SHARD_COUNT: "2",
	};
	const { atelier } = await openAtelier({ env: { ...env, SHARDS: "0" } });
	expect(await messageOf({ ...env, SHARDS: "0" })).toMatch(
		/^Cannot start: another process on the store .*atelier\.db serves shard 0 already\./,
	);
	await openAtelier({ env: { ...env, SHARDS: "1" } });
	await atelier.stop();
	await openAtelier({ env: { ...env, SHARDS: "0" } });
});

test.each([
	[{ QUEUE_URL: "redis://someone:hunter2@127.0.0.1:1" }, "Redis"],
	[{ STORE_URL: "redis://someone:hunter2@127.0.0.1:1" }, "Redis"],
	[{ STORE_URL: "rediss://someone:hunter2@127.0.0.1:1" }, "Redis"],
	[{ STORE_URL: "postgres://someone:hunter2@127.0.0.1:1/db" }, "Postgres"],
])("an unreachable queue or store fails the start with one line: %j", async (env, server) => {
	expect(await messageOf(env)).toBe(`Cannot start: cannot reach ${server} at 127.0.0.1:1. Is it running?`);
});
