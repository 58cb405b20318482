/** Serves uploaded files with ranges: browsers seek in videos by ranges. */
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { StoredAttachment } from "../simulator/documents.ts";
import { mediaTypeOf } from "./media-metadata.ts";
import type { MediaStore } from "./media-store.ts";

/** The content of a URL never changes, but a message may be deleted, so caching is limited. */
const CACHE_SECONDS = 3_600;

interface FileError extends FastifyError {
	readonly headers?: Readonly<Record<string, string>>;
}

interface ServeMediaDeps {
	readonly media: Pick<MediaStore, "folder">;
	readonly find: (attachmentId: string) => Pick<StoredAttachment, "id" | "filename"> | undefined;
}

export function serveMedia({ media: { folder }, find }: ServeMediaDeps) {
	return async (scope: FastifyInstance): Promise<void> => {
		if (!scope.hasReplyDecorator("sendFile")) {
			await scope.register(fastifyStatic, { root: folder, serve: false, suppressWarning: true });
		}
		scope.setNotFoundHandler((_request, reply) => void reject(reply, 404, "There is no such file."));
		scope.setErrorHandler<FileError>((error, _request, reply) => {
			if (error.statusCode !== 416) throw error;
			// The headers name the file's size.
			return reject(reply.headers(error.headers ?? {}), 416, "The file ends before that range.");
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
					// Uploads never run as a page of this origin, whatever their type.
					"content-security-policy": "default-src 'none'; sandbox",
					"cache-control": `private, max-age=${CACHE_SECONDS}`,
				})
				.sendFile(found.id, folder, { contentType: false, cacheControl: false, index: false });
		});
	};
}

/** Removes headers that were set before the file could not be sent. */
function reject(reply: FastifyReply, status: number, message: string): FastifyReply {
	return reply
		.code(status)
		.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
		.send({ message });
}
