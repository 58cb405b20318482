/** Plans the encoding of a video for a size limit. Pure. */

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
const FRAMES_PER_SECOND_MAX = 60;
const FRAMES_PER_SECOND_LOW = 30;
const BITS_PER_SECOND_MAX = 40_000_000;
/** The largest height whose bit rate suffices is used. */
const SHORT_SIDES = [1080, 900, 720, 600, 480, 360, 288, 240, 180, 144, 112] as const;

/**
 * Below this, H.264 shows blocks; measured against fewer pixels at the same rate. Pixels and frames cost less than
 * proportionally.
 */
const SUFFICIENT_BITS_AT_1080P30 = 1_300_000;
const PIXELS_1080P = 1920 * 1080;
const PIXELS_EXPONENT = 0.9;
const FRAMES_EXPONENT = 0.6;

/** `undefined` if even the smallest size needs a higher bit rate. */
export function planVideo(shape: VideoShape, videoBytes: number, shortSideMax = SHORT_SIDE_MAX): VideoPlan | undefined {
	const availableBitsPerSecond = (videoBytes * 8) / shape.durationS;
	const videoBitsPerSecond = Math.floor(Math.min(availableBitsPerSecond, BITS_PER_SECOND_MAX));
	const fastest = Math.min(shape.framesPerSecond, FRAMES_PER_SECOND_MAX);
	const full = scaled(shape, shortSideMax);
	if (sufficientBitsPerSecond(full, fastest) <= availableBitsPerSecond)
		return { ...full, framesPerSecondMax: fastest, videoBitsPerSecond };

	const framesPerSecondMax = Math.min(fastest, FRAMES_PER_SECOND_LOW);
	for (const shortSide of [Math.min(shape.width, shape.height), ...SHORT_SIDES]) {
		const size = scaled(shape, Math.min(shortSide, shortSideMax));
		if (sufficientBitsPerSecond(size, framesPerSecondMax) <= availableBitsPerSecond)
			return { ...size, framesPerSecondMax, videoBitsPerSecond };
	}
	return undefined;
}

/** H.264 with 4:2:0 subsampling needs even sides. Never enlarges. */
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
	const pixels = (width * height) / PIXELS_1080P;
	const frames = framesPerSecond / FRAMES_PER_SECOND_LOW;
	return SUFFICIENT_BITS_AT_1080P30 * pixels ** PIXELS_EXPONENT * frames ** FRAMES_EXPONENT;
}

/** Selects the next bit rate after earlier attempts. Pure. */

export interface BitrateAttempt {
	readonly bitsPerSecond: number;
	/** The size of the video track alone. */
	readonly videoBytes: number;
}

const FACTOR_MAX = 4;
const BITS_PER_SECOND_MIN = 1000;
/** Encoders miss their target slightly, so a rate close to a known miss is likely to miss too. */
const MARGIN = 0.1;

/** `fitting` is the largest attempt that fits, `tooLarge` the smallest that does not. */
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
