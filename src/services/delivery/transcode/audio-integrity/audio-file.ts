import { open } from "node:fs/promises";

/** The audio data of a file, without the tags before and after it. */
export interface AudioFile {
	readonly startOffset: number;
	readonly to: number;
	/** Reads at most `bytes`. */
	readonly read: (at: number, bytes: number) => Promise<Buffer>;
}

/**
 * `damaged`: not an audio file, or truncated. `undecided`: only a decoder can tell, or not every client plays it. A file
 * without a length, such as a recorded live stream, is intact if it is valid to its end.
 */
export type IntegrityVerdict = "intact" | "damaged" | "undecided";

const TAGS_MAX = 8;
const ID3_HEADER_BYTES = 10;
const ID3V1_TAG_BYTES = 128;
const APE_FOOTER_BYTES = 32;
/** Tolerated difference between declared and actual length: some writers count the tags too, or round up. */
const TOLERANCE_BYTES = 1024;
const TOLERANCE_SHARE = 0.02;

export async function withAudioFile<T>(path: string, use: (file: AudioFile) => Promise<T>): Promise<T> {
	const file = await open(path);
	try {
		const { size } = await file.stat();
		const read = async (at: number, bytes: number): Promise<Buffer> => {
			const buffer = Buffer.alloc(at < 0 ? 0 : Math.max(0, Math.min(bytes, size - at)));
			if (buffer.byteLength === 0) return buffer;
			const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, at);
			return buffer.subarray(0, bytesRead);
		};
		const startOffset = await startAfterTags(read, size);
		return await use({ startOffset, to: await endBeforeTags(read, startOffset, size), read });
	} finally {
		await file.close();
	}
}

/** Returns whether the actual length is below the declared one by more than the tolerance. Both in the same unit. */
export function isTooShort(actual: number, declared: number, tolerance = TOLERANCE_BYTES): boolean {
	return declared - actual > tolerance + declared * TOLERANCE_SHARE;
}

async function startAfterTags(read: AudioFile["read"], size: number): Promise<number> {
	let at = 0;
	for (let tags = 0; tags < TAGS_MAX; tags++) {
		const head = await read(at, ID3_HEADER_BYTES);
		if (head.byteLength < ID3_HEADER_BYTES || head.toString("latin1", 0, 3) !== "ID3") return at;
		const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
		const next = at + ID3_HEADER_BYTES + sevenBitSize(head) + (hasFooter ? ID3_HEADER_BYTES : 0);
		// The size is invalid, or the audio is truncated: the following bytes decide.
		if (next >= size) return at + ID3_HEADER_BYTES;
		at = next;
	}
	return at;
}

function sevenBitSize(head: Buffer): number {
	return head.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

async function endBeforeTags(read: AudioFile["read"], from: number, size: number): Promise<number> {
	let to = size;
	for (let tags = 0; tags < TAGS_MAX; tags++) {
		const tagBytes = trailingTagBytes(await read(to - ID3V1_TAG_BYTES, ID3V1_TAG_BYTES));
		if (tagBytes === 0 || to - tagBytes < from) return to;
		to -= tagBytes;
	}
	return to;
}

/** Returns the size of the ID3v1 or APE tag at the end of the buffer; 0 without one. */
function trailingTagBytes(tail: Buffer): number {
	if (tail.byteLength < ID3V1_TAG_BYTES) return 0;
	if (tail.toString("latin1", 0, 3) === "TAG") return ID3V1_TAG_BYTES;
	const ape = tail.subarray(-APE_FOOTER_BYTES);
	if (ape.toString("latin1", 0, 8) !== "APETAGEX") return 0;
	const hasHeader = ape.readUInt32LE(20) >= 0x80000000;
	return ape.readUInt32LE(12) + (hasHeader ? APE_FOOTER_BYTES : 0);
}
