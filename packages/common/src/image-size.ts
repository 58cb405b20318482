/** Reads the size of an image from its first bytes, without decoding it. */
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";

/** The size of an image before it is turned upright. */
export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Only these: the handlers of other formats need seconds for a small file that was made for it, such as an AVIF. */
const HANDLERS = [PNG, JPG, GIF, WEBP];
/** Contains the size of a JPEG, which follows a thumbnail and a color profile. */
const HEAD_BYTES_MAX = 256 * 1024;

/** Returns `undefined` unless the bytes begin with the valid header of a PNG, JPEG, GIF or WebP. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
	// The library slices its input at each step: a slice of a buffer is a view, and not a copy.
	const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES_MAX));
	try {
		const size = HANDLERS.find(({ validate }) => validate(head))?.calculate(head);
		return size && { width: size.width, height: size.height };
	} catch {
		// The library throws errors of any class for invalid headers.
		return undefined;
	}
}
