import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import { replyWithError } from "./envelope.ts";
import { StudioApiError, CODES } from "./errors.ts";
import type { LinkQuery, MediaLinks } from "./media-links.ts";
import { kindOfFile } from "./media-store.ts";
import type { StudioContext } from "./studio-context.ts";

const HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; sandbox",
	"cross-origin-resource-policy": "cross-origin",
} as const;

interface FileError extends FastifyError {
	readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves the files at `/media/{sha256}.{ext}`, with ranges. Anyone with a link may read the file until the link
 * expires.
 */
export async function registerMedia(
	app: FastifyInstance,
	deps: StudioContext & { readonly mediaDir: string; readonly links: MediaLinks },
): Promise<void> {
	const { mediaDir, links, clock, logger } = deps;
	await mkdir(mediaDir, { recursive: true });
	await app.register(
		async (scope) => {
			if (!scope.hasReplyDecorator("sendFile")) {
				await scope.register(fastifyStatic, { root: resolve(mediaDir), serve: false });
			}
			scope.setNotFoundHandler((_request, reply) => void sendNotFound(reply));
			scope.setErrorHandler<FileError>((error, _request, reply) => {
				if (error.statusCode === 416) {
					// Content-Range contains the file size.
					reply.headers(error.headers ?? {});
					return replyWithError(
						reply,
						new StudioApiError(CODES.rangeNotSatisfiable, "the file ends before that range"),
					);
				}
				// No route here takes a body, so a client error means an unknown path.
				if (error.statusCode !== undefined && error.statusCode < 500) return sendNotFound(reply);
				logger.error({ err: error }, "file not served");
				return replyWithError(reply, new StudioApiError(CODES.internal, "unexpected error; it is logged"));
			});
			scope.get<{ Params: { file: string }; Querystring: LinkQuery }>("/:file", (request, reply) => {
				const { file } = request.params;
				const kind = kindOfFile(file);
				const verdict = kind && links.checkLink(file, request.query);
				if (verdict === "expired") {
					const message = "this link has expired: read the task again for a new one";
					return replyWithError(reply, new StudioApiError(CODES.linkExpired, message));
				}
				if (!kind || verdict !== "valid") return reply.callNotFound();
				const remainingS = Math.floor(Number(request.query.expires) - clock.nowMs() / 1000);
				// The type from our own table; fastify-static must not guess it.
				return reply
					.headers({
						...HEADERS,
						// The file name is a content hash, so the file never changes; but the link expires.
						"cache-control": `public, max-age=${remainingS}, immutable`,
						"content-type": kind.contentType,
					})
					.sendFile(file, mediaDir, { contentType: false, cacheControl: false, index: false });
			});
		},
		{ prefix: "/media" },
	);
}

function sendNotFound(reply: FastifyReply): FastifyReply {
	return replyWithError(reply, new StudioApiError(CODES.notFound, "unknown file"));
}
