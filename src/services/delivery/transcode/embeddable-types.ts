/**
 * The content types that Discord displays inline, with their file extensions. Types come from the content, never from a
 * name.
 */
const PICTURES: Readonly<Record<string, string>> = {
	"image/png": "png",
	"image/apng": "png",
	"image/jpeg": "jpg",
	"image/gif": "gif",
	"image/webp": "webp",
	"image/avif": "avif",
};

const SOUNDS: Readonly<Record<string, string>> = {
	"audio/mpeg": "mp3",
	"audio/mp4": "m4a",
	"audio/x-m4a": "m4a",
	"audio/wav": "wav",
	"audio/ogg": "ogg",
	"audio/ogg; codecs=opus": "ogg",
	"audio/flac": "flac",
};

const ENDINGS: Readonly<Record<string, string>> = { ...PICTURES, ...SOUNDS, "video/mp4": "mp4" };

export function isEmbeddableImage(contentType: string): boolean {
	return contentType in PICTURES;
}

export function isEmbeddableAudio(contentType: string): boolean {
	return contentType in SOUNDS;
}

/** `undefined` for types that Discord does not display. */
export function extensionOf(contentType: string): string | undefined {
	return ENDINGS[contentType];
}
