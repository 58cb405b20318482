/** The media that the service takes and gives. A file's type is read from its bytes, never taken from who sent it. */
export interface MediaKind {
	readonly type: "image" | "video" | "audio";
	readonly contentType: string;
	readonly extension: string;
}

const KINDS = [
	{ type: "image", contentType: "image/png", extension: "png" },
	{ type: "image", contentType: "image/jpeg", extension: "jpg" },
	{ type: "image", contentType: "image/webp", extension: "webp" },
	{ type: "image", contentType: "image/gif", extension: "gif" },
	{ type: "video", contentType: "video/mp4", extension: "mp4" },
	{ type: "video", contentType: "video/webm", extension: "webm" },
	{ type: "audio", contentType: "audio/mpeg", extension: "mp3" },
	{ type: "audio", contentType: "audio/mp4", extension: "m4a" },
	{ type: "audio", contentType: "audio/wav", extension: "wav" },
	{ type: "audio", contentType: "audio/ogg", extension: "ogg" },
	{ type: "audio", contentType: "audio/flac", extension: "flac" },
] as const satisfies readonly MediaKind[];

type Extension = (typeof KINDS)[number]["extension"];

export function kindByExtension(extension: string): MediaKind | undefined {
	return KINDS.find((kind) => kind.extension === extension);
}

/** What the first bytes say. Everything that is not in the table, SVG and HTML for instance, is not media. */
export function sniffMedia(bytes: Uint8Array): MediaKind | undefined {
	const extension = sniff(bytes);
	return extension && kindByExtension(extension);
}

function sniff(bytes: Uint8Array): Extension | undefined {
	const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString("latin1");
	if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
	if (head.startsWith("\xff\xd8\xff")) return "jpg";
	if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "gif";
	if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "webp";
	if (head.startsWith("RIFF") && head.slice(8, 12) === "WAVE") return "wav";
	if (head.slice(4, 8) === "ftyp") return head.slice(8, 12) === "M4A " ? "m4a" : "mp4";
	if (head.startsWith("\x1a\x45\xdf\xa3")) return "webm";
	if (head.startsWith("ID3") || /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/.test(head)) return "mp3";
	if (head.startsWith("OggS")) return "ogg";
	if (head.startsWith("fLaC")) return "flac";
	return undefined;
}
