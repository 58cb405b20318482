/** Reads the size of an image from its first bytes, and its end marker from the last ones, without decoding it. */
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
	const file = await open(path);
	try {
		const head = Buffer.alloc(Math.min(sizeBytes, HEAD_BYTES_MAX));
		const tail = Buffer.alloc(Math.min(sizeBytes, TAIL_BYTES));
		await Promise.all([
			file.read(head, 0, head.byteLength, 0),
			file.read(tail, 0, tail.byteLength, sizeBytes - tail.byteLength),
		]);
		return { head, tail, sizeBytes };
	} finally {
		// The close is not awaited.
		file.close().catch(() => {});
	}
}

interface ImageHeader {
	readonly width: number;
	readonly height: number;
	/** True if the file ends with the end marker of its type or, for a WebP, is as long as it declares. Other bytes are not checked. */
	readonly hasEndMarker: boolean;
}

/** Returns `undefined` for other types than PNG, JPEG, GIF and WebP, and if the header is invalid. */
export function readImageHeader(contentType: string, headAndTail: HeadAndTail): ImageHeader | undefined {
	try {
		return parseHeader(contentType, headAndTail);
	} catch (error) {
		// A read beyond the buffer: the header is invalid.
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function parseHeader(contentType: string, { head, tail, sizeBytes }: HeadAndTail): ImageHeader | undefined {
	switch (contentType) {
		case "image/png":
		case "image/apng": {
			const hasEndMarker = tail.subarray(-8, -4).toString("latin1") === "IEND";
			return { width: head.readUInt32BE(16), height: head.readUInt32BE(20), hasEndMarker };
		}
		case "image/gif":
			return { width: head.readUInt16LE(6), height: head.readUInt16LE(8), hasEndMarker: tail.at(-1) === 0x3b };
		case "image/webp": {
			const hasEndMarker = head.readUInt32LE(4) + 8 <= sizeBytes;
			const size = webpSize(head);
			return size && { ...size, hasEndMarker };
		}
		case "image/jpeg": {
			const hasEndMarker = tail.at(-2) === 0xff && tail.at(-1) === 0xd9;
			const size = jpegSize(head);
			return size && { ...size, hasEndMarker };
		}
		default:
			return undefined;
	}
}

interface Size {
	readonly width: number;
	readonly height: number;
}

/** Reads the size from the first chunk of a WebP: extended, lossy or lossless. Sides have 14 bits, or 24 if extended. */
function webpSize(head: Buffer): Size | undefined {
	switch (head.toString("latin1", 12, 16)) {
		case "VP8X":
			return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
		case "VP8 ":
			return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
		case "VP8L": {
			const bits = head.readUInt32LE(21);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		default:
			return undefined;
	}
}

function jpegSize(head: Buffer): Size | undefined {
	for (let at = 2; at + 9 < head.byteLength;) {
		if (head[at] !== 0xff) return undefined;
		const marker = head[at + 1] ?? 0;
		if (isStartOfFrame(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
		const isPadding = marker === 0xff;
		const hasPayload = marker < 0xd0 || marker > 0xd9;
		if (isPadding) at += 1;
		else at += hasPayload ? 2 + head.readUInt16BE(at + 2) : 2;
	}
	return undefined;
}

/** C0 to CF, except for three other segment types. */
function isStartOfFrame(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
