import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";

const MIB = 1024 * 1024;
/** Known limits of servers, and smaller sizes that are still worth viewing. */
const SIZES_BYTES = [100, 50, 25, 10, 8, 4, 2, 1].map((mib) => mib * MIB);
/** After this time, the declared limit is tried again: the server may have been boosted meanwhile. */
const LEARNED_LIMIT_TTL_MS = 30 * 24 * 60 * 60 * 1000;

/** The limits that servers actually have, where Discord declares a higher one. */
export interface UploadLimits {
	/** Returns the limit to use: `declaredBytes`, or a lower one that was learned. */
	read(guildId: string, declaredBytes: number): Promise<number>;
	/** Records that a file of this size was rejected. */
	learn(guildId: string, rejectedBytes: number): Promise<void>;
}

/**
 * Saves a read of the store for most results. A limit that another process learned during this time costs one rejected
 * upload.
 */
const CACHE_TTL_MS = 10 * 60 * 1000;
const CACHED_GUILDS_MAX = 1_000;

interface LearnedLimit {
	readonly bytesMax: number;
	readonly learnedAtMs: number;
}

const keyOf = (guildId: string): string => `uploadLimit:${guildId}`;

/** Returns the size to try after a rejection; 0 if none is left. */
export function sizeBelow(rejectedBytes: number): number {
	return SIZES_BYTES.find((bytes) => bytes < rejectedBytes) ?? 0;
}

export function createUploadLimits({ store, clock }: { readonly store: Store; readonly clock: Clock }): UploadLimits {
	const cache = new LRUCache<string, { readonly value: LearnedLimit | undefined; readonly readAtMs: number }>({
		max: CACHED_GUILDS_MAX,
	});

	async function readCached(guildId: string): Promise<LearnedLimit | undefined> {
		const cached = cache.get(guildId);
		if (cached && clock.nowMs() - cached.readAtMs < CACHE_TTL_MS) return cached.value;
		const value = (await store.get<LearnedLimit>(keyOf(guildId)))?.value;
		cache.set(guildId, { value, readAtMs: clock.nowMs() });
		return value;
	}

	/** Resolves to the learned limit, or to infinity without one. */
	async function learnedBytesMax(guildId: string): Promise<number> {
		const value = await readCached(guildId);
		const isFresh = value !== undefined && clock.nowMs() - value.learnedAtMs < LEARNED_LIMIT_TTL_MS;
		return isFresh ? value.bytesMax : Number.POSITIVE_INFINITY;
	}

	return {
		read: async (guildId, declaredBytes) => Math.min(declaredBytes, await learnedBytesMax(guildId)),
		async learn(guildId, rejectedBytes) {
			// Never 0: the smallest size is rejected for another reason.
			const bytesMax = Math.max(MIB, sizeBelow(rejectedBytes));
			if (bytesMax >= (await learnedBytesMax(guildId))) return;
			// May overwrite the lower limit of a concurrent rejection; the next rejection restores that limit.
			const value: LearnedLimit = { bytesMax, learnedAtMs: clock.nowMs() };
			await store.set(keyOf(guildId), value);
			cache.set(guildId, { value, readAtMs: value.learnedAtMs });
		},
	};
}
