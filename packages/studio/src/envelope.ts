import type { FastifyReply } from "fastify";
import type { MalformedUrlHandler } from "@atelier/common/http-server";
import { ApiError, CODES, type FieldProblem } from "./errors.ts";

/** The envelope of every response. `code` and `data` are the specification's; the rest is our choice. */
export interface Envelope {
	readonly code: number;
	readonly message: string;
	readonly requestId: string;
	readonly data: object | null;
	readonly details?: readonly FieldProblem[];
}

export function newRequestId(randomBytes: (size: number) => Uint8Array): string {
	return `req_${Buffer.from(randomBytes(12)).toString("hex")}`;
}

export function okEnvelope(requestId: string, data: object): Envelope {
	return { code: 0, message: "ok", requestId, data };
}

export function errorEnvelope(requestId: string, error: ApiError): Envelope {
	const details = error.details.length > 0 ? { details: error.details } : {};
	return { code: error.code, message: error.message, requestId, data: null, ...details };
}

/** Replies with an error outside of the API, which sets these headers itself. */
export function replyWithError(
	reply: FastifyReply,
	error: ApiError,
	randomBytes: (size: number) => Uint8Array,
): FastifyReply {
	const requestId = newRequestId(randomBytes);
	return reply
		.code(error.httpStatus)
		.headers({
			"content-type": "application/json; charset=utf-8",
			"cache-control": "no-store",
			"x-request-id": requestId,
		})
		.send(errorEnvelope(requestId, error));
}

const PATHS = ["/api/v1/", "/media/"];

/** Replies to a malformed URL below the studio's paths like to an unknown one. */
export function createMalformedUrlHandler(randomBytes: (size: number) => Uint8Array): MalformedUrlHandler {
	return (url, reply) => {
		if (!PATHS.some((path) => url.startsWith(path))) return false;
		void replyWithError(reply, new ApiError(CODES.notFound, "unknown path"), randomBytes);
		return true;
	};
}

/** Formats a time for the API. */
export function isoTime(epochMs: number): string {
	return new Date(epochMs).toISOString();
}
