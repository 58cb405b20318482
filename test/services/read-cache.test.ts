import { expect, test } from "vitest";
import { createReadCache } from "../../src/services/read-cache.ts";

function setup() {
	let nowMs = Date.UTC(2026, 0, 1);
	const cachedRead = createReadCache<number>({ clock: { nowMs: () => nowMs }, ttlMs: 1_000, entriesMax: 2 });
	let reads = 0;
	return {
		read: (fails = false) => cachedRead("key", async () => (fails ? Promise.reject(new Error("no store")) : ++reads)),
		passMs: (ms: number) => void (nowMs += ms),
	};
}

test("concurrent and later callers share a read until it is too old", async () => {
	const { read, passMs } = setup();
	expect(await Promise.all([read(), read()])).toStrictEqual([1, 1]);
	passMs(1_000);
	expect(await read()).toBe(1);
	passMs(1);
	expect(await read()).toBe(2);
});

test("a failed read is not kept", async () => {
	const { read } = setup();
	await expect(read(true)).rejects.toThrow("no store");
	expect(await read()).toBe(1);
});

test("a result is read again after the clock is set back", async () => {
	const { read, passMs } = setup();
	expect(await read()).toBe(1);
	passMs(-3_600_000);
	expect(await read()).toBe(2);
});
