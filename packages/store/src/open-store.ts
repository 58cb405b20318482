import { pino } from "pino";
import { createKeyvStore } from "./keyv-store.ts";
import { createMemoryStorage } from "./memory-adapter.ts";
import { verifyEncryptionKeys, encryptStore } from "./encrypted-store.ts";
import { openSqliteStorage } from "./sqlite-adapter.ts";
import type { Store } from "./store.ts";
import type { StoreDeps } from "./store-deps.ts";
import type { TextStorage } from "./kv-adapter.ts";

/** Opens the store of a validated `STORE_URL`. Throws a `StoreNotUsableError` that says what to check. */
export async function openStore(url: string, deps: Partial<StoreDeps> = {}): Promise<Store> {
	const store = createKeyvStore(await openStorage(url, deps));
	try {
		await verifyEncryptionKeys(store, deps.encryption);
	} catch (error) {
		await store.close();
		throw error;
	}
	return encryptStore(store, deps.encryption);
}

/** The same below the document format, for commands that copy documents. */
export async function openStorage(url: string, given: Partial<StoreDeps> = {}): Promise<TextStorage> {
	const deps: StoreDeps = { logger: pino({ level: "silent" }), ...given };
	switch (url.slice(0, url.indexOf(":"))) {
		case "memory":
			return createMemoryStorage();
		case "sqlite":
			return openSqliteStorage(url.slice("sqlite:".length), deps);
		// Loaded on use: the drivers take a fifth of a second to load.
		case "redis":
		case "rediss": {
			const { openRedisStorage } = await import("./redis-adapter.ts");
			return await openRedisStorage(url, deps);
		}
		case "postgres":
		case "postgresql": {
			const { openPostgresStorage } = await import("./postgres-adapter.ts");
			return await openPostgresStorage(url, deps);
		}
		default:
			throw new Error("STORE_URL has an unknown scheme");
	}
}
