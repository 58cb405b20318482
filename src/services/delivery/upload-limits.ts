import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";

const MIB = 1024 * 1024;
/** Known limits of servers, and smaller sizes that are still worth viewing. */
const SIZES_BYTES = [100, 50, 25, 10, 8, 4, 2, 1].map((mib) => mib * MIB);
/** A server may be boosted meanwhile. */
const REMEMBER_MS = 30 * 24 * 60 * 60 * 1000;

/** The limits that servers actually have, where Discord declares a higher one. */
export interface UploadLimits {
	/** Returns the limit to use: `declaredBytes`, or a lower one that was learned. */
	read(guildId: string, declaredBytes: number): Promise<number>;
	/** Records that a file of this size was rejected. */
	learn(guildId: string, rejectedBytes: number): Promise<void>;
}

/** A limit that another process learned meanwhile costs one rejected upload. */
const READ_AGAIN_AFTER_MS = 10 * 60 * 1000;
const CACHED_GUILDS_MAX = 1_000;

interface Learned {
	readonly bytesMax: number;
	readonly learnedAtMs: number;
}

const keyOf = (guildId: string): string => `uploadLimit:${guildId}`;

/** Returns the size to try after a rejection; 0 if none is left. */
export function sizeBelow(rejectedBytes: number): number {
	return SIZES_BYTES.find((bytes) => bytes < rejectedBytes) ?? 0;
}

export function createUploadLimits({ store, clock }: { readonly store: Store; readonly clock: Clock }): UploadLimits {
	const recent = new LRUCache<string, { readonly value: Learned | undefined; readonly readAtMs: number }>({
		max: CACHED_GUILDS_MAX,
	});

	async function readRecent(guildId: string): Promise<Learned | undefined> {
		const cached = recent.get(guildId);
		if (cached && clock.nowMs() - cached.readAtMs < READ_AGAIN_AFTER_MS) return cached.value;
		const value = (await store.get<Learned>(keyOf(guildId)))?.value;
		recent.set(guildId, { value, readAtMs: clock.nowMs() });
		return value;
	}

	async function learned(guildId: string): Promise<number> {
		const value = await readRecent(guildId);
		const isFresh = value !== undefined && clock.nowMs() - value.learnedAtMs < REMEMBER_MS;
		return isFresh ? value.bytesMax : Number.POSITIVE_INFINITY;
	}

	return {
		read: async (guildId, declaredBytes) => Math.min(declaredBytes, await learned(guildId)),
		async learn(guildId, rejectedBytes) {
			// Never 0: the smallest size is rejected for another reason.
			const bytesMax = Math.max(MIB, sizeBelow(rejectedBytes));
			if (bytesMax >= (await learned(guildId))) return;
			// A concurrent write is overwritten at worst; the next rejection repeats it.
			const value: Learned = { bytesMax, learnedAtMs: clock.nowMs() };
			await store.set(keyOf(guildId), value);
			recent.set(guildId, { value, readAtMs: value.learnedAtMs });
		},
	};
}
