import { pino } from "pino";
import { createKeyvStore } from "./keyv-store.ts";
import { createMemoryAdapter } from "./memory-adapter.ts";
import { checkProofs, encryptStore, PROOF_KEY } from "./encrypted-store.ts";
import { openSqliteAdapter } from "./sqlite-adapter.ts";
import type { Store } from "./store.ts";
import type { StoreDeps } from "./store-deps.ts";
import type { KvAdapter } from "./kv-adapter.ts";

/**
 * Opens the store of a validated `STORE_URL`. Throws a `StoreNotUsableError`, or an error of Node.js or SQLite that
 * `explainStartupError` explains.
 */
export async function openStore(url: string, deps: Partial<StoreDeps> = {}): Promise<Store> {
	const store = createKeyvStore(await openAdapter(url, deps));
	try {
		checkProofs((await store.get(PROOF_KEY))?.value, deps.encryption);
	} catch (error) {
		await store.close();
		throw error;
	}
	return encryptStore(store, deps.encryption);
}

/** Opens the adapter alone, for commands that copy stored texts unchanged. */
export async function openAdapter(url: string, partialDeps: Partial<StoreDeps> = {}): Promise<KvAdapter> {
	const deps: StoreDeps = { logger: pino({ level: "silent" }), ...partialDeps };
	switch (url.slice(0, url.indexOf(":"))) {
		case "memory":
			return createMemoryAdapter();
		case "sqlite":
			return openSqliteAdapter(url.slice("sqlite:".length), deps);
		// Imported on use: the drivers take 0.2 s to load.
		case "redis":
		case "rediss": {
			const { openRedisAdapter } = await import("./redis-adapter.ts");
			return await openRedisAdapter(url, deps);
		}
		case "postgres":
		case "postgresql": {
			const { openPostgresAdapter } = await import("./postgres-adapter.ts");
			return await openPostgresAdapter(url, deps);
		}
		default:
			throw new Error("STORE_URL has an unknown scheme");
	}
}
