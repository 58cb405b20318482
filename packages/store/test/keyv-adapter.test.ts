/** keyv's requirements for adapters, for our own adapters. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryAdapter } from "../src/memory-adapter.ts";
import { openSqliteAdapter } from "../src/sqlite-adapter.ts";

const VALUES = [
	false,
	null,
	0,
	"",
	"text",
	`'"`,
	[1, "two"],
	{ nested: { list: [] } },
	Buffer.from("bytes"),
	{ bytes: Buffer.from("bytes") },
];

function openSqlite() {
	const folder = mkdtempSync(join(tmpdir(), "atelier-keyv-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return openSqliteAdapter(join(folder, "store.db"));
}

describe.each([
	["memory", createMemoryAdapter],
	["SQLite", openSqlite],
])("plain keyv on the adapter for %s", (_name, openAdapter) => {
	function open(): Keyv {
		const keyv = new Keyv({ store: openAdapter(), throwOnErrors: true });
		onTestFinished(() => keyv.disconnect());
		return keyv;
	}

	test("keeps values of every type, stores no undefined, and rejects a symbol", async () => {
		const keyv = open();
		for (const value of VALUES) {
			expect(await keyv.set("key", value)).toBe(true);
			expect(await keyv.get("key")).toStrictEqual(value);
		}
		await keyv.set("absent", undefined);
		expect(await keyv.get("absent")).toBeUndefined();
		await expect(keyv.set("key", Symbol("value"))).rejects.toThrow("symbol cannot be serialized");
	});

	test("reads, finds and deletes one key and several, and clears all", async () => {
		const keyv = open();
		const keys = ["one", "it's", "none", "three"];
		for (const key of keys.filter((each) => each !== "none")) await keyv.set(key, key);
		expect(await keyv.get(keys)).toStrictEqual(["one", "it's", undefined, "three"]);
		expect([await keyv.has("one"), await keyv.has("none")]).toStrictEqual([true, false]);
		expect([await keyv.delete("one"), await keyv.delete("one")]).toStrictEqual([true, false]);
		expect(await keyv.deleteMany(["it's", "three"])).toBe(true);
		expect(await keyv.get(keys)).toStrictEqual([undefined, undefined, undefined, undefined]);
		await keyv.set("one", 1);
		await keyv.set("none", 2);
		await keyv.clear();
		expect(await keyv.get(keys)).toStrictEqual([undefined, undefined, undefined, undefined]);
	});

	test("hides a value after its time to live", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		onTestFinished(() => void vi.useRealTimers());
		const keyv = open();
		await keyv.set("short", 1, 100);
		await keyv.set("long", 2, 10_000);
		vi.advanceTimersByTime(101);
		expect(await keyv.get(["short", "long"])).toStrictEqual([undefined, 2]);
		expect([await keyv.get("short"), await keyv.has("short")]).toStrictEqual([undefined, false]);
	});
});
