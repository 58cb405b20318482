import { fileTypeFromBuffer } from "file-type";

/** The supported media types. A file's type is detected from its bytes, never from the sender's word. */
export interface MediaFormat {
	readonly type: "image" | "video" | "audio";
	readonly contentType: string;
	readonly extension: string;
}

const FORMATS: readonly MediaFormat[] = [
	{ type: "image", contentType: "image/png", extension: "png" },
	{ type: "image", contentType: "image/jpeg", extension: "jpg" },
	{ type: "image", contentType: "image/webp", extension: "webp" },
	{ type: "image", contentType: "image/gif", extension: "gif" },
	{ type: "image", contentType: "image/avif", extension: "avif" },
	{ type: "image", contentType: "image/heic", extension: "heic" },
	{ type: "video", contentType: "video/mp4", extension: "mp4" },
	{ type: "video", contentType: "video/webm", extension: "webm" },
	{ type: "video", contentType: "video/quicktime", extension: "mov" },
	{ type: "video", contentType: "video/x-matroska", extension: "mkv" },
	{ type: "audio", contentType: "audio/mpeg", extension: "mp3" },
	{ type: "audio", contentType: "audio/mp4", extension: "m4a" },
	{ type: "audio", contentType: "audio/wav", extension: "wav" },
	{ type: "audio", contentType: "audio/ogg", extension: "ogg" },
	{ type: "audio", contentType: "audio/flac", extension: "flac" },
];

/** Variants that `file-type` distinguishes. */
const VARIANTS: Readonly<Record<string, string>> = {
	apng: "png",
	m4v: "mp4",
	f4v: "mp4",
	"3gp": "mp4",
	m4b: "m4a",
	f4a: "m4a",
	f4b: "m4a",
	oga: "ogg",
	opus: "ogg",
	spx: "ogg",
};

/** Types that engines accept as input; the others are outputs only. */
const INPUT_IMAGES: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

export function formatByExtension(extension: string): MediaFormat | undefined {
	return FORMATS.find((kind) => kind.extension === extension);
}

/** Detects the type by content. Everything else, such as SVG and HTML, is not media. */
export async function detectMedia(bytes: Uint8Array): Promise<MediaFormat | undefined> {
	const extension = (await fileTypeFromBuffer(bytes))?.ext;
	if (extension !== undefined) return formatByExtension(VARIANTS[extension] ?? extension);
	// An ID3 tag may declare a size beyond the file.
	return Buffer.from(bytes.subarray(0, 3)).toString("latin1") === "ID3" ? formatByExtension("mp3") : undefined;
}

/** Returns whether engines accept the image as input. */
export function isInputImage({ contentType }: MediaFormat): boolean {
	return INPUT_IMAGES.includes(contentType);
}

/** Creates a form part with the content type and extension of its content. */
export async function formFile(bytes: Uint8Array, name: string): Promise<File> {
	const { contentType = "application/octet-stream", extension = "bin" } = (await detectMedia(bytes)) ?? {};
	return new File([Uint8Array.from(bytes)], `${name}.${extension}`, { type: contentType });
}
