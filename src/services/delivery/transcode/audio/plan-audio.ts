/** Plans the encoding of audio for a size limit. Pure. */
import type { AacPlan } from "./encode-aac.ts";

export type AudioPlan = Pick<AacPlan, "bitsPerSecond" | "channels" | "sampleRate">;

/** Higher bit rates are not audible. */
const BITS_PER_SECOND_MAX = 320_000;
/** At low bit rates, mono with fewer high frequencies sounds better than stereo. */
const QUALITY_LEVELS = [
	{ bitsPerSecondMin: 64_000, channels: 2, sampleRate: 48_000 },
	{ bitsPerSecondMin: 40_000, channels: 2, sampleRate: 32_000 },
	{ bitsPerSecondMin: 24_000, channels: 1, sampleRate: 24_000 },
	{ bitsPerSecondMin: 12_000, channels: 1, sampleRate: 16_000 },
] as const;

/** `undefined` if no acceptable quality fits. */
export function planAudio(availableBitsPerSecond: number, sourceChannels: number): AudioPlan | undefined {
	const level = QUALITY_LEVELS.find(({ bitsPerSecondMin }) => availableBitsPerSecond >= bitsPerSecondMin);
	if (level === undefined) return undefined;
	const channels = sourceChannels > 1 ? level.channels : 1;
	const bitsPerSecondMax = channels === 1 ? BITS_PER_SECOND_MAX / 2 : BITS_PER_SECOND_MAX;
	return {
		bitsPerSecond: Math.floor(Math.min(availableBitsPerSecond, bitsPerSecondMax)),
		channels,
		sampleRate: level.sampleRate,
	};
}
