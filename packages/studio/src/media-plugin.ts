import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { errorEnvelope, newRequestId } from "./envelope.ts";
import { ApiError, CODES } from "./errors.ts";
import type { LinkQuery, MediaLinks } from "./media-links.ts";
import { kindOfFile } from "./media-store.ts";

const HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; sandbox",
	"cross-origin-resource-policy": "cross-origin",
} as const;

interface FileError extends FastifyError {
	readonly headers?: Readonly<Record<string, string>>;
}

/** The files at `/media/{sha256}.{ext}`, with ranges. Who was given a link may read the file until the link's time is over. */
export async function registerMedia(
	app: FastifyInstance,
	deps: {
		readonly mediaDir: string;
		readonly randomBytes: (size: number) => Uint8Array;
		readonly links: MediaLinks;
		readonly clock: Clock;
		readonly logger: Logger;
	},
): Promise<void> {
	const { mediaDir, randomBytes, links, clock, logger } = deps;
	const refuseAsMissing = (reply: FastifyReply): FastifyReply =>
		refuse(reply, randomBytes, new ApiError(CODES.notFound, "there is no such file"));
	await mkdir(mediaDir, { recursive: true });
	await app.register(
		async (scope) => {
			if (!scope.hasReplyDecorator("sendFile")) {
				await scope.register(fastifyStatic, { root: resolve(mediaDir), serve: false });
			}
			scope.setNotFoundHandler((_request, reply) => void refuseAsMissing(reply));
			scope.setErrorHandler<FileError>((error, _request, reply) => {
				if (error.statusCode === 416) {
					// They say how long the file is.
					reply.headers(error.headers ?? {});
					return refuse(reply, randomBytes, new ApiError(CODES.noSuchRange, "the file ends before that range"));
				}
				// Nothing here takes a body: whatever is wrong with one, it was sent to where nothing is.
				if (error.statusCode !== undefined && error.statusCode < 500) return refuseAsMissing(reply);
				logger.error({ err: error }, "file not served");
				return refuse(reply, randomBytes, new ApiError(CODES.internal, "an unexpected fault; it is logged"));
			});
			scope.get<{ Params: { file: string }; Querystring: LinkQuery }>("/:file", (request, reply) => {
				const { file } = request.params;
				const kind = kindOfFile(file);
				const verdict = kind && links.verdictOn(file, request.query);
				if (verdict === "over") {
					const message = "the time of this link is over: read the task again for another one";
					return refuse(reply, randomBytes, new ApiError(CODES.linkOver, message));
				}
				if (!kind || verdict !== "open") return reply.callNotFound();
				const goodForS = Math.floor(Number(request.query.expires) - clock.nowMs() / 1000);
				// The type is ours and not one that a table of extensions makes up.
				return reply
					.headers({
						...HEADERS,
						// A file is named by its content, so that it never changes; but the link does not open it for ever.
						"cache-control": `public, max-age=${Math.max(0, goodForS)}, immutable`,
						"content-type": kind.contentType,
					})
					.sendFile(file, mediaDir, { contentType: false, cacheControl: false, index: false });
			});
		},
		{ prefix: "/media" },
	);
}

/** What was said of the file before it turned out to be missing is taken back. */
function refuse(reply: FastifyReply, randomBytes: (size: number) => Uint8Array, refusal: ApiError): FastifyReply {
	return reply
		.code(refusal.httpStatus)
		.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
		.send(errorEnvelope(newRequestId(randomBytes), refusal));
}
