/** A frame of an MP3. Its header declares its length. */
export interface MpegFrame {
	readonly layer: 1 | 2 | 3;
	/** `undefined` for a free-format bit rate. */
	readonly bytes: number | undefined;
	/** The header bits that are equal in all frames of a stream. */
	readonly family: number;
}

/** So many consecutive frames are no coincidence. */
const RUN_FRAMES = 4;

const LONG_RATES_KBIT = {
	1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
	2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
	3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
} as const;
const SHORT_RATES_KBIT = {
	1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
	2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
	3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000];

export function mpegFrameAt(buffer: Buffer, at: number): MpegFrame | undefined {
	if (at + 4 > buffer.byteLength || buffer[at] !== 0xff) return undefined;
	const [kind = 0, rates = 0] = [buffer[at + 1], buffer[at + 2]];
	const version = (kind >> 3) & 3;
	const layerCode = (kind >> 1) & 3;
	const sampleRate = SAMPLE_RATES[(rates >> 2) & 3];
	if (kind < 0xe0 || version === 1 || layerCode === 0 || rates >> 4 === 15 || sampleRate === undefined)
		return undefined;
	const layer = (4 - layerCode) as 1 | 2 | 3;
	const frame = { layer, family: ((kind & 0xfe) << 8) | (rates & 0x0c) };
	const isLong = version === 3;
	const kbit = (isLong ? LONG_RATES_KBIT : SHORT_RATES_KBIT)[layer][(rates >> 4) - 1];
	if (kbit === undefined) return { ...frame, bytes: undefined };
	const perSecond = sampleRate / (isLong ? 1 : version === 2 ? 2 : 4);
	const padding = (rates >> 1) & 1;
	if (layer === 1) return { ...frame, bytes: (Math.floor((12_000 * kbit) / perSecond) + padding) * 4 };
	const scale = layer === 3 && !isLong ? 72_000 : 144_000;
	return { ...frame, bytes: Math.floor((scale * kbit) / perSecond) + padding };
}

/** Returns whether the buffer contains a run of frames, or consists of frames from its start. */
export function holdsFrames(buffer: Buffer): boolean {
	return findRun(buffer, 0) !== undefined || framesFrom(buffer, 0).until === buffer.byteLength;
}

/** Returns whether the last frame is complete and nothing follows it. */
export function endsWithFrame(buffer: Buffer): boolean {
	let at: number | undefined = 0;
	while (at !== undefined) {
		const { until } = framesFrom(buffer, at);
		if (until === buffer.byteLength) return true;
		at = findRun(buffer, Math.max(until, at + 1));
	}
	return false;
}

function findRun(buffer: Buffer, from: number): number | undefined {
	for (let at = buffer.indexOf(0xff, from); at >= 0; at = buffer.indexOf(0xff, at + 1)) {
		if (framesFrom(buffer, at, RUN_FRAMES).frames === RUN_FRAMES) return at;
	}
	return undefined;
}

/** Counts consecutive complete frames of one family, and returns the end of the last one. */
function framesFrom(buffer: Buffer, at: number, framesMax = Number.POSITIVE_INFINITY) {
	const family = mpegFrameAt(buffer, at)?.family;
	let [frames, until] = [0, at];
	while (frames < framesMax) {
		const frame = mpegFrameAt(buffer, until);
		if (frame?.bytes === undefined || frame.family !== family || until + frame.bytes > buffer.byteLength) break;
		until += frame.bytes;
		frames += 1;
	}
	return { frames, until };
}
