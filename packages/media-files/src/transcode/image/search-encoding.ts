/**
 * Finds the best encoding of an image that fits. Pure except for the encoder, which is passed in.
 *
 * Quality and scale form one range, from the best to the worst image: first it loses quality that is not visible, then pixels,
 * and visible quality only when few pixels are left. A position in this range is the expected logarithm of the size, so that
 * the position with the right size can be estimated. It is then searched between results that fit and results that do not.
 */

export interface Attempt {
	/** The share of the width and height that is kept. */
	readonly scale: number;
	readonly quality: number;
}

/** The limits of the range. */
export interface LossRange {
	readonly qualityBest: number;
	/** The least quality without visible loss. */
	readonly qualityGood: number;
	readonly qualityLeast: number;
	/** Below this scale, quality is reduced instead of pixels. */
	readonly scaleLeast: number;
	readonly attemptsMax: number;
}

export interface EncodedImage extends Attempt {
	readonly bytes: Buffer;
}

/** Shares of the limit: a size that is large enough to need no other attempt, and the size that attempts aim at. */
const ENOUGH_SHARE = 0.9;
const TARGET_SHARE = 0.955;

/** Estimates for typical images: how much larger a file is with good instead of least, and with best instead of good quality. */
const LEAST_TO_GOOD_FACTOR = 2.6;
const GOOD_TO_BEST_FACTOR = 2.3;
/** The size grows with this power of the scale. */
const SCALE_EXPONENT = 1.7;

/** Closer positions lead to the same size. */
const POSITION_STEP_MIN = 0.01;
/** Estimates are inexact, so a position close to a known miss is likely to miss too. */
const MARGIN = 0.1;

/** Resolves to the largest encoding found that fits; `undefined` if not even the worst does. */
export async function searchEncoding(
	bytesMax: number,
	range: LossRange,
	encode: (attempt: Attempt) => Promise<Buffer>,
): Promise<EncodedImage | undefined> {
	const { qualityLeast, qualityGood, qualityBest, scaleLeast, attemptsMax } = range;
	// 0 is the least scale and quality. From `small` to `good`, only the scale grows.
	const small = Math.log(LEAST_TO_GOOD_FACTOR);
	const good = small + Math.log(1 / scaleLeast) * SCALE_EXPONENT;
	const best = good + Math.log(GOOD_TO_BEST_FACTOR);
	const settingsAt = (position: number): Attempt => {
		if (position >= good) {
			const share = (position - good) / (best - good);
			return { scale: 1, quality: Math.round(qualityGood + (qualityBest - qualityGood) * share) };
		}
		if (position >= small) {
			return { scale: Math.exp((position - good) / SCALE_EXPONENT), quality: qualityGood };
		}
		return {
			scale: scaleLeast,
			quality: Math.round(qualityLeast + (qualityGood - qualityLeast) * (position / small)),
		};
	};

	let found: (EncodedImage & MeasuredPosition) | undefined;
	let tooLarge: MeasuredPosition | undefined;
	let position = good;
	const goalLnBytes = Math.log(bytesMax * TARGET_SHARE);
	for (let attempt = 1; attempt <= attemptsMax; attempt++) {
		const settings = settingsAt(position);
		const bytes = await encode(settings);
		const measured = { position, lnBytes: Math.log(bytes.byteLength) };
		if (bytes.byteLength <= bytesMax) {
			if (found === undefined || bytes.byteLength > found.bytes.byteLength) found = { ...settings, bytes, ...measured };
			if (position >= best || bytes.byteLength >= bytesMax * ENOUGH_SHARE) return found;
		} else {
			if (position <= 0) return undefined;
			tooLarge = measured;
		}
		// If nothing has fitted yet, the last attempt uses the smallest settings.
		const isLastChance = attempt === attemptsMax - 1 && !found;
		const next = isLastChance ? 0 : nextPosition(found, tooLarge, goalLnBytes);
		position = Math.min(best, Math.max(0, next));
		if (tooLarge && found && tooLarge.position - found.position < POSITION_STEP_MIN) break;
	}
	return found;
}

interface MeasuredPosition {
	readonly position: number;
	/** The logarithm of the size, which is nearly linear in the position. */
	readonly lnBytes: number;
}

/** Estimates the position with the right size from the largest result that fits and the smallest that does not. */
function nextPosition(
	found: MeasuredPosition | undefined,
	tooLarge: MeasuredPosition | undefined,
	goalLnBytes: number,
): number {
	if (found && tooLarge) {
		const share = (goalLnBytes - found.lnBytes) / (tooLarge.lnBytes - found.lnBytes);
		return found.position + (tooLarge.position - found.position) * Math.min(1 - MARGIN, Math.max(MARGIN, share));
	}
	const known = found ?? tooLarge;
	return known ? known.position + (goalLnBytes - known.lnBytes) : 0;
}
