import { isTooShort, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

/** The signature, and the first metadata block with its header. */
const STREAM_HEAD_BYTES = 42;
/** The header of the first metadata block: type 0 (STREAMINFO) and a length of 34 bytes. */
const STREAM_INFO_HEADER = 34;
/** The most that is read from the end. It holds two frames of nearly all files; in one with larger frames, it may hold none. */
const TAIL_BYTES_MAX = 256 * 1024;
/** Two stereo frames of 4096 samples with 24 bits. */
const TAIL_BYTES_MIN = 64 * 1024;
const FRAME_HEAD_BYTES_MAX = 16;
/** The number of candidates for the last frame: other bytes may look like a frame header. */
const LAST_FRAMES_MAX = 4;
/** The samples of a block by their code in the frame header. Codes from 8 are powers of two. */
const BLOCK_SAMPLES_BY_CODE = new Map([
	[1, 192],
	[2, 576],
	[3, 1152],
	[4, 2304],
	[5, 4608],
]);

/**
 * Some codes mean that the block size or sample rate itself follows in extra bytes of the frame header. The number of these
 * bytes by code.
 */
const EXTRA_BLOCK_BYTES = new Map([
	[6, 1],
	[7, 2],
]);
const EXTRA_RATE_BYTES = new Map([
	[12, 1],
	[13, 2],
	[14, 2],
]);

export async function verifyFlac({ startOffset, endOffset, read }: AudioFile): Promise<IntegrityVerdict> {
	const stream = readStreamHead(await read(startOffset, STREAM_HEAD_BYTES));
	if (stream === undefined) return "damaged";
	const tailBytes = Math.min(TAIL_BYTES_MAX, Math.max(TAIL_BYTES_MIN, 2 * stream.frameBytesMax));
	const tailFrom = Math.max(startOffset + STREAM_HEAD_BYTES, endOffset - tailBytes);
	const tail = await read(tailFrom, endOffset - tailFrom);
	const frames = [...framesIn(tail, stream.blockSamples)];
	if (frames.length === 0) return 2 * stream.frameBytesMax > TAIL_BYTES_MAX ? "undecided" : "damaged";
	const lastSample = Math.max(...frames.map(({ untilSample }) => untilSample));
	if (!isTooShort(lastSample, stream.samples, stream.blockSamples)) return "intact";
	// A file that ends with a complete frame may be an excerpt whose header still declares the length of the original.
	const endsWithFrame = frames.slice(-LAST_FRAMES_MAX).some(({ at }) => checksum(tail.subarray(at), 16, 0x8005) === 0);
	return endsWithFrame ? "undecided" : "damaged";
}

interface StreamHead {
	/** The most samples of one block. */
	readonly blockSamples: number;
	readonly frameBytesMax: number;
	/** The samples of the whole file; 0 if their number was unknown when the file was written. */
	readonly samples: number;
}

function readStreamHead(head: Buffer): StreamHead | undefined {
	if (head.byteLength < STREAM_HEAD_BYTES || head.toString("latin1", 0, 4) !== "fLaC") return undefined;
	if ((head.readUInt32BE(4) & 0x7fffffff) !== STREAM_INFO_HEADER) return undefined;
	const blockSamples = head.readUInt16BE(10);
	const channels = ((head.readUInt8(20) >> 1) & 7) + 1;
	const bitsPerSample = ((head.readUInt16BE(20) >> 4) & 31) + 1;
	// The difference of two channels needs one bit more than a sample.
	const bytesPerSample = Math.ceil((bitsPerSample + 1) / 8);
	return {
		blockSamples,
		frameBytesMax: blockSamples * channels * bytesPerSample + FRAME_HEAD_BYTES_MAX,
		samples: (head.readUInt8(21) & 15) * 2 ** 32 + head.readUInt32BE(22),
	};
}

interface Frame {
	/** The offset in the buffer. */
	readonly at: number;
	readonly untilSample: number;
}

function* framesIn(buffer: Buffer, blockSamples: number): Generator<Frame, void> {
	for (let at = buffer.indexOf(0xff); at >= 0; at = buffer.indexOf(0xff, at + 1)) {
		const untilSample = readFrameHead(buffer.subarray(at, at + FRAME_HEAD_BYTES_MAX), blockSamples);
		if (untilSample !== undefined) yield { at, untilSample };
	}
}

/** Returns the position after the last sample of a frame; `undefined` if the bytes are not the header of a frame. */
function readFrameHead(head: Buffer, streamBlockSamples: number): number | undefined {
	const [, sync = 0, sizes = 0, format = 0, first = 0] = head;
	const [blockCode, rateCode] = [sizes >> 4, sizes & 15];
	const isReserved = rateCode === 15 || format >> 4 > 10 || (format & 1) !== 0;
	if ((sync & 0xfe) !== 0xf8 || isReserved) return undefined;
	// From byte 4: the frame's number, coded like UTF-8 (the leading ones of its first byte count its bytes; none for a single
	// byte), then the extra bytes of block size and sample rate, then a checksum.
	const numberBytes = first < 0x80 ? 1 : Math.clz32(~first << 24);
	const blockAt = 4 + numberBytes;
	const rateAt = blockAt + (EXTRA_BLOCK_BYTES.get(blockCode) ?? 0);
	const checkAt = rateAt + (EXTRA_RATE_BYTES.get(rateCode) ?? 0);
	if (checkAt >= head.byteLength || checksum(head.subarray(0, checkAt + 1), 8, 0x07) !== 0) return undefined;
	const blockSamples = blockSamplesOf(blockCode, head.subarray(blockAt));
	if (blockSamples === undefined || blockSamples > streamBlockSamples) return undefined;
	const number = parseCodedNumber(head.subarray(4, blockAt));
	const hasSampleNumber = (sync & 1) === 1;
	return (hasSampleNumber ? number : number * streamBlockSamples) + blockSamples;
}

function blockSamplesOf(code: number, extraBytes: Buffer): number | undefined {
	if (code === 6) return extraBytes.readUInt8(0) + 1;
	if (code === 7) return extraBytes.readUInt16BE(0) + 1;
	return code >= 8 ? 256 << (code - 8) : BLOCK_SAMPLES_BY_CODE.get(code);
}

/** Parses a number that is encoded like a UTF-8 character, but may be longer. */
function parseCodedNumber(bytes: Buffer): number {
	const [first = 0] = bytes;
	const start = bytes.byteLength === 1 ? first : first & (0x7f >> bytes.byteLength);
	return bytes.subarray(1).reduce((number, byte) => number * 64 + (byte & 0x3f), start);
}

/** Returns the CRC of bytes, without reflection: 0 for data that ends with its own CRC. */
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
