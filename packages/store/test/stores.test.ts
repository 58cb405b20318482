import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Keyv } from "keyv";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { openSqliteAdapter } from "../src/sqlite-adapter.ts";
import { StoreNotUsableError, StoreUnavailableError } from "../src/store-errors.ts";
import { storeContract } from "./store-contract.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-store-"));
let fileCount = 0;
const newPath = (): string => join(folder, `${fileCount++}`, "store.db");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (url: string): string => url.slice("sqlite:".length);

function openDatabase(path: string): DatabaseSync {
	const database = new DatabaseSync(path);
	onTestFinished(() => database.close());
	return database;
}

function openSqlite() {
	const path = newPath();
	const storage = openSqliteAdapter(path);
	onTestFinished(() => storage.disconnect());
	return { path, storage };
}

storeContract("memory", { newUrl: async () => "memory:" });

storeContract("SQLite", {
	newUrl: async () => `sqlite:${newPath()}`,
	durable: {
		async plainKeyv(url) {
			const storage = openSqliteAdapter(pathOf(url));
			onTestFinished(() => storage.disconnect());
			const plain = new Keyv({ store: { ...storage, clear: async () => {} }, throwOnErrors: true });
			plain.namespace = undefined;
			return plain;
		},
		async readText(url, key) {
			const row = openDatabase(pathOf(url)).prepare("SELECT value FROM keyv WHERE key = ?").get(key);
			return row?.["value"] as string | undefined;
		},
		async writeText(url, key, text) {
			openDatabase(pathOf(url)).prepare("UPDATE keyv SET value = ? WHERE key = ?").run(text, key);
		},
	},
});

test("SQLite completes pending reads when it closes", async () => {
	const { storage } = openSqlite();
	await storage.set("a", "1");
	const reads = Promise.all([storage.get("a"), storage.get("b")]);
	await storage.disconnect();
	expect(await reads).toStrictEqual(["1", undefined]);
});

test("an SQLite file that cannot be opened is named in the error", async () => {
	const path = newPath();
	await (await openStore(`sqlite:${path}`)).close();
	const opening = openStore(`sqlite:${dirname(path)}`);
	await expect(opening).rejects.toBeInstanceOf(StoreNotUsableError);
	await expect(opening).rejects.toThrow(
		`cannot open the SQLite file ${dirname(path)}: unable to open database file. Check that this user may`,
	);
});

test("an SQLite file that is gone makes a snapshot fail as a store that is unavailable", async () => {
	const { path, storage } = openSqlite();
	rmSync(path);
	await expect(Array.fromAsync(storage.snapshot())).rejects.toBeInstanceOf(StoreUnavailableError);
});

test("a timer fires while SQLite scans several batches", async () => {
	const { storage } = openSqlite();
	await Promise.all(Array.from({ length: 600 }, (_, n) => storage.set(`open:${n}`, "1")));
	for (const scan of [storage.scan("open:"), storage.snapshot()]) {
		let hasFired = false;
		setTimeout(() => (hasFired = true), 0);
		// The time of the timer passes before the first batch ends.
		const endMs = performance.now() + 5;
		for await (const _ of scan) {
			while (performance.now() < endMs);
			if (hasFired) break;
		}
		expect(hasFired).toBe(true);
	}
});

test("SQLite writes again after a transaction that failed", async () => {
	const { path, storage } = openSqlite();
	const other = openDatabase(path);
	other.exec("ALTER TABLE keyv RENAME TO elsewhere");
	await expect(storage.set("a", "1")).rejects.toThrow("no such table");
	other.exec("ALTER TABLE elsewhere RENAME TO keyv");
	await storage.set("a", "2");
	expect(await storage.get("a")).toBe("2");
});

test("SQLite ends the transaction of a snapshot, also of one that is not read to its end", async () => {
	const { path, storage } = openSqlite();
	await storage.set("a", "1");
	for await (const { key } of storage.snapshot()) {
		expect(key).toBe("a");
		break;
	}
	await storage.set("a", "2");
	// An older snapshot would keep the log from being truncated.
	expect(openDatabase(path).prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()).toMatchObject({ busy: 0 });
});
