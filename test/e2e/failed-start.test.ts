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

test("a second bot cannot start on an SQLite file in use, and starts after the first has stopped", async () => {
	const env = { STORE_URL: `sqlite:${join(await createTempFolder(), "atelier.db")}` };
	const { atelier } = await openAtelier({ env });
	expect(await messageOf(env)).toMatch(
		/^Cannot start: another process works on the store .*atelier\.db\. Stop it first/,
	);
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
