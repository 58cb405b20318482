/** Uploaded files, whole or in part: a browser seeks in a video by asking for ranges of it. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { StoredAttachment } from "../world/stored-message.ts";
import type { MediaStore } from "./media-store.ts";
import { mediaTypeOf } from "./media-types.ts";

/** Contents never change under an address, but a message may be deleted: kept for a while, not for ever. */
const CACHE_SECONDS = 3_600;

export async function serveMedia(deps: {
	media: MediaStore;
	found: StoredAttachment | undefined;
	request: FastifyRequest;
	reply: FastifyReply;
}): Promise<FastifyReply> {
	const { media, found, request, reply } = deps;
	const sizeBytes = found && (await media.sizeBytes(found.hash));
	if (!found || sizeBytes === undefined) return reply.code(404).send({ message: "There is no such file." });

	const { contentType, isShown } = mediaTypeOf(found.filename);
	const disposition = isShown ? "inline" : "attachment";
	reply
		.header("content-type", contentType)
		.header("content-disposition", `${disposition}; filename*=UTF-8''${encodeURIComponent(found.filename)}`)
		// Nothing that was uploaded runs as a page of this server, whatever it says it is.
		.header("content-security-policy", "default-src 'none'; sandbox")
		.header("accept-ranges", "bytes")
		.header("etag", `"${found.hash}"`)
		.header("cache-control", `private, max-age=${CACHE_SECONDS}`);

	if (request.headers["if-none-match"] === `"${found.hash}"`) return reply.code(304).send();
	const range = rangeOf(request.headers.range, sizeBytes);
	if (range === "unsatisfiable") {
		return reply.code(416).header("content-range", `bytes */${sizeBytes}`).send();
	}
	const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
	reply.header("content-length", Math.max(0, end - start + 1));
	if (range) reply.code(206).header("content-range", `bytes ${start}-${end}/${sizeBytes}`);
	if (sizeBytes === 0) return reply.send(Buffer.alloc(0));
	return reply.send(media.read(found.hash, start, end));
}

/** One range; several, or what cannot be read, is answered with the whole, as RFC 9110 allows. */
export function rangeOf(
	header: string | undefined,
	sizeBytes: number,
): { readonly start: number; readonly end: number } | "unsatisfiable" | undefined {
	const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
	const [, from = "", to = ""] = match ?? [];
	if (!match || (from === "" && to === "")) return undefined;
	if (from === "") {
		const start = Math.max(0, sizeBytes - Number(to));
		return Number(to) === 0 || sizeBytes === 0 ? "unsatisfiable" : { start, end: sizeBytes - 1 };
	}
	const start = Number(from);
	const end = to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
	if (to !== "" && Number(to) < start) return undefined;
	return start >= sizeBytes ? "unsatisfiable" : { start, end };
}
