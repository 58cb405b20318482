import type { HeadAndTail } from "./read-head-tail.ts";

/** The fields of an image's first and last bytes. */
export interface ImageHeader {
	readonly width: number;
	readonly height: number;
	/** The end marker is present; the bytes between are not checked. */
	readonly hasEndMarker: boolean;
}

/** `undefined` for other types, and if the header is invalid. */
export function readImageHeader(contentType: string, ends: HeadAndTail): ImageHeader | undefined {
	try {
		return imageHeaderOf(contentType, ends);
	} catch (error) {
		// A read beyond the buffer: the header is invalid.
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function imageHeaderOf(contentType: string, { head, tail, sizeBytes }: HeadAndTail): ImageHeader | undefined {
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
		if (isFrameHead(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) };
		// Markers may be padded, and only markers with a payload have a length.
		at += marker === 0xff ? 1 : marker >= 0xd0 && marker <= 0xd9 ? 2 : 2 + head.readUInt16BE(at + 2);
	}
	return undefined;
}

/** C0 to CF, except for three other segment types. */
function isFrameHead(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
