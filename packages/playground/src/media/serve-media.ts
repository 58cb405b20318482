/** Serves uploaded files, with types from a closed list. */
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { StoredAttachment } from "../simulator/documents.ts";
import type { MediaStore } from "./media-store.ts";

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

/** The content of a URL never changes, but a message may be deleted, so caching is limited. */
const CACHE_SECONDS = 3_600;

interface FileError extends FastifyError {
	readonly headers?: Readonly<Record<string, string>>;
}

interface ServeMediaDeps {
	readonly media: Pick<MediaStore, "folder">;
	readonly find: (attachmentId: string) => Pick<StoredAttachment, "hash" | "filename"> | undefined;
}

/** Serves uploaded files with ranges: browsers seek in videos by ranges. */
export function serveMedia({ media: { folder }, find }: ServeMediaDeps) {
	return async (scope: FastifyInstance): Promise<void> => {
		if (!scope.hasReplyDecorator("sendFile")) {
			await scope.register(fastifyStatic, { root: folder, serve: false, suppressWarning: true });
		}
		scope.setNotFoundHandler((_request, reply) => void refuse(reply, 404, "There is no such file."));
		scope.setErrorHandler<FileError>((error, _request, reply) => {
			if (error.statusCode !== 416) throw error;
			// The headers name the file's size.
			return refuse(reply.headers(error.headers ?? {}), 416, "The file ends before that range.");
		});
		scope.get<{ Params: { attachment: string } }>("/:channel/:attachment/:name", ({ params }, reply) => {
			const found = find(params.attachment);
			if (!found) return reply.callNotFound();
			const { contentType, isInline } = mediaTypeOf(found.filename);
			const disposition = isInline ? "inline" : "attachment";
			return reply
				.headers({
					"content-type": contentType,
					"content-disposition": `${disposition}; filename*=UTF-8''${encodeURIComponent(found.filename)}`,
					// Uploads never run as a page of this server, whatever their type.
					"content-security-policy": "default-src 'none'; sandbox",
					"cache-control": `private, max-age=${CACHE_SECONDS}`,
				})
				.sendFile(found.hash, folder, { contentType: false, cacheControl: false, index: false });
		});
	};
}

/** Removes headers that were set before the file could not be sent. */
function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
	return reply
		.code(status)
		.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
		.send({ message });
}
