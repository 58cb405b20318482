import { isDeepStrictEqual } from "node:util";
import type { Keyv } from "keyv";
import { describe, expect, onTestFinished, test } from "vitest";
import { CorruptDocumentError } from "../src/store-errors.ts";
import { openAdapter, openStore } from "../src/open-store.ts";
import type { Store } from "../src/store.ts";
import type { KvEntry } from "../src/kv-adapter.ts";
import { raceProcesses } from "./store-race.ts";

/** The access of the contract to one storage technology. */
export interface StoreAccess {
	/** Returns the URL of an empty store for one test. */
	readonly newUrl: () => Promise<string>;
	/** Tests for stores that survive the process; memory does not. */
	readonly durable?: {
		/** keyv without our store: with its own adapter; for SQLite, with ours. */
		readonly plainKeyv: (url: string) => Promise<Keyv>;
		/** Returns the stored row, read without our code. */
		readonly readText: (url: string, key: string) => Promise<string | undefined>;
		readonly writeText: (url: string, key: string, text: string) => Promise<void>;
	};
}

const VALUE = { text: ":colon \u{1F680} \u0000 שלום", list: [], empty: {}, none: null, number: 123456789012345 };
/** The errors of all adapters after `close`. */
const CLOSED = /closed|finalized|not open|did not respond/;
const ODD_KEYS = [
	"a key with spaces",
	"quotes:'\"`",
	"like:%_",
	"path:\\..\\x/y",
	"glob:*?[a-z]",
	"{tag}:1",
	"שלום:מפתח",
	"emoji:\u{1F680}",
	"line:\n\r\t",
	"atelier:keys",
	"x".repeat(255),
	"é".repeat(255),
];

/** The contract of every store. */
export function storeContract(name: string, access: StoreAccess): void {
	describe(`the store on ${name}`, () => {
		const open = async (): Promise<Store> => openAt(await access.newUrl());

		documentTests(open);
		compareAndSetTests(open);
		compareAndSetAllTests(open);
		scanTests(open);
		snapshotTests(access);
		keyTests(open);

		if (access.durable) durabilityTests(access, access.durable);
	});
}

/** Resolves to the keys and values of all documents. */
async function contentOf(store: Store): Promise<readonly (readonly [string, unknown])[]> {
	return (await Array.fromAsync(store.scan(""))).map(({ key, value }) => [key, value] as const);
}

/** Opens a store that is closed after the test. */
export async function openAt(url: string): Promise<Store> {
	const store = await openStore(url);
	onTestFinished(() => store.close());
	return store;
}

function documentTests(open: () => Promise<Store>): void {
	test.each<[string, unknown]>([
		["zero", 0],
		["an object", VALUE],
		["half a surrogate pair", "half \uD83D"],
		["a large text", "\u{1F680}\u0000\"'".repeat(2 ** 21 / 8)],
	])("%s is read and scanned as it was written", async (_what, value) => {
		const store = await open();
		await store.set("task:1", value);
		const raw = await store.compareAndSet("task:2", undefined, value);
		const documents = ["task:1", "task:2"].map((key) => ({ key, raw, value }));
		// A comparison of large texts would print them.
		const isEqual = isDeepStrictEqual(
			[await store.get("task:1"), await store.get("task:2"), await Array.fromAsync(store.scan("task:"))],
			[...documents, documents],
		);
		expect(isEqual).toBe(true);
	});

	test("a deleted key is undefined, and may be deleted again", async () => {
		const store = await open();
		await store.set("task:1", 1);
		await store.delete("task:1");
		await store.delete("task:1");
		expect(await store.get("task:1")).toBeUndefined();
		expect(await Array.fromAsync(store.scan("task:"))).toStrictEqual([]);
	});
}

function compareAndSetTests(open: () => Promise<Store>): void {
	test("a compare-and-set writes only if the key has the expected text, or does not exist as expected", async () => {
		const store = await open();
		const first = await store.compareAndSet("task:1", undefined, { step: 1 });
		expect(await store.compareAndSet("task:1", undefined, 0)).toBeUndefined();
		expect(await store.compareAndSet("task:1", first, { step: 2 })).toBeTypeOf("string");
		expect(await store.compareAndSet("task:1", first, 0)).toBeUndefined();
		expect(await store.compareAndSet("task:2", first, 0)).toBeUndefined();
		expect(await store.compareAndSet("task:2", "", 0)).toBeUndefined();
		expect(await contentOf(store)).toStrictEqual([["task:1", { step: 2 }]]);
	});
}

function compareAndSetAllTests(open: () => Promise<Store>): void {
	test("several documents are written atomically, and each returned text equals the read one", async () => {
		const store = await open();
		const raw = await store.compareAndSet("account:1", undefined, { step: 1 });
		const other = await store.compareAndSet("account:2", undefined, { step: 1 });
		const changes = [
			{ key: "account:1", expectedRaw: raw, next: { step: 2 } },
			{ key: "task:1", expectedRaw: undefined, next: VALUE },
			{ key: "open:1", expectedRaw: undefined, next: ":colon" },
			{ key: "account:2", expectedRaw: other, next: { step: 3 } },
		];
		const raws = await store.compareAndSetAll(changes);
		const read = await Promise.all(changes.map(({ key }) => store.get(key)));
		expect(read.map((document) => document?.raw)).toStrictEqual(raws);
		expect(read.map((document) => document?.value)).toStrictEqual([{ step: 2 }, VALUE, ":colon", { step: 3 }]);
		expect(await Array.fromAsync(store.scan("task:"))).toHaveLength(1);
	});

	test.each([
		["its text is outdated", "account:1", "an outdated text"],
		["it exists unexpectedly", "account:1", undefined],
		["it is missing", "account:2", "an outdated text"],
	])("writes no key if one of several is not as expected: %s", async (_, key, expectedRaw) => {
		const store = await open();
		const raw = await store.compareAndSet("account:0", undefined, "old");
		await store.set("account:1", "old");
		const mismatch = { key, expectedRaw, next: "new" };
		const added = { key: "task:1", expectedRaw: undefined, next: "new" };
		const changed = { key: "account:0", expectedRaw: raw, next: "new" };
		expect(await store.compareAndSetAll([mismatch, added, changed])).toBeUndefined();
		expect(await store.compareAndSetAll([changed, added, mismatch])).toBeUndefined();
		expect(await contentOf(store)).toStrictEqual([
			["account:0", "old"],
			["account:1", "old"],
		]);
	});

	test("documents are set and removed in one transaction with the changes, or not at all", async () => {
		const store = await open();
		const raw = await store.compareAndSet("task:1", undefined, { step: 1 });
		await store.set("open:1", {});
		await store.set("gallery:1", "old");
		const writes = [
			{ key: "open:1", value: undefined },
			{ key: "never:1", value: undefined },
			{ key: "gallery:1", value: "new" },
			{ key: "expiry:1", value: VALUE },
		];
		const outdated = { key: "task:1", expectedRaw: "an outdated text", next: { step: 2 } };
		expect(await store.compareAndSetAll([outdated], writes)).toBeUndefined();
		expect(await contentOf(store)).toStrictEqual([
			["gallery:1", "old"],
			["open:1", {}],
			["task:1", { step: 1 }],
		]);
		const raws = await store.compareAndSetAll([{ key: "task:1", expectedRaw: raw, next: { step: 2 } }], writes);
		expect(raws).toStrictEqual([(await store.get("task:1"))?.raw]);
		expect(await contentOf(store)).toStrictEqual([
			["expiry:1", VALUE],
			["gallery:1", "new"],
			["task:1", { step: 2 }],
		]);
		const removals = ["expiry:1", "task:1"].map((key) => ({ key, value: undefined }));
		expect(await store.compareAndSetAll([], removals)).toStrictEqual([]);
		expect(await contentOf(store)).toStrictEqual([["gallery:1", "new"]]);
	});

	test("a failed operation does not fail others of the same batch", async () => {
		const store = await open();
		const raw = await store.compareAndSet("account:1", undefined, 1);
		const [, first, second] = await Promise.all([
			store.set("before:1", 1),
			store.compareAndSetAll([
				{ key: "account:1", expectedRaw: raw, next: 2 },
				{ key: "account:1b", expectedRaw: "an outdated text", next: 2 },
			]),
			store.compareAndSet("account:1", raw, 3),
		]);
		expect(first).toBeUndefined();
		expect(second).toBeTypeOf("string");
		expect((await store.get("account:1"))?.value).toBe(3);
		expect((await store.get("before:1"))?.value).toBe(1);
	});

	test("of overlapping writes of several documents exactly one wins, in any order of keys", async () => {
		const store = await open();
		const raw = await store.compareAndSet("account:1", undefined, 0);
		const writes = Array.from({ length: 20 }, (_, n) => {
			const changes = [
				{ key: "account:1", expectedRaw: raw, next: n },
				{ key: "task:1", expectedRaw: undefined, next: n },
				{ key: `open:${n}`, expectedRaw: undefined, next: n },
			];
			return store.compareAndSetAll(n % 2 === 0 ? changes : changes.toReversed());
		});
		const winners = (await Promise.all(writes)).flatMap((raws, n) => (raws ? n : []));
		expect(winners).toHaveLength(1);
		expect(await contentOf(store)).toStrictEqual([
			["account:1", winners[0]],
			[`open:${winners[0]}`, winners[0]],
			["task:1", winners[0]],
		]);
	});

	test("a write that names a key twice is rejected", async () => {
		const store = await open();
		const change = { key: "task:1", expectedRaw: undefined, next: 1 };
		await expect(store.compareAndSetAll([change, change])).rejects.toThrow("a key occurs twice");
	});
}

function snapshotTests({ newUrl }: StoreAccess): void {
	test("a snapshot has all documents of one moment, in order, during concurrent writes", async () => {
		const url = await newUrl();
		const storage = await openAdapter(url);
		onTestFinished(() => storage.disconnect());
		const written = Array.from({ length: 700 }, (_, n) => `entry:${String(n).padStart(4, "0")}`);
		await Promise.all(written.map((key) => storage.set(key, '{"value":0}')));
		const seen: KvEntry[] = [];
		for await (const entry of storage.snapshot()) {
			// Changes the end, which a snapshot without isolation would read changed.
			if (seen.length === 0) {
				await storage.set(written.at(-1) ?? "", '{"value":1}');
				await storage.set("entry:9999", '{"value":1}');
				await storage.delete(written.at(-2) ?? "");
			}
			seen.push(entry);
		}
		expect(seen).toStrictEqual(written.map((key) => ({ key, text: '{"value":0}' })));
		const after = await Array.fromAsync(storage.snapshot());
		expect(after.slice(-2)).toStrictEqual([written.at(-1), "entry:9999"].map((key) => ({ key, text: '{"value":1}' })));
	});
}

function scanTests(open: () => Promise<Store>): void {
	const numbered = Array.from({ length: 600 }, (_, n) => `open:${String(n).padStart(4, "0")}`);

	test("a scan finds all keys of its prefix, in order, over several batches", async () => {
		const store = await open();
		await Promise.all([...numbered, "open", "opened", "task:1", "Open:1"].map((key) => store.set(key, key)));
		expect((await Array.fromAsync(store.scan("open:"))).map(({ key }) => key)).toStrictEqual(numbered);
	});

	test("a scan with an empty prefix finds all keys, ordered by code point", async () => {
		const store = await open();
		const ordered = ["A:1", "a", "a:1", "a:10", "a:2", "a_1", "b", "é", "\uFB00", "\u{1F680}"];
		for (const key of ordered.toReversed()) await store.compareAndSet(key, undefined, key);
		expect((await Array.fromAsync(store.scan(""))).map(({ key }) => key)).toStrictEqual(ordered);
	});

	test("a scan starts after a key, whether it exists or not", async () => {
		const store = await open();
		for (const key of ["page:", "page:1", "page:2", "page:4", "pagf"]) await store.set(key, key);
		const keysAfter = async (after: string): Promise<string[]> =>
			(await Array.fromAsync(store.scan("page:", { after }))).map(({ key }) => key);
		expect(await keysAfter("page:")).toStrictEqual(["page:1", "page:2", "page:4"]);
		expect(await keysAfter("page:1")).toStrictEqual(["page:2", "page:4"]);
		expect(await keysAfter("page:3")).toStrictEqual(["page:4"]);
		expect(await keysAfter("page:4")).toStrictEqual([]);
		await expect(keysAfter("other:1")).rejects.toThrow("cannot start after");
	});

	test("a scan continues over concurrent deletions, and leaves out keys that were deleted ahead of it", async () => {
		const store = await open();
		await Promise.all(numbered.map((key) => store.set(key, 1)));
		const seen: string[] = [];
		for await (const { key } of store.scan("open:")) {
			if (seen.length === 0) await store.delete("open:0599");
			seen.push(key);
			await store.delete(key);
		}
		expect(seen).toStrictEqual(numbered.slice(0, -1));
		expect(await Array.fromAsync(store.scan("open:"))).toStrictEqual([]);
	});
}

function keyTests(open: () => Promise<Store>): void {
	test.each(ODD_KEYS)("the key %j is stored unchanged", async (key) => {
		const store = await open();
		const raw = await store.compareAndSet(key, undefined, "here");
		expect((await store.get(key))?.value).toBe("here");
		expect(await Array.fromAsync(store.scan(key))).toStrictEqual([{ key, raw, value: "here" }]);
		expect(await store.compareAndSet(key, raw, "still here")).toBeTypeOf("string");
		await store.delete(key);
		expect(await Array.fromAsync(store.scan(""))).toStrictEqual([]);
	});

	test.each(["", "a::b", "x".repeat(256), "nul:\0", "half:\uD83D", "last:\u{10FFFF}"])(
		"the key %j, which not every store supports, is rejected",
		async (key) => {
			const store = await open();
			await expect(store.set(key, 1)).rejects.toThrow("invalid store key");
			await expect(store.get(key)).rejects.toThrow("invalid store key");
			await expect(store.compareAndSet(key, undefined, 1)).rejects.toThrow("invalid store key");
		},
	);
}

function durabilityTests(
	{ newUrl }: StoreAccess,
	{ plainKeyv, readText, writeText }: NonNullable<StoreAccess["durable"]>,
): void {
	test("a row contains the flat key and keyv's envelope only", async () => {
		const url = await newUrl();
		const store = await openAt(url);
		await store.set("guild:1", { posted: 5 });
		await store.compareAndSet("guild:2", undefined, ":colon");
		expect(await readText(url, "guild:1")).toBe('{"value":{"posted":5}}');
		expect(await readText(url, "guild:2")).toBe('{"value":"::colon"}');
		expect((await store.get("guild:2"))?.value).toBe(":colon");
	});

	test("keyv reads what the store wrote, and vice versa", async () => {
		const url = await newUrl();
		const store = await openAt(url);
		const plain = await plainKeyv(url);
		const raw = await store.compareAndSet("guild:1", undefined, VALUE);
		expect(await plain.get("guild:1")).toStrictEqual(VALUE);
		await plain.set("guild:1", { posted: 6 });
		expect(await store.compareAndSet("guild:1", raw, 0)).toBeUndefined();
		const read = await store.get("guild:1");
		expect(read?.value).toStrictEqual({ posted: 6 });
		expect(await store.compareAndSet("guild:1", read?.raw, { posted: 7 })).toBeTypeOf("string");
		expect(await plain.get("guild:1")).toStrictEqual({ posted: 7 });
		await store.delete("guild:1");
		expect(await plain.get("guild:1")).toBeUndefined();
	});

	test.each(["", "{", "null", "[]", '"text"', "{}"])("a damaged document is corrupt, not missing: %j", async (text) => {
		const url = await newUrl();
		const store = await openAt(url);
		await store.set("guild:1", 1);
		await writeText(url, "guild:1", text);
		await expect(store.get("guild:1")).rejects.toBeInstanceOf(CorruptDocumentError);
		await expect(Array.fromAsync(store.scan("guild:"))).rejects.toBeInstanceOf(CorruptDocumentError);
		expect(await store.compareAndSet("guild:1", undefined, 2)).toBeUndefined();
		expect(await readText(url, "guild:1")).toBe(text);
	});

	test("a closed store rejects all calls, and may be closed again", async () => {
		const store = await openAt(await newUrl());
		await store.close();
		await store.close();
		const calls = [
			store.get("guild:1"),
			store.set("guild:1", 1),
			store.delete("guild:1"),
			store.compareAndSet("guild:1", undefined, 1),
			Array.fromAsync(store.scan("")),
		];
		await Promise.all(calls.map((call) => expect(call).rejects.toThrow(CLOSED)));
	});

	test("documents survive a close and reopen", async () => {
		const url = await newUrl();
		const first = await openAt(url);
		const raw = await first.compareAndSet("guild:1", undefined, VALUE);
		await first.close();
		expect(await (await openAt(url)).get("guild:1")).toStrictEqual({ key: "guild:1", raw, value: VALUE });
	});

	test("two processes create each key once, and decrement seven to zero in seven of 200 attempts", async () => {
		const url = await newUrl();
		const store = await openAt(url);
		await store.set("balance", 7);
		const results = await raceProcesses(url, 200);
		const created = results.flatMap(({ createdKeys }) => createdKeys);
		expect([created.length, new Set(created).size]).toStrictEqual([200, 200]);
		expect(results.reduce((sum, { decrements }) => sum + decrements, 0)).toBe(7);
		expect((await store.get("balance"))?.value).toBe(0);
	});
}
