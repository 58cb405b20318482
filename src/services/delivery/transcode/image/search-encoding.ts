/**
 * Finds the best encoding of an image that fits. Pure except for the encoder, which is passed in. * Quality and scale
 * form one line, from no loss to nearly total loss: first quality that is not visible, then pixels, and only with few
 * pixels left visible quality. The position with the right size is first estimated from typical encoders, then searched
 * between results that fit and results that do not.
 */

export interface Attempt {
	readonly scale: number;
	readonly quality: number;
}

export interface Line {
	readonly qualityBest: number;
	readonly qualityGood: number;
	readonly qualityLeast: number;
	/** Below this scale, quality is reduced instead of pixels. */
	readonly scaleLeast: number;
	readonly attemptsMax: number;
}

export interface Found extends Attempt {
	readonly bytes: Buffer;
}

/** Close enough: the rest of the space is not worth another attempt. */
const ENOUGH = 0.9;
const AIM = 0.955;

/** Points on the line, each with the estimated factor of its size to the previous one. */
const LEAST_TO_SMALL = 2.6;
const GOOD_TO_BEST = 2.3;
const BYTES_PER_SCALE_EXPONENT = 1.7;

export async function searchEncoding(
	bytesMax: number,
	line: Line,
	encode: (attempt: Attempt) => Promise<Buffer>,
): Promise<Found | undefined> {
	const small = Math.log(LEAST_TO_SMALL);
	const good = small + Math.log(1 / line.scaleLeast) * BYTES_PER_SCALE_EXPONENT;
	const best = good + Math.log(GOOD_TO_BEST);
	const settingsAt = (position: number): Attempt => {
		const between = (from: number, to: number, a: number, b: number): number =>
			from + ((to - from) * (position - a)) / (b - a);
		if (position >= good) {
			return { scale: 1, quality: Math.round(between(line.qualityGood, line.qualityBest, good, best)) };
		}
		if (position >= small) {
			return { scale: Math.exp((position - good) / BYTES_PER_SCALE_EXPONENT), quality: line.qualityGood };
		}
		return {
			scale: line.scaleLeast,
			quality: Math.round(between(line.qualityLeast, line.qualityGood, 0, small)),
		};
	};

	let found: (Found & { readonly position: number; readonly ln: number }) | undefined;
	let tooLarge: { readonly position: number; readonly ln: number } | undefined;
	let position = good;
	const goalLn = Math.log(bytesMax * AIM);
	for (let attempt = 1; attempt <= line.attemptsMax; attempt++) {
		const settings = settingsAt(position);
		const bytes = await encode(settings);
		const measured = { position, ln: Math.log(bytes.byteLength) };
		if (bytes.byteLength <= bytesMax) {
			if (found === undefined || bytes.byteLength > found.bytes.byteLength) found = { ...settings, bytes, ...measured };
			if (position >= best || bytes.byteLength >= bytesMax * ENOUGH) return found;
		} else {
			if (position <= 0) return undefined;
			tooLarge = measured;
		}
		const next = nextPosition(found, tooLarge, goalLn);
		// The last attempt must fit, so it uses the safest position.
		position = Math.min(best, Math.max(0, attempt === line.attemptsMax - 1 && !found ? 0 : next));
		if (tooLarge && found && tooLarge.position - found.position < 0.01) break;
	}
	return found;
}

function nextPosition(
	found: { readonly position: number; readonly ln: number } | undefined,
	tooLarge: { readonly position: number; readonly ln: number } | undefined,
	goalLn: number,
): number {
	if (found && tooLarge) {
		const share = (goalLn - found.ln) / (tooLarge.ln - found.ln);
		return found.position + (tooLarge.position - found.position) * Math.min(0.9, Math.max(0.1, share));
	}
	const known = found ?? tooLarge;
	return known ? known.position + (goalLn - known.ln) : 0;
}
