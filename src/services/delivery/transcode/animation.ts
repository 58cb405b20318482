import { open } from "node:fs/promises";

/** The second frame of a GIF starts within these bytes: the first frame of a 4K GIF has 8 MiB before compression. */
const HEAD_BYTES_MAX = 16 * 1024 * 1024;
const WEBP_ANIMATION_FLAG = 0x02;

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

/** Skips the blocks of a GIF: header with color table, extensions, frames. */
function hasTwoGifFrames(head: Buffer): boolean {
	let at = 13 + colorTableBytes(head.readUInt8(10));
	for (let hasFrame = false; ;) {
		switch (head.readUInt8(at)) {
			case 0x21:
				at = afterSubBlocks(head, at + 2);
				break;
			case 0x2c:
				if (hasFrame) return true;
				hasFrame = true;
				at = afterSubBlocks(head, at + 11 + colorTableBytes(head.readUInt8(at + 9)));
				break;
			default:
				return false;
		}
	}
}

function colorTableBytes(flags: number): number {
	return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function afterSubBlocks(head: Buffer, start: number): number {
	let at = start;
	for (let size = head.readUInt8(at); size > 0; size = head.readUInt8(at)) at += 1 + size;
	return at + 1;
}
