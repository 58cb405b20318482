import type { LRUCache } from "lru-cache";

/** Returns the cached read of a key, or starts one that concurrent callers share. A failed read leaves the cache. */
export function shareReads<Value>(
	cache: LRUCache<string, Promise<Value>>,
	key: string,
	read: () => Promise<Value>,
): Promise<Value> {
	const cached = cache.get(key);
	if (cached) return cached;
	const reading = read();
	cache.set(key, reading);
	reading.catch(() => cache.delete(key));
	return reading;
}
