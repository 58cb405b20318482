/**
 * Finds the best encoding of an image that fits. Pure except for the encoder, which is passed in.
 *
 * Quality and scale form one range, from no loss to nearly total loss: first quality that is not visible, then pixels, and only with few
 * pixels left visible quality. The position with the right size is first estimated from typical encoders, then searched
 * between results that fit and results that do not.
 */

export interface Attempt {
	readonly scale: number;
	readonly quality: number;
}

export interface LossRange {
	readonly qualityBest: number;
	readonly qualityGood: number;
	readonly qualityLeast: number;
	/** Below this scale, quality is reduced instead of pixels. */
	readonly scaleLeast: number;
	readonly attemptsMax: number;
}

export interface EncodedImage extends Attempt {
	readonly bytes: Buffer;
}

/** Close enough to the limit: the rest is not worth another attempt. */
const ENOUGH = 0.9;
const AIM = 0.955;

/** The estimated factors between the sizes at consecutive points of the range. */
const LEAST_TO_SMALL = 2.6;
const GOOD_TO_BEST = 2.3;
const BYTES_PER_SCALE_EXPONENT = 1.7;

export async function searchEncoding(
	bytesMax: number,
	range: LossRange,
	encode: (attempt: Attempt) => Promise<Buffer>,
): Promise<EncodedImage | undefined> {
	const small = Math.log(LEAST_TO_SMALL);
	const good = small + Math.log(1 / range.scaleLeast) * BYTES_PER_SCALE_EXPONENT;
	const best = good + Math.log(GOOD_TO_BEST);
	const settingsAt = (position: number): Attempt => {
		const between = (from: number, to: number, a: number, b: number): number =>
			from + ((to - from) * (position - a)) / (b - a);
		if (position >= good) {
			return { scale: 1, quality: Math.round(between(range.qualityGood, range.qualityBest, good, best)) };
		}
		if (position >= small) {
			return { scale: Math.exp((position - good) / BYTES_PER_SCALE_EXPONENT), quality: range.qualityGood };
		}
		return {
			scale: range.scaleLeast,
			quality: Math.round(between(range.qualityLeast, range.qualityGood, 0, small)),
		};
	};

	let found: (EncodedImage & MeasuredPosition) | undefined;
	let tooLarge: MeasuredPosition | undefined;
	let position = good;
	const goalLnBytes = Math.log(bytesMax * AIM);
	for (let attempt = 1; attempt <= range.attemptsMax; attempt++) {
		const settings = settingsAt(position);
		const bytes = await encode(settings);
		const measured = { position, lnBytes: Math.log(bytes.byteLength) };
		if (bytes.byteLength <= bytesMax) {
			if (found === undefined || bytes.byteLength > found.bytes.byteLength) found = { ...settings, bytes, ...measured };
			if (position >= best || bytes.byteLength >= bytesMax * ENOUGH) return found;
		} else {
			if (position <= 0) return undefined;
			tooLarge = measured;
		}
		const next = nextPosition(found, tooLarge, goalLnBytes);
		// The last attempt must fit, so it uses the safest position.
		position = Math.min(best, Math.max(0, attempt === range.attemptsMax - 1 && !found ? 0 : next));
		if (tooLarge && found && tooLarge.position - found.position < 0.01) break;
	}
	return found;
}

interface MeasuredPosition {
	readonly position: number;
	/** The logarithm of the size, which is nearly linear in the position. */
	readonly lnBytes: number;
}

function nextPosition(
	found: MeasuredPosition | undefined,
	tooLarge: MeasuredPosition | undefined,
	goalLnBytes: number,
): number {
	if (found && tooLarge) {
		const share = (goalLnBytes - found.lnBytes) / (tooLarge.lnBytes - found.lnBytes);
		return found.position + (tooLarge.position - found.position) * Math.min(0.9, Math.max(0.1, share));
	}
	const known = found ?? tooLarge;
	return known ? known.position + (goalLnBytes - known.lnBytes) : 0;
}
