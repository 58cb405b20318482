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
