/** Stores and queues on which Atelier does not start, with the message for the operator. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAtelier } from "./start-atelier.ts";
import { messageOfFailedStart } from "./failed-start.ts";

async function messageOf(env: Readonly<Record<string, string>>): Promise<string> {
	const message = await messageOfFailedStart({
		PORT: "0",
		DATA_DIR: await createTempFolder(),
		LOG_LEVEL: "silent",
		...env,
	});
	expect(message).not.toContain("    at ");
	return message;
}

const SHARD = { SHARDS: "0", SHARD_COUNT: "2" };

test.each([
	["several processes on memory", { STORE_URL: "memory:", ...SHARD }, "STORE_URL: expected a store that"],
	["SQLite in memory, which memory: replaces", { STORE_URL: "sqlite::memory:" }, "STORE_URL: expected"],
	["several processes with studios of their own", SHARD, "QUEUE_URL: expected redis://…, which"],
	[
		"a shared queue on memory",
		{ STORE_URL: "memory:", QUEUE_URL: "redis://127.0.0.1:1" },
		"because QUEUE_URL shares the polls",
	],
])("%s cannot start", async (_what, env, reason) => {
	expect(await messageOf(env)).toContain(reason);
});

test("a second bot cannot start on an SQLite file in use, and starts after the first has stopped", async () => {
	const env = { STORE_URL: `sqlite:${join(await createTempFolder(), "atelier.db")}` };
	const { atelier } = await openAtelier({ env });
	expect(await messageOf(env)).toMatch(
		/^Cannot start: another process works on the store .*atelier\.db\. Stop it first/,
	);
	await atelier.stop();
	await openAtelier({ env });
});

test("two processes with the same shard cannot start on one SQLite file; with different shards they can", async () => {
	const STORE_URL = `sqlite:${join(await createTempFolder(), "atelier.db")}`;
	const env = { STORE_URL, MEDIA_API_URL: "http://127.0.0.1:1", MEDIA_API_KEY: "key", ...SHARD };
	const { atelier } = await openAtelier({ env });
	expect(await messageOf(env)).toMatch(
		/^Cannot start: another process on the store .*atelier\.db serves shard 0 already\./,
	);
	await openAtelier({ env: { ...env, SHARDS: "1" } });
	await atelier.stop();
	await openAtelier({ env });
});

test.each([
	[{ QUEUE_URL: "redis://someone:hunter2@127.0.0.1:1" }, "Redis"],
	[{ STORE_URL: "rediss://someone:hunter2@127.0.0.1:1" }, "Redis"],
	[{ STORE_URL: "postgres://someone:hunter2@127.0.0.1:1/db" }, "Postgres"],
])("an unreachable queue or store fails the start with one line: %j", async (env, server) => {
	expect(await messageOf(env)).toBe(`Cannot start: cannot reach ${server} at 127.0.0.1:1. Is it running?`);
});
