/** The kind of a file's content. */
export type MediaKind = "image" | "video" | "audio";

/** Returns `undefined` for a content type that is not of a media file. */
export function mediaKindOf(contentType: string): MediaKind | undefined {
	if (contentType.startsWith("image/")) return "image";
	if (contentType.startsWith("video/") || contentType === "application/mp4") return "video";
	if (contentType.startsWith("audio/")) return "audio";
	return undefined;
}
