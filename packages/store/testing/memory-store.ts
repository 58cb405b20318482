import { createKeyvStore } from "../src/keyv-store.ts";
import { createMemoryAdapter } from "../src/memory-adapter.ts";
import type { Store } from "../src/store.ts";

/** Opens an empty store in memory. A test of a restart needs the adapter itself, to open a second store on it. */
export function openMemoryStore(): Store {
	return createKeyvStore(createMemoryAdapter());
}
