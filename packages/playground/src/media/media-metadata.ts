/** The type of a file by its name, and the size of an image or video by its header. */
import { readImageSize } from "@atelier/common/image-size";

/** Content types by file extension from a closed list, so that uploads cannot choose their own type. */
export interface MediaType {
	readonly contentType: string;
	/** True if browsers may show it inline. SVG may not: it can contain scripts. */
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
		return mp4Size(bytes) ?? readImageSize(bytes) ?? UNKNOWN;
	} catch {
		// A truncated header: the file is kept.
		return UNKNOWN;
	}
}

function mp4Size(bytes: Buffer): ImageSize | undefined {
	if (bytes.toString("latin1", 4, 8) !== "ftyp") return undefined;
	for (const track of mp4BoxesAt(bytes, 0, bytes.length, ["moov", "trak", "tkhd"])) {
		// The last eight bytes of a track header are its size in 16.16 fixed point; audio tracks have none.
		const width = bytes.readUInt16BE(track.end - 8);
		const height = bytes.readUInt16BE(track.end - 4);
		if (width > 0 && height > 0) return { width, height };
	}
	return UNKNOWN;
}

function* mp4BoxesAt(
	bytes: Buffer,
	start: number,
	rangeEnd: number,
	path: readonly string[],
): Generator<{ end: number }> {
	const [name, ...inner] = path;
	for (let offset = start, seen = 0; offset + 8 <= rangeEnd && seen < MP4_BOXES_MAX; seen += 1) {
		const length32 = bytes.readUInt32BE(offset);
		const length =
			length32 === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : length32 === 0 ? rangeEnd - offset : length32;
		if (length < 8) return;
		if (bytes.toString("latin1", offset + 4, offset + 8) === name) {
			const end = Math.min(offset + length, rangeEnd);
			if (inner.length === 0) yield { end };
			else yield* mp4BoxesAt(bytes, offset + (length32 === 1 ? 16 : 8), end, inner);
		}
		offset += length;
	}
}
