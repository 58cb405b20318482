/** Plans the encoding of audio for a size limit. Pure. */
import type { AacPlan } from "./encode-aac.ts";

export type AudioPlan = Pick<AacPlan, "bitsPerSecond" | "channels" | "sampleRate">;

/** Higher bit rates are not audible. */
const BITS_PER_SECOND_MAX = 320_000;
/** At low bit rates, mono with fewer high frequencies sounds better than stereo. */
const STEPS = [
	{ bitsPerSecondMin: 64_000, channels: 2, sampleRate: 48_000 },
	{ bitsPerSecondMin: 40_000, channels: 2, sampleRate: 32_000 },
	{ bitsPerSecondMin: 24_000, channels: 1, sampleRate: 24_000 },
	{ bitsPerSecondMin: 12_000, channels: 1, sampleRate: 16_000 },
] as const;

/** `undefined` if no acceptable quality fits. */
export function planAudio(available: number, sourceChannels: number): AudioPlan | undefined {
	const step = STEPS.find(({ bitsPerSecondMin }) => available >= bitsPerSecondMin);
	if (step === undefined) return undefined;
	const channels = sourceChannels > 1 ? step.channels : 1;
	const bitsPerSecondMax = channels === 1 ? BITS_PER_SECOND_MAX / 2 : BITS_PER_SECOND_MAX;
	return { bitsPerSecond: Math.floor(Math.min(available, bitsPerSecondMax)), channels, sampleRate: step.sampleRate };
}
