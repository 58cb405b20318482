import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";

interface ReadCacheOptions {
	readonly clock: Pick<Clock, "nowMs">;
	/** The time for which a result is used again, from the start of its read. */
	readonly ttlMs: number;
	readonly entriesMax: number;
}

/** Returns the cached result of a key, or starts `read`, which concurrent callers share. A failed read is not cached. */
interface ReadCache<Result> {
	(key: string, read: () => Promise<Result>): Promise<Result>;
	forget(key: string): void;
}

export function createReadCache<Result>({ clock, ttlMs, entriesMax }: ReadCacheOptions): ReadCache<Result> {
	const reads = new LRUCache<string, { readonly reading: Promise<Result>; readonly readAtMs: number }>({
		max: entriesMax,
		ttl: ttlMs,
		// Reads the clock at each lookup. The library would otherwise remember the time until a timer of its own.
		ttlResolution: 0,
		perf: { now: () => clock.nowMs() },
	});
	const cachedRead = (key: string, read: () => Promise<Result>): Promise<Result> => {
		const cached = reads.get(key);
		// A clock that is set back would keep the result for longer.
		if (cached && cached.readAtMs <= clock.nowMs()) return cached.reading;
		const reading = read();
		reads.set(key, { reading, readAtMs: clock.nowMs() });
		reading.catch(() => {
			if (reads.peek(key)?.reading === reading) reads.delete(key);
		});
		return reading;
	};
	return Object.assign(cachedRead, { forget: (key: string) => void reads.delete(key) });
}
