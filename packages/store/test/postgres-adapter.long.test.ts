import { KeyvPostgres } from "@keyv/postgres";
import { Keyv } from "keyv";
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { StoreNotUsableError, StoreRejectedError, StoreUnavailableError } from "../src/store-errors.ts";
import { networkContract } from "./network-store-contract.ts";
import { openAt, storeContract } from "./store-contract.ts";
import { openProxy } from "../testing/breakable-proxy.ts";
import { emptyPostgres, postgresForTests, usingPostgres } from "../testing/database-servers.ts";

const url = (await postgresForTests()) ?? "";

describe.skipIf(url === "")("on a real server", () => {
	storeContract("Postgres", {
		async newUrl() {
			await emptyPostgres(url);
			return url;
		},
		durable: {
			async plainKeyv() {
				const plain = new Keyv({ store: new KeyvPostgres(url), throwOnErrors: true, useKeyPrefix: false });
				plain.namespace = undefined;
				onTestFinished(() => plain.disconnect());
				return plain;
			},
			async readText(_url, key) {
				const [row] = await usingPostgres(url, "SELECT value FROM public.keyv WHERE key = $1", [key]);
				return row?.["value"] as string | undefined;
			},
			async writeText(_url, key, text) {
				await usingPostgres(url, "UPDATE public.keyv SET value = $1 WHERE key = $2", [text, key]);
			},
		},
	});

	networkContract("Postgres", { url, defaultPort: 5432, empty: () => emptyPostgres(url) });

	test("an operation that the server rejects fails with the server's reason", async () => {
		await emptyPostgres(url);
		const store = await openAt(url);
		await usingPostgres(url, "ALTER TABLE public.keyv RENAME TO elsewhere");
		onTestFinished(() => void usingPostgres(url, "DROP TABLE public.elsewhere"));
		await expect(store.get("guild:1")).rejects.toBeInstanceOf(StoreRejectedError);
		await expect(store.compareAndSet("guild:1", undefined, 1)).rejects.toThrow('relation "public.keyv" does not exist');
	});

	test("several processes open an empty database at the same time", async () => {
		await emptyPostgres(url);
		const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(url)));
		await Promise.all(stores.map((store, n) => store.set(`guild:${n}`, n)));
		expect(await Array.fromAsync(stores[0]!.scan("guild:"))).toHaveLength(8);
	});

	test("a database in which the table cannot be created is rejected with the server's reason", async () => {
		await emptyPostgres(url);
		await usingPostgres(url, "CREATE VIEW public.keyv AS SELECT 'a' AS key, 'b' AS value");
		onTestFinished(async () => void (await usingPostgres(url, "DROP VIEW public.keyv")));
		await expect(openStore(url)).rejects.toThrow(/cannot be used: .*keyv/);
	});

	/** Locks a document in a transaction of another client. Resolves to a function that ends the transaction. */
	async function lockDocument(key: string): Promise<() => Promise<unknown>> {
		const other = new Client({ connectionString: url });
		await other.connect();
		onTestFinished(() => other.end());
		await other.query("BEGIN");
		await other.query("SELECT 1 FROM public.keyv WHERE key = $1 FOR UPDATE", [key]);
		return () => other.query("COMMIT");
	}

	async function aWriteWaitsForALock(): Promise<void> {
		const blockedSessions =
			"SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
		await expect.poll(async () => (await usingPostgres(url, blockedSessions)).length).toBe(1);
	}

	test("the process survives a server that ends every session; the outcome of a running write is unknown", async () => {
		await emptyPostgres(url);
		const store = await openAt(url);
		await store.set("guild:1", 1);
		const unlock = await lockDocument("guild:1");
		const failure = store.set("guild:1", 2).catch((error: unknown) => error);
		await aWriteWaitsForALock();
		await usingPostgres(
			url,
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'atelier'",
		);
		expect(await failure).toBeInstanceOf(StoreUnavailableError);
		await unlock();
		await expect.poll(async () => (await store.get("guild:1"))?.value).toBe(1);
	});

	test("a transaction whose connection breaks fails and changes nothing, and the store connects again", async () => {
		await emptyPostgres(url);
		const proxy = await openProxy(url, 5432);
		const store = await openAt(proxy.url);
		const raw = await store.compareAndSet("guild:1", undefined, 1);
		const unlock = await lockDocument("guild:1");
		const writing = store.compareAndSetAll([
			{ key: "guild:1", expectedRaw: raw, next: 2 },
			{ key: "guild:2", expectedRaw: undefined, next: 2 },
		]);
		writing.catch(() => {});
		await aWriteWaitsForALock();
		proxy.cut();
		await expect(writing).rejects.toBeInstanceOf(StoreUnavailableError);
		await unlock();
		proxy.restore();
		await expect.poll(async () => (await store.get("guild:1"))?.value).toBe(1);
	});

	test("a missing database is reported as missing, without the password", async () => {
		const missing = Object.assign(new URL(url), { pathname: "/no_such_database", password: "hunter2" });
		const opening = openStore(missing.href);
		await expect(opening).rejects.toBeInstanceOf(StoreNotUsableError);
		await expect(opening).rejects.toThrow(`Postgres at ${missing.host} has no such database.`);
		await expect(opening).rejects.not.toThrow("hunter2");
	});
});
