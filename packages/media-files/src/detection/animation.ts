import { open } from "node:fs/promises";

/** The second frame of a GIF starts within these bytes: the first frame of a 4K GIF has 8 MiB before compression. */
const HEAD_BYTES_MAX = 16 * 1024 * 1024;
const WEBP_ANIMATION_FLAG = 0x02;
/** The first byte of a block in a GIF: an extension, or an image, which is one frame. */
const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;
/** The header of a GIF, including the logical screen. */
const GIF_HEADER_BYTES = 13;

/** Returns whether an image has more than one frame; `false` if unknown. Decodes nothing. */
export async function isAnimated(path: string, contentType: string): Promise<boolean> {
	const head = await readHead(path);
	try {
		switch (contentType) {
			case "image/gif":
				return hasTwoGifFrames(head);
			case "image/apng":
				return head.readUInt32BE(head.indexOf("acTL") + 4) > 1;
			case "image/webp":
				return head.toString("latin1", 12, 16) === "VP8X" && (head.readUInt8(20) & WEBP_ANIMATION_FLAG) !== 0;
			case "image/avif":
				return head.toString("latin1", 8, 12) === "avis";
			default:
				return false;
		}
	} catch (error) {
		// The image is truncated.
		if (error instanceof RangeError) return false;
		throw error;
	}
}

async function readHead(path: string): Promise<Buffer> {
	const file = await open(path);
	try {
		const { size } = await file.stat();
		const head = Buffer.alloc(Math.min(size, HEAD_BYTES_MAX));
		const { bytesRead } = await file.read(head, 0, head.byteLength, 0);
		return head.subarray(0, bytesRead);
	} finally {
		await file.close();
	}
}

/** Looks for a second image among the blocks of a GIF. */
function hasTwoGifFrames(head: Buffer): boolean {
	let at = GIF_HEADER_BYTES + colorTableBytes(head.readUInt8(10));
	for (let hasFrame = false; ;) {
		switch (head.readUInt8(at)) {
			case GIF_EXTENSION:
				// After the kind of the extension.
				at = endOfSubBlocks(head, at + 2);
				break;
			case GIF_IMAGE:
				if (hasFrame) return true;
				hasFrame = true;
				// After the image's position, size, flags, color table and code size.
				at = endOfSubBlocks(head, at + 11 + colorTableBytes(head.readUInt8(at + 9)));
				break;
			default:
				return false;
		}
	}
}

/** Returns the length of the color table that the flags announce; 0 without one. */
function colorTableBytes(flags: number): number {
	return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Skips blocks that begin with their length, up to an empty one. */
function endOfSubBlocks(head: Buffer, start: number): number {
	let at = start;
	for (let size = head.readUInt8(at); size > 0; size = head.readUInt8(at)) at += 1 + size;
	return at + 1;
}
