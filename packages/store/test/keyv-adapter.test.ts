/** keyv's requirements for adapters, for our own adapters. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { describe, expect, onTestFinished, test } from "vitest";
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

	test("keeps values of every type, reads, finds and deletes one key and several, and clears all", async () => {
		const keyv = open();
		for (const value of VALUES) {
			expect(await keyv.set("one", value)).toBe(true);
			expect(await keyv.get("one")).toStrictEqual(value);
		}
		await keyv.set("it's", 2);
		const keys = ["one", "it's", "none"];
		expect(await keyv.get(keys)).toStrictEqual([VALUES.at(-1), 2, undefined]);
		expect([await keyv.has("one"), await keyv.has("none")]).toStrictEqual([true, false]);
		expect([await keyv.delete("one"), await keyv.delete("one")]).toStrictEqual([true, false]);
		expect(await keyv.deleteMany(["it's"])).toBe(true);
		await keyv.set("one", 1);
		await keyv.clear();
		expect(await keyv.get(keys)).toStrictEqual([undefined, undefined, undefined]);
	});
});
