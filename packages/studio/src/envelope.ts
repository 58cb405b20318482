import type { FastifyReply } from "fastify";
import type { MalformedUrlHandler } from "@atelier/common/http-server";
import { StudioApiError, CODES, type FieldProblem } from "./errors.ts";

/** The envelope of every response. `code` and `data` are the specification's; the rest is our choice. */
export interface ResponseEnvelope {
	readonly code: number;
	readonly message: string;
	readonly requestId: string;
	readonly data: object | null;
	readonly details?: readonly FieldProblem[];
}

export function okEnvelope(requestId: string, data: object): ResponseEnvelope {
	return { code: 0, message: "ok", requestId, data };
}

function errorEnvelope(requestId: string, error: StudioApiError): ResponseEnvelope {
	const details = error.details.length > 0 ? { details: error.details } : {};
	return { code: error.code, message: error.message, requestId, data: null, ...details };
}

/** Replies with an error, with the headers of every response of the API. */
export function replyWithError(reply: FastifyReply, error: StudioApiError): FastifyReply {
	const { id } = reply.request;
	return reply
		.code(error.httpStatus)
		.headers({
			"content-type": "application/json; charset=utf-8",
			"cache-control": "no-store",
			"x-request-id": id,
			...error.headers,
		})
		.send(errorEnvelope(id, error));
}

const PATHS = ["/api/v1/", "/media/"];

/** Replies to a malformed URL below the studio's paths like to an unknown one. */
export const handleMalformedStudioUrl: MalformedUrlHandler = (url, reply) => {
	if (!PATHS.some((path) => url.startsWith(path))) return false;
	void replyWithError(reply, new StudioApiError(CODES.notFound, "unknown path"));
	return true;
};

/** Formats a time for the API. */
export function isoTime(epochMs: number): string {
	return new Date(epochMs).toISOString();
}
