/** A frame of an MP3. */
interface MpegFrame {
	readonly layer: 1 | 2 | 3;
	/** The length that the header declares; `undefined` for a free-format bit rate. */
	readonly bytes: number | undefined;
	/** The version, layer and sample rate, which are equal in all frames of a stream. */
	readonly family: number;
}

/** Other data is unlikely to look like so many consecutive frames. */
const RUN_FRAMES = 4;

/** Bit rates by layer; the header contains the position in the list, from 1. */
const MPEG1_BIT_RATES_KBIT = {
	1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
	2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
	3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
} as const;
/** For MPEG-2 and MPEG-2.5. */
const MPEG2_BIT_RATES_KBIT = {
	1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
	2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
	3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
/** MPEG-2 has half of these rates, MPEG-2.5 a quarter. */
const MPEG1_SAMPLE_RATES_HZ = [44_100, 48_000, 32_000];

/** The bits of the version in a frame header; 1 is reserved, and 0 is MPEG-2.5. */
const MPEG1 = 3;
const MPEG2 = 2;

/** Returns the frame whose header is at an offset; `undefined` if there is no valid header. */
export function mpegFrameAt(buffer: Buffer, at: number): MpegFrame | undefined {
	if (at + 4 > buffer.byteLength || buffer[at] !== 0xff) return undefined;
	const [versionByte = 0, rateByte = 0] = [buffer[at + 1], buffer[at + 2]];
	const hasSyncBits = versionByte >= 0xe0;
	const version = (versionByte >> 3) & 3;
	const layerCode = (versionByte >> 1) & 3;
	const bitRateCode = rateByte >> 4;
	const mpeg1SampleRateHz = MPEG1_SAMPLE_RATES_HZ[(rateByte >> 2) & 3];
	const isReserved = version === 1 || layerCode === 0 || bitRateCode === 15 || mpeg1SampleRateHz === undefined;
	if (!hasSyncBits || isReserved) return undefined;
	const layer = (4 - layerCode) as 1 | 2 | 3;
	const frame = { layer, family: ((versionByte & 0xfe) << 8) | (rateByte & 0x0c) };
	const isMpeg1 = version === MPEG1;
	const bitRateKbit = (isMpeg1 ? MPEG1_BIT_RATES_KBIT : MPEG2_BIT_RATES_KBIT)[layer][bitRateCode - 1];
	if (bitRateKbit === undefined) return { ...frame, bytes: undefined };
	const mpeg2Divisor = version === MPEG2 ? 2 : 4;
	const sampleRateHz = isMpeg1 ? mpeg1SampleRateHz : mpeg1SampleRateHz / mpeg2Divisor;
	const slotBytes = layer === 1 ? 4 : 1;
	const frameBits = (bitRateKbit * 1000 * samplesOf(layer, isMpeg1)) / sampleRateHz;
	const slots = Math.floor(frameBits / 8 / slotBytes);
	const paddingSlots = (rateByte >> 1) & 1;
	return { ...frame, bytes: (slots + paddingSlots) * slotBytes };
}

/** Returns the number of samples in a frame. */
function samplesOf(layer: MpegFrame["layer"], isMpeg1: boolean): number {
	if (layer === 1) return 384;
	return layer === 3 && !isMpeg1 ? 576 : 1152;
}

/** Returns whether the buffer contains a run of frames, or consists of frames from its start. */
export function containsFrames(buffer: Buffer): boolean {
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

/** Returns the offset of the next run of frames; `undefined` without one. */
function findRun(buffer: Buffer, from: number): number | undefined {
	for (let at = buffer.indexOf(0xff, from); at >= 0; at = buffer.indexOf(0xff, at + 1)) {
		if (framesFrom(buffer, at, RUN_FRAMES).frameCount === RUN_FRAMES) return at;
	}
	return undefined;
}

/** Counts consecutive complete frames of one family, and returns the end of the last one. */
function framesFrom(buffer: Buffer, at: number, framesMax = Number.POSITIVE_INFINITY) {
	const family = mpegFrameAt(buffer, at)?.family;
	let [frameCount, until] = [0, at];
	while (frameCount < framesMax) {
		const frame = mpegFrameAt(buffer, until);
		if (frame?.bytes === undefined || frame.family !== family || until + frame.bytes > buffer.byteLength) break;
		until += frame.bytes;
		frameCount += 1;
	}
	return { frameCount, until };
}
