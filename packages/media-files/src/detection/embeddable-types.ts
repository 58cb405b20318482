/**
 * The content types that Discord displays inline, with their file extensions. Types come from the content, never from a
 * name.
 */

const EXTENSIONS: Readonly<Record<string, string>> = {
	"image/png": "png",
	"image/apng": "png",
	"image/jpeg": "jpg",
	"image/gif": "gif",
	"image/webp": "webp",
	"image/avif": "avif",
	"video/mp4": "mp4",
	"audio/mpeg": "mp3",
	"audio/mp4": "m4a",
	"audio/x-m4a": "m4a",
	"audio/wav": "wav",
	"audio/ogg": "ogg",
	"audio/ogg; codecs=opus": "ogg",
	"audio/flac": "flac",
};

/** The largest short side of an H.264 video that every client plays. */
export const H264_SHORT_SIDE_MAX = 2160;

/** Returns the file extension of a type; `undefined` for types that Discord does not display. */
export function extensionOf(contentType: string): string | undefined {
	return EXTENSIONS[contentType];
}
