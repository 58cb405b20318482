import { open } from "node:fs/promises";

/** The audio data in a file, between its tags. */
export interface AudioFile {
	readonly from: number;
	readonly to: number;
	/** Reads at most `bytes`. */
	readonly read: (at: number, bytes: number) => Promise<Buffer>;
}

/**
 * `broken`: not an audio file, or truncated. `unsure`: only a decoder can tell, or not every client plays it. A file
 * without a length, such as a recorded live stream, is whole if it is valid to its end.
 */
export type IntegrityVerdict = "whole" | "broken" | "unsure";

const TAGS_MAX = 8;
const ID3_HEAD_BYTES = 10;
const ID3_OLD_BYTES = 128;
const APE_END_BYTES = 32;
/** Some writers count the tags too, or round up. */
const SLACK_BYTES = 1024;
const SLACK_SHARE = 0.02;

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
		const from = await afterTags(read, size);
		return await use({ from, to: await beforeTags(read, from, size), read });
	} finally {
		await file.close();
	}
}

/** Returns whether the file is shorter than it declares, beyond the known errors of writers. */
export function fallsShort(found: number, said: number, slack = SLACK_BYTES): boolean {
	return said - found > slack + said * SLACK_SHARE;
}

async function afterTags(read: AudioFile["read"], size: number): Promise<number> {
	let at = 0;
	for (let tags = 0; tags < TAGS_MAX; tags++) {
		const head = await read(at, ID3_HEAD_BYTES);
		if (head.byteLength < ID3_HEAD_BYTES || head.toString("latin1", 0, 3) !== "ID3") return at;
		const hasFoot = ((head[5] ?? 0) & 0x10) !== 0;
		const next = at + ID3_HEAD_BYTES + sevenBitSize(head) + (hasFoot ? ID3_HEAD_BYTES : 0);
		// The size is invalid, or the audio is truncated: the following bytes decide.
		if (next >= size) return at + ID3_HEAD_BYTES;
		at = next;
	}
	return at;
}

function sevenBitSize(head: Buffer): number {
	return head.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

async function beforeTags(read: AudioFile["read"], from: number, size: number): Promise<number> {
	let to = size;
	for (let tags = 0; tags < TAGS_MAX; tags++) {
		const tagBytes = tagBytesAt(await read(to - ID3_OLD_BYTES, ID3_OLD_BYTES));
		if (tagBytes === 0 || to - tagBytes < from) return to;
		to -= tagBytes;
	}
	return to;
}

/** Returns the size of the tag that ends at the end of the buffer. */
function tagBytesAt(end: Buffer): number {
	if (end.byteLength < ID3_OLD_BYTES) return 0;
	if (end.toString("latin1", 0, 3) === "TAG") return ID3_OLD_BYTES;
	const ape = end.subarray(-APE_END_BYTES);
	if (ape.toString("latin1", 0, 8) !== "APETAGEX") return 0;
	const hasHead = ape.readUInt32LE(20) >= 0x80000000;
	return ape.readUInt32LE(12) + (hasHead ? APE_END_BYTES : 0);
}
