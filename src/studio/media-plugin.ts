import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { errorEnvelope, newRequestId } from "./envelope.ts";
import { ApiError, CODES } from "./errors.ts";
import { kindOfFile } from "./media-store.ts";

const HEADERS = {
	// A file is named by its content, so that it never changes.
	"cache-control": "public, max-age=31536000, immutable",
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; sandbox",
	"cross-origin-resource-policy": "cross-origin",
} as const;

/** The files at `/media/{sha256}.{ext}`, with ranges. The name is the secret: whoever was given it may read the file. */
export async function registerMedia(
	app: FastifyInstance,
	{ mediaDir, randomBytes }: { readonly mediaDir: string; readonly randomBytes: (size: number) => Uint8Array },
): Promise<void> {
	await mkdir(mediaDir, { recursive: true });
	await app.register(
		async (scope) => {
			if (!scope.hasReplyDecorator("sendFile")) {
				await scope.register(fastifyStatic, { root: resolve(mediaDir), serve: false });
			}
			scope.setNotFoundHandler((_request, reply) => {
				const refusal = new ApiError(CODES.notFound, "there is no such file");
				// What was said of the file before it turned out to be missing is taken back.
				void reply
					.code(refusal.httpStatus)
					.headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
					.send(errorEnvelope(newRequestId(randomBytes), refusal));
			});
			scope.get<{ Params: { file: string } }>("/:file", (request, reply) => {
				const { file } = request.params;
				const kind = kindOfFile(file);
				if (!kind) return reply.callNotFound();
				// The type is ours and not one that a table of extensions makes up.
				return reply
					.headers({ ...HEADERS, "content-type": kind.contentType })
					.sendFile(file, mediaDir, { contentType: false, cacheControl: false, index: false });
			});
		},
		{ prefix: "/media" },
	);
}
