import { open } from "node:fs/promises";

/** An audio file that is open for reading. */
export interface AudioFile {
	/** The start and the end of the audio, without the tags before and after it. */
	readonly startOffset: number;
	readonly endOffset: number;
	/** Reads `bytes` bytes, or fewer at the end of the file. */
	readonly read: (at: number, bytes: number) => Promise<Buffer>;
}

/**
 * The result of a check without decoding. `damaged`: not an audio file, or truncated. `undecided`: only a decoder can tell, or not
 * every client plays it. A file without a length, such as a recorded live stream, is intact if it is valid to its end.
 */
export type IntegrityVerdict = "intact" | "damaged" | "undecided";

const TAGS_MAX = 8;
const ID3_HEADER_BYTES = 10;
const ID3V1_TAG_BYTES = 128;
/** The tolerated difference between declared and actual length, in sum: some writers count the tags too, or round up. */
const TOLERANCE_BYTES = 1024;
const TOLERANCE_SHARE = 0.02;

/** Opens a file, finds its tags, and closes it after `use`. */
export async function withAudioFile<T>(path: string, use: (file: AudioFile) => Promise<T>): Promise<T> {
	await using file = await open(path);
	const { size } = await file.stat();
	const read = async (at: number, bytes: number): Promise<Buffer> => {
		const buffer = Buffer.alloc(at < 0 ? 0 : Math.max(0, Math.min(bytes, size - at)));
		if (buffer.byteLength === 0) return buffer;
		const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, at);
		return buffer.subarray(0, bytesRead);
	};
	const startOffset = await startAfterTags(read, size);
	return await use({ startOffset, endOffset: await endBeforeTag(read, startOffset, size), read });
}

/** Returns whether the actual length is below the declared one by more than the tolerance. All are in the same unit. */
export function isTooShort(actual: number, declared: number, tolerance = TOLERANCE_BYTES): boolean {
	return declared - actual > tolerance + declared * TOLERANCE_SHARE;
}

/** Skips the ID3v2 tags at the start. */
async function startAfterTags(read: AudioFile["read"], size: number): Promise<number> {
	let at = 0;
	for (let tags = 0; tags < TAGS_MAX; tags++) {
		const head = await read(at, ID3_HEADER_BYTES);
		if (head.byteLength < ID3_HEADER_BYTES || head.toString("latin1", 0, 3) !== "ID3") return at;
		const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
		const next = at + ID3_HEADER_BYTES + synchsafeSize(head) + (hasFooter ? ID3_HEADER_BYTES : 0);
		// The size is invalid, or the audio is truncated: the following bytes decide.
		if (next >= size) return at + ID3_HEADER_BYTES;
		at = next;
	}
	return at;
}

/** Reads the size of an ID3 tag, which uses seven bits of each byte. */
function synchsafeSize(head: Buffer): number {
	return head.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

/** Skips an ID3v1 tag at the end. */
async function endBeforeTag(read: AudioFile["read"], startOffset: number, size: number): Promise<number> {
	const tagAt = size - ID3V1_TAG_BYTES;
	const hasTag = tagAt >= startOffset && (await read(tagAt, 3)).toString("latin1") === "TAG";
	return hasTag ? tagAt : size;
}
