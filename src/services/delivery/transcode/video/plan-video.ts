/** How a film is to be encoded so that it fits: pure. */

export interface VideoShape {
	/** As it is seen: upright, with square pixels. */
	readonly width: number;
	readonly height: number;
	readonly framesPerSecond: number;
	readonly durationS: number;
}

export interface VideoPlan {
	readonly width: number;
	readonly height: number;
	/** An upper bound; a film with uneven gaps keeps them. */
	readonly framesPerSecondMax: number;
	readonly videoBitsPerSecond: number;
}

/** What every phone decodes in time. */
const SHORT_SIDE_MAX = 1080;
const LONG_SIDE_MAX = 2560;
const FRAMES_PER_SECOND_MAX = 60;
const FRAMES_PER_SECOND_LOW = 30;
const BITS_PER_SECOND_MAX = 40_000_000;
/** Heights of which the largest that the bits suffice for is taken. */
const SHORT_SIDES = [1080, 900, 720, 600, 480, 360, 288, 240, 180, 144, 112] as const;

/** Below this H.264 falls into blocks; measured beside the same bits at fewer pixels. Pixels and frames cost less than their number. */
const BITS_ENOUGH_AT_1080P30 = 1_300_000;
const PIXELS_1080P = 1920 * 1080;
const PIXELS_EXPONENT = 0.9;
const FRAMES_EXPONENT = 0.6;

/** `undefined` where not even the smallest picture has bits enough. */
export function planVideo(shape: VideoShape, videoBytes: number, shortSideMax = SHORT_SIDE_MAX): VideoPlan | undefined {
	const available = (videoBytes * 8) / shape.durationS;
	const videoBitsPerSecond = Math.floor(Math.min(available, BITS_PER_SECOND_MAX));
	const fastest = Math.min(shape.framesPerSecond, FRAMES_PER_SECOND_MAX);
	const full = scaled(shape, shortSideMax);
	if (bitsEnough(full, fastest) <= available) return { ...full, framesPerSecondMax: fastest, videoBitsPerSecond };

	const framesPerSecondMax = Math.min(fastest, FRAMES_PER_SECOND_LOW);
	for (const shortSide of [Math.min(shape.width, shape.height), ...SHORT_SIDES]) {
		const size = scaled(shape, Math.min(shortSide, shortSideMax));
		if (bitsEnough(size, framesPerSecondMax) <= available) return { ...size, framesPerSecondMax, videoBitsPerSecond };
	}
	return undefined;
}

/** H.264 with halved colour needs even sides. Nothing is made larger. */
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

function bitsEnough({ width, height }: { width: number; height: number }, framesPerSecond: number): number {
	const pixels = (width * height) / PIXELS_1080P;
	const frames = framesPerSecond / FRAMES_PER_SECOND_LOW;
	return BITS_ENOUGH_AT_1080P30 * pixels ** PIXELS_EXPONENT * frames ** FRAMES_EXPONENT;
}
