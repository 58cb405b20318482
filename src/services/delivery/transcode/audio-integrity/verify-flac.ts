import { isTooShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

const STREAM_HEAD_BYTES = 42;
/** Header and length of the first metadata block. */
const STREAM_INFO_BLOCK = 34;
/** Two frames of the size that nearly all encoders write. */
const TAIL_BYTES_MAX = 256 * 1024;
const TAIL_BYTES_MIN = 64 * 1024;
const FRAME_HEAD_BYTES_MAX = 16;
/** The number of candidates for the last frame: other bytes may look like a frame header. */
const LAST_FRAMES_MAX = 4;
const SMALL_BLOCKS = new Map([
	[1, 192],
	[2, 576],
	[3, 1152],
	[4, 2304],
	[5, 4608],
]);

export async function verifyFlac({ startOffset, to, read }: AudioFile): Promise<IntegrityVerdict> {
	const stream = readStreamHead(await read(startOffset, STREAM_HEAD_BYTES));
	if (stream === undefined) return "damaged";
	const tailBytes = Math.min(TAIL_BYTES_MAX, Math.max(TAIL_BYTES_MIN, 2 * stream.frameBytesMax));
	const tailFrom = Math.max(startOffset + STREAM_HEAD_BYTES, to - tailBytes);
	const tail = await read(tailFrom, to - tailFrom);
	const frames = [...framesIn(tail, stream.blockSamples)];
	if (frames.length === 0) return 2 * stream.frameBytesMax > TAIL_BYTES_MAX ? "undecided" : "damaged";
	const lastSample = frames.reduce((most, { untilSample }) => Math.max(most, untilSample), 0);
	if (!isTooShort(lastSample, stream.samples, stream.blockSamples)) return "intact";
	// The header of an excerpt may still declare the original length; its last frame is complete.
	const endsWithFrame = frames.slice(-LAST_FRAMES_MAX).some(({ at }) => checksum(tail.subarray(at), 16, 0x8005) === 0);
	return endsWithFrame ? "undecided" : "damaged";
}

interface StreamHead {
	/** The most samples of one block. */
	readonly blockSamples: number;
	readonly frameBytesMax: number;
	/** 0 if it was unknown when the file was written. */
	readonly samples: number;
}

function readStreamHead(head: Buffer): StreamHead | undefined {
	if (head.byteLength < STREAM_HEAD_BYTES || head.toString("latin1", 0, 4) !== "fLaC") return undefined;
	if ((head.readUInt32BE(4) & 0x7fffffff) !== STREAM_INFO_BLOCK) return undefined;
	const blockSamples = head.readUInt16BE(10);
	const channels = ((head.readUInt8(20) >> 1) & 7) + 1;
	const bitsPerSample = (head.readUInt16BE(20) >> 4) & 31;
	return {
		blockSamples,
		frameBytesMax: blockSamples * channels * Math.ceil((bitsPerSample + 2) / 8) + FRAME_HEAD_BYTES_MAX,
		samples: (head.readUInt8(21) & 15) * 2 ** 32 + head.readUInt32BE(22),
	};
}

interface Frame {
	readonly at: number;
	readonly untilSample: number;
}

function* framesIn(buffer: Buffer, blockSamples: number): Generator<Frame, void> {
	for (let at = buffer.indexOf(0xff); at >= 0; at = buffer.indexOf(0xff, at + 1)) {
		const untilSample = readFrameHead(buffer.subarray(at, at + FRAME_HEAD_BYTES_MAX), blockSamples);
		if (untilSample !== undefined) yield { at, untilSample };
	}
}

/** Returns the position after the last sample of a frame; `undefined` if its checksum does not match. */
function readFrameHead(head: Buffer, streamBlockSamples: number): number | undefined {
	const [, sync = 0, sizes = 0, format = 0, first = 0] = head;
	if ((sync & 0xfe) !== 0xf8 || (sizes & 15) === 15 || format >> 4 > 10 || (format & 1) !== 0) return undefined;
	const blockCode = sizes >> 4;
	const numberBytes = first < 0x80 ? 1 : Math.clz32(~first << 24);
	const blockAt = 4 + numberBytes;
	const rateAt = blockAt + (blockCode === 6 ? 1 : blockCode === 7 ? 2 : 0);
	const checkAt = rateAt + ((sizes & 15) < 12 ? 0 : (sizes & 15) === 12 ? 1 : 2);
	if (checkAt >= head.byteLength || checksum(head.subarray(0, checkAt + 1), 8, 0x07) !== 0) return undefined;
	const blockSamples = blockSamplesOf(blockCode, head.subarray(blockAt));
	if (blockSamples === undefined || blockSamples > streamBlockSamples) return undefined;
	const number = parseCodedNumber(head.subarray(4, blockAt));
	const hasSampleNumber = (sync & 1) === 1;
	return (hasSampleNumber ? number : number * streamBlockSamples) + blockSamples;
}

function blockSamplesOf(code: number, rest: Buffer): number | undefined {
	if (code === 6) return rest.readUInt8(0) + 1;
	if (code === 7) return rest.readUInt16BE(0) + 1;
	return code >= 8 ? 256 << (code - 8) : SMALL_BLOCKS.get(code);
}

/** Parses a number that is encoded like a UTF-8 character, but may be longer. */
function parseCodedNumber(bytes: Buffer): number {
	const [first = 0] = bytes;
	const start = bytes.byteLength === 1 ? first : first & (0x7f >> bytes.byteLength);
	return bytes.subarray(1).reduce((number, byte) => number * 64 + (byte & 0x3f), start);
}

/** A CRC without reflection: 0 over data that ends with its own CRC. */
function checksum(bytes: Buffer, bits: 8 | 16, polynomial: number): number {
	const top = 1 << (bits - 1);
	const mask = (1 << bits) - 1;
	let sum = 0;
	for (const byte of bytes) {
		sum ^= byte << (bits - 8);
		for (let bit = 0; bit < 8; bit++) sum = (sum & top) === 0 ? sum << 1 : ((sum << 1) ^ polynomial) & mask;
	}
	return sum & mask;
}
