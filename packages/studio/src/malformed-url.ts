import type { MalformedUrlHandler } from "@atelier/common/http-server";
import { errorEnvelope, newRequestId } from "./envelope.ts";
import { ApiError, CODES } from "./errors.ts";

const PATHS = ["/api/v1/", "/media/"];

/** Replies to a malformed URL below the studio's paths like to an unknown one. */
export function createMalformedUrlHandler(randomBytes: (size: number) => Uint8Array): MalformedUrlHandler {
	return (url, reply) => {
		if (!PATHS.some((path) => url.startsWith(path))) return false;
		const error = new ApiError(CODES.notFound, "unknown path");
		const requestId = newRequestId(randomBytes);
		const headers = { "x-request-id": requestId, "cache-control": "no-store" };
		void reply.code(error.httpStatus).headers(headers).send(errorEnvelope(requestId, error));
		return true;
	};
}
