import type { LRUCache } from "lru-cache";

/** Shares one read among concurrent callers. A failed read is not kept. */
export function shareReads<Value>(
	known: LRUCache<string, Promise<Value>>,
	key: string,
	read: () => Promise<Value>,
): Promise<Value> {
	const before = known.get(key);
	if (before) return before;
	const reading = read();
	known.set(key, reading);
	reading.catch(() => known.delete(key));
	return reading;
}
