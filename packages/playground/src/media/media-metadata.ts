/** The type of a file by its name, and the size of an image or video by its header. */

/** Content types by file extension from a closed list, so that uploads cannot choose their own type. */
export interface MediaType {
	readonly contentType: string;
	/** Whether browsers may show it inline. SVG may not: it can contain scripts. */
	readonly isInline: boolean;
}

const inline = (contentType: string): MediaType => ({ contentType, isInline: true });
const download = (contentType: string): MediaType => ({ contentType, isInline: false });

const BY_ENDING: { readonly [ending: string]: MediaType } = {
	png: inline("image/png"),
	gif: inline("image/gif"),
	jpg: inline("image/jpeg"),
	jpeg: inline("image/jpeg"),
	jfif: inline("image/jpeg"),
	webp: inline("image/webp"),
	avif: inline("image/avif"),
	mp4: inline("video/mp4"),
	mov: inline("video/quicktime"),
	webm: inline("video/webm"),
	mp3: inline("audio/mpeg"),
	m4a: inline("audio/mp4"),
	wav: inline("audio/wav"),
	ogg: inline("audio/ogg"),
	opus: inline("audio/ogg"),
	flac: inline("audio/flac"),
	svg: download("image/svg+xml"),
	txt: download("text/plain; charset=utf-8"),
	md: download("text/markdown; charset=utf-8"),
	csv: download("text/csv; charset=utf-8"),
	json: download("application/json"),
	pdf: download("application/pdf"),
	zip: download("application/zip"),
};

export function mediaTypeOf(filename: string): MediaType {
	const ending = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
	return (Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined) ?? download("application/octet-stream");
}

/** Declared by Discord for images and videos. */
export interface ImageSize {
	readonly width: number | null;
	readonly height: number | null;
}

const UNKNOWN: ImageSize = { width: null, height: null };
const MP4_BOXES_MAX = 200;

export function imageSize(bytes: Buffer): ImageSize {
	try {
		return pngSize(bytes) ?? gifSize(bytes) ?? jpegSize(bytes) ?? webpSize(bytes) ?? mp4Size(bytes) ?? UNKNOWN;
	} catch (error) {
		// A truncated header has no size; the file is kept.
		if (error instanceof RangeError) return UNKNOWN;
		throw error;
	}
}

function pngSize(bytes: Buffer): ImageSize | undefined {
	if (bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1A\n") return undefined;
	return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): ImageSize | undefined {
	if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
	return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function jpegSize(bytes: Buffer): ImageSize | undefined {
	if (bytes.toString("latin1", 0, 3) !== "\xFF\xD8\xFF") return undefined;
	for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
		const marker = bytes.readUInt8(at + 1);
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
	}
	return UNKNOWN;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
	if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return undefined;
	const kind = bytes.toString("latin1", 12, 16);
	if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
	if (kind === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
	const packed = bytes.readUInt32LE(21);
	return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
}

function mp4Size(bytes: Buffer): ImageSize | undefined {
	if (bytes.toString("latin1", 4, 8) !== "ftyp") return undefined;
	for (const track of boxes(bytes, 0, bytes.length, ["moov", "trak", "tkhd"])) {
		// The last eight bytes of a track header are its size in 16.16 fixed point; audio tracks have none.
		const width = bytes.readUInt16BE(track.end - 8);
		const height = bytes.readUInt16BE(track.end - 4);
		if (width > 0 && height > 0) return { width, height };
	}
	return UNKNOWN;
}

function* boxes(bytes: Buffer, from: number, to: number, path: readonly string[]): Generator<{ end: number }> {
	const [name, ...inner] = path;
	for (let at = from, seen = 0; at + 8 <= to && seen < MP4_BOXES_MAX; seen += 1) {
		const short = bytes.readUInt32BE(at);
		const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
		if (length < 8) return;
		if (bytes.toString("latin1", at + 4, at + 8) === name) {
			const end = Math.min(at + length, to);
			if (inner.length === 0) yield { end };
			else yield* boxes(bytes, at + (short === 1 ? 16 : 8), end, inner);
		}
		at += length;
	}
}
