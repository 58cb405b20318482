/** Plans the encoding of a video for a size limit: its size, frame rate and bit rate. No I/O. */

export interface VideoShape {
	/** The displayed size: upright, with square pixels. */
	readonly width: number;
	readonly height: number;
	readonly framesPerSecond: number;
	readonly durationS: number;
}

export interface VideoPlan {
	readonly width: number;
	readonly height: number;
	/** An upper bound; videos with a variable frame rate keep it. */
	readonly framesPerSecondMax: number;
	readonly videoBitsPerSecond: number;
}

/** Every phone decodes this in real time. */
const SHORT_SIDE_MAX = 1080;
/** The encoder's memory grows with the pixels of a frame. */
export const SHORT_SIDE_MAX_BY_MEMORY = { normal: SHORT_SIDE_MAX, low: SHORT_SIDE_MAX, least: 480 } as const;
const LONG_SIDE_MAX = 2560;
export const FRAMES_PER_SECOND_MAX = 60;
/** Frames above this rate are dropped before pixels. */
const FRAMES_PER_SECOND_LOW = 30;
const BITS_PER_SECOND_MAX = 40_000_000;
/** The plan uses the first of these sides for which the available bit rate suffices. */
const SHORT_SIDES = [1080, 900, 720, 600, 480, 360, 288, 240, 180, 144, 112] as const;

/**
 * With fewer bits a second, a smaller video looks better; measured at 1080p with 30 frames a second. More pixels and frames
 * need less than proportionally more bits.
 */
const SUFFICIENT_BITS_AT_1080P30 = 1_300_000;
const PIXELS_1080P = 1920 * 1080;
const PIXELS_EXPONENT = 0.9;
const FRAMES_EXPONENT = 0.6;

/** Returns the best plan for a size of the video track; `undefined` if even the smallest video needs a higher bit rate. */
export function planVideo(shape: VideoShape, videoBytes: number, shortSideMax = SHORT_SIDE_MAX): VideoPlan | undefined {
	const availableBitsPerSecond = (videoBytes * 8) / shape.durationS;
	const videoBitsPerSecond = Math.floor(Math.min(availableBitsPerSecond, BITS_PER_SECOND_MAX));
	const fullRate = Math.min(shape.framesPerSecond, FRAMES_PER_SECOND_MAX);
	const fullSize = scaled(shape, shortSideMax);
	if (sufficientBitsPerSecond(fullSize, fullRate) <= availableBitsPerSecond)
		return { ...fullSize, framesPerSecondMax: fullRate, videoBitsPerSecond };

	const framesPerSecondMax = Math.min(fullRate, FRAMES_PER_SECOND_LOW);
	for (const shortSide of [Math.min(shape.width, shape.height), ...SHORT_SIDES]) {
		const size = scaled(shape, Math.min(shortSide, shortSideMax));
		if (sufficientBitsPerSecond(size, framesPerSecondMax) <= availableBitsPerSecond)
			return { ...size, framesPerSecondMax, videoBitsPerSecond };
	}
	return undefined;
}

/** Returns the size with at most this short side. Enlarges only sides below 16. Sides are even, as H.264 with 4:2:0 requires. */
export function scaled({ width, height }: { width: number; height: number }, shortSide: number) {
	const scale = Math.min(
		1,
		Math.min(shortSide, SHORT_SIDE_MAX) / Math.min(width, height),
		LONG_SIDE_MAX / Math.max(width, height),
	);
	return { width: even(width * scale), height: even(height * scale) };
}

function even(side: number): number {
	return Math.max(16, Math.round(side / 2) * 2);
}

function sufficientBitsPerSecond(
	{ width, height }: { width: number; height: number },
	framesPerSecond: number,
): number {
	const pixelsShare = (width * height) / PIXELS_1080P;
	const framesShare = framesPerSecond / FRAMES_PER_SECOND_LOW;
	return SUFFICIENT_BITS_AT_1080P30 * pixelsShare ** PIXELS_EXPONENT * framesShare ** FRAMES_EXPONENT;
}

/** An encoding with the planned size, whose file was too large or smaller than necessary. */
export interface BitrateAttempt {
	readonly bitsPerSecond: number;
	/** The size of the video track alone. */
	readonly videoBytes: number;
}

/** The next bit rate is at most this many times the known one. */
const FACTOR_MAX = 4;
const BITS_PER_SECOND_MIN = 1000;
/** Encoders miss their target slightly, so a rate close to a known miss is likely to miss too. */
const MARGIN = 0.1;

/**
 * Returns the bit rate of the next attempt. `fitting` is the largest attempt that fits, `tooLarge` the smallest that does not;
 * `undefined` without any.
 */
export function nextBitrate(
	fitting: BitrateAttempt | undefined,
	tooLarge: BitrateAttempt | undefined,
	goalBytes: number,
): number | undefined {
	if (fitting && tooLarge) {
		const share = (goalBytes - fitting.videoBytes) / (tooLarge.videoBytes - fitting.videoBytes);
		const between = Math.min(1 - MARGIN, Math.max(MARGIN, share));
		return Math.floor(fitting.bitsPerSecond + (tooLarge.bitsPerSecond - fitting.bitsPerSecond) * between);
	}
	const known = fitting ?? tooLarge;
	if (known === undefined) return undefined;
	const factor = Math.min(FACTOR_MAX, goalBytes / Math.max(1, known.videoBytes));
	return Math.max(BITS_PER_SECOND_MIN, Math.floor(known.bitsPerSecond * factor));
}
