/** Selects the next bit rate after earlier attempts. Pure. */

export interface Tried {
	readonly bitsPerSecond: number;
	/** The size of the video track alone. */
	readonly videoBytes: number;
}

const FACTOR_MAX = 4;
const BITS_PER_SECOND_MIN = 1000;
/** Encoders miss their target slightly, so a rate close to a known miss is likely to miss too. */
const MARGIN = 0.1;

/** `fitted` is the largest attempt that fits, `tooLarge` the smallest that does not. */
export function nextBitrate(
	transcoded: Tried | undefined,
	tooLarge: Tried | undefined,
	goalBytes: number,
): number | undefined {
	if (transcoded && tooLarge) {
		const share = (goalBytes - transcoded.videoBytes) / (tooLarge.videoBytes - transcoded.videoBytes);
		const between = Math.min(1 - MARGIN, Math.max(MARGIN, share));
		return Math.floor(transcoded.bitsPerSecond + (tooLarge.bitsPerSecond - transcoded.bitsPerSecond) * between);
	}
	const known = transcoded ?? tooLarge;
	if (known === undefined) return undefined;
	const factor = Math.min(FACTOR_MAX, goalBytes / Math.max(1, known.videoBytes));
	return Math.max(BITS_PER_SECOND_MIN, Math.floor(known.bitsPerSecond * factor));
}
