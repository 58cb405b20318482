import type { FastifyReply } from "fastify";
import type { MalformedUrlHandler } from "@atelier/common/http-server";
import { StudioApiError, CODES } from "./errors.ts";

/** Replies with an error in the envelope of every response, with the headers of every response of the API. */
export function replyWithError(reply: FastifyReply, error: StudioApiError): FastifyReply {
	const { id } = reply.request;
	const { code, message, details } = error;
	return reply
		.code(error.httpStatus)
		.headers({
			"content-type": "application/json; charset=utf-8",
			"cache-control": "no-store",
			"x-request-id": id,
			...error.headers,
		})
		.send({ code, message, requestId: id, data: null, ...(details.length > 0 && { details }) });
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
