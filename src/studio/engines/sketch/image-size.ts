export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/**
 * How large a PNG, JPEG, GIF or WebP will be once decoded, read from its header alone: a few kilobytes can ask for gigabytes
 * of pixels. Anything else, SVG above all, has no size here and is not decoded.
 */
export function imageSizeOf(bytes: Uint8Array): ImageSize | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const text = (from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));
	if (bytes.length < 30) return undefined;
	if (text(1, 4) === "PNG" && text(12, 16) === "IHDR") return { width: view.getUint32(16), height: view.getUint32(20) };
	if (text(0, 3) === "GIF") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
	if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webpSize(view, text(12, 16));
	if (view.getUint16(0) === 0xffd8) return jpegSize(view);
	return undefined;
}

function webpSize(view: DataView, chunk: string): ImageSize | undefined {
	const uint24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
	switch (chunk) {
		case "VP8X":
			return { width: uint24(24) + 1, height: uint24(27) + 1 };
		case "VP8L": {
			const packed = view.getUint32(21, true);
			return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
		}
		case "VP8 ":
			return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
		default:
			return undefined;
	}
}

/** Walks the segments up to the start of frame. */
function jpegSize(view: DataView): ImageSize | undefined {
	let at = 2;
	while (at + 9 < view.byteLength) {
		if (view.getUint8(at) !== 0xff) return undefined;
		const marker = view.getUint8(at + 1);
		if (marker === 0xff) {
			at += 1;
			continue;
		}
		const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
		if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
		at += standsAlone ? 2 : 2 + view.getUint16(at + 2);
	}
	return undefined;
}
