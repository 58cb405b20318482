/** Content types by file extension from a closed list, so that uploads cannot choose their own type. */
export interface MediaType {
	readonly contentType: string;
	/** Whether browsers may show it inline. SVG may not: it can contain scripts. */
	readonly isShown: boolean;
}

const shown = (contentType: string): MediaType => ({ contentType, isShown: true });
const kept = (contentType: string): MediaType => ({ contentType, isShown: false });

const BY_ENDING: { readonly [ending: string]: MediaType } = {
	png: shown("image/png"),
	gif: shown("image/gif"),
	jpg: shown("image/jpeg"),
	jpeg: shown("image/jpeg"),
	jfif: shown("image/jpeg"),
	webp: shown("image/webp"),
	avif: shown("image/avif"),
	mp4: shown("video/mp4"),
	mov: shown("video/quicktime"),
	webm: shown("video/webm"),
	mp3: shown("audio/mpeg"),
	m4a: shown("audio/mp4"),
	wav: shown("audio/wav"),
	ogg: shown("audio/ogg"),
	opus: shown("audio/ogg"),
	flac: shown("audio/flac"),
	svg: kept("image/svg+xml"),
	txt: kept("text/plain; charset=utf-8"),
	md: kept("text/markdown; charset=utf-8"),
	csv: kept("text/csv; charset=utf-8"),
	json: kept("application/json"),
	pdf: kept("application/pdf"),
	zip: kept("application/zip"),
};

export function mediaTypeOf(filename: string): MediaType {
	const ending = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
	return (Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined) ?? kept("application/octet-stream");
}
