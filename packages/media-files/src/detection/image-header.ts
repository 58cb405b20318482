/** Reads the first and the last bytes of a file, and finds the end marker and the frames of an image. */
import { open } from "node:fs/promises";

/** The first and the last bytes of a file, which overlap in a small file. */
export interface HeadAndTail {
	readonly head: Buffer;
	readonly tail: Buffer;
	/** The size of the whole file. */
	readonly sizeBytes: number;
}

/** Contains the size of a JPEG, which follows a thumbnail and a color profile. */
const HEAD_BYTES_MAX = 256 * 1024;
/** Contains the end markers of all types. */
const TAIL_BYTES = 16;

export async function readHeadAndTail(path: string, sizeBytes: number): Promise<HeadAndTail> {
	await using file = await open(path);
	const head = Buffer.alloc(Math.min(sizeBytes, HEAD_BYTES_MAX));
	const tail = Buffer.alloc(Math.min(sizeBytes, TAIL_BYTES));
	await Promise.all([
		file.read(head, 0, head.byteLength, 0),
		file.read(tail, 0, tail.byteLength, sizeBytes - tail.byteLength),
	]);
	return { head, tail, sizeBytes };
}

/** Returns whether a file ends as its type requires. Other bytes are not checked. Returns false for types that have no end marker. */
export function hasEndMarker(contentType: string, { head, tail, sizeBytes }: HeadAndTail): boolean {
	switch (contentType) {
		case "image/png":
		case "image/apng":
			return tail.subarray(-8, -4).toString("latin1") === "IEND";
		case "image/gif":
			return tail.at(-1) === 0x3b;
		case "image/webp":
			return head.readUInt32LE(4) + 8 <= sizeBytes;
		case "image/jpeg":
			return tail.at(-2) === 0xff && tail.at(-1) === 0xd9;
		default:
			return false;
	}
}

/** Returns whether an animated PNG has more than one frame. Its control chunk begins with the number of frames. */
export function hasSeveralFrames({ head }: Pick<HeadAndTail, "head">): boolean {
	const start = head.indexOf("acTL");
	return start < 0 || start + 8 > head.byteLength || head.readUInt32BE(start + 4) > 1;
}
