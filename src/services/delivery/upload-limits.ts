import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";

const MIB = 1024 * 1024;
/** What servers are known to take, and below that what is still worth looking at. */
const SIZES_BYTES = [100, 50, 25, 10, 8, 4, 2, 1].map((mib) => mib * MIB);
/** A server may be boosted meanwhile. */
const REMEMBER_MS = 30 * 24 * 60 * 60 * 1000;

/** What servers have turned out to take, where Discord says more than it keeps. */
export interface UploadLimits {
	/** What may be tried there: `saidBytes`, or what was learned to be less. */
	read(guildId: string, saidBytes: number): Promise<number>;
	/** Remembers that a file of this size was refused there. */
	learn(guildId: string, refusedBytes: number): Promise<void>;
}

interface Learned {
	readonly bytesMax: number;
	readonly learnedAtMs: number;
}

const keyOf = (guildId: string): string => `uploadLimit:${guildId}`;

/** What is tried after a file of `refusedBytes` was refused; 0 where nothing is left to try. */
export function sizeBelow(refusedBytes: number): number {
	return SIZES_BYTES.find((bytes) => bytes < refusedBytes) ?? 0;
}

export function createUploadLimits({ store, clock }: { readonly store: Store; readonly clock: Clock }): UploadLimits {
	async function learned(guildId: string): Promise<number> {
		const value = (await store.get<Learned>(keyOf(guildId)))?.value;
		const isFresh = value !== undefined && clock.nowMs() - value.learnedAtMs < REMEMBER_MS;
		return isFresh ? value.bytesMax : Number.POSITIVE_INFINITY;
	}

	return {
		read: async (guildId, saidBytes) => Math.min(saidBytes, await learned(guildId)),
		async learn(guildId, refusedBytes) {
			// Never nothing at all: a refusal of the smallest has another reason than its size.
			const bytesMax = Math.max(MIB, sizeBelow(refusedBytes));
			if (bytesMax >= (await learned(guildId))) return;
			// Somebody who learns more at the same moment is overwritten at worst: the next refusal teaches it again.
			await store.set(keyOf(guildId), { bytesMax, learnedAtMs: clock.nowMs() } satisfies Learned);
		},
	};
}
