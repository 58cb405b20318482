/** Other data is unlikely to look like so many consecutive frames. */
const RUN_FRAMES = 4;

/** The header contains the position in the list, from 1. */
const MPEG1_BIT_RATES_KBIT = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
/** For MPEG-2 and MPEG-2.5. */
const MPEG2_BIT_RATES_KBIT = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
/** MPEG-2 has half of these rates, MPEG-2.5 a quarter. */
const MPEG1_SAMPLE_RATES_HZ = [44_100, 48_000, 32_000];

/** The bits of the version in a frame header; 1 is reserved, and 0 is MPEG-2.5. */
const MPEG1 = 3;
const MPEG2 = 2;
const LAYER_3 = 1;

/**
 * Returns the length that the header of an MP3 frame at an offset declares: layer III of MPEG audio. Returns 0 for a free-format bit
 * rate, and `undefined` without a valid header.
 */
export function frameBytesAt(buffer: Buffer, at: number): number | undefined {
	if (at + 4 > buffer.byteLength || buffer[at] !== 0xff) return undefined;
	const [versionByte = 0, rateByte = 0] = [buffer[at + 1], buffer[at + 2]];
	const hasSyncBits = versionByte >= 0xe0;
	const version = (versionByte >> 3) & 3;
	const layerCode = (versionByte >> 1) & 3;
	const bitRateCode = rateByte >> 4;
	const mpeg1SampleRateHz = MPEG1_SAMPLE_RATES_HZ[(rateByte >> 2) & 3];
	const isReserved = version === 1 || bitRateCode === 15 || mpeg1SampleRateHz === undefined;
	if (!hasSyncBits || layerCode !== LAYER_3 || isReserved) return undefined;
	const isMpeg1 = version === MPEG1;
	const bitRateKbit = (isMpeg1 ? MPEG1_BIT_RATES_KBIT : MPEG2_BIT_RATES_KBIT)[bitRateCode - 1];
	if (bitRateKbit === undefined) return 0;
	const mpeg2Divisor = version === MPEG2 ? 2 : 4;
	const sampleRateHz = isMpeg1 ? mpeg1SampleRateHz : mpeg1SampleRateHz / mpeg2Divisor;
	const frameSamples = isMpeg1 ? 1152 : 576;
	const paddingBytes = (rateByte >> 1) & 1;
	return Math.floor((bitRateKbit * 125 * frameSamples) / sampleRateHz) + paddingBytes;
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

/** Counts consecutive complete frames, and returns the end of the last one. */
function framesFrom(buffer: Buffer, at: number, framesMax = Number.POSITIVE_INFINITY) {
	let [frameCount, until] = [0, at];
	while (frameCount < framesMax) {
		const frameBytes = frameBytesAt(buffer, until) ?? 0;
		if (frameBytes === 0 || until + frameBytes > buffer.byteLength) break;
		until += frameBytes;
		frameCount += 1;
	}
	return { frameCount, until };
}
