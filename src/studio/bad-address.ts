import type { FastifyReply } from "fastify";
import { errorEnvelope, newRequestId } from "./envelope.ts";
import { ApiError, CODES } from "./errors.ts";

const OUR_PATHS = ["/api/v1/", "/media/"];

/**
 * Answers for an address that the server itself cannot read, such as `/api/v1/task/%ff` or one that is too long: to a client it
 * is one that is not there. False where the address is not the studio's.
 */
export function refuseBadAddress(url: string, reply: FastifyReply, randomBytes: (size: number) => Uint8Array): boolean {
	if (!OUR_PATHS.some((path) => url.startsWith(path))) return false;
	const refusal = new ApiError(CODES.notFound, "there is no such address");
	const requestId = newRequestId(randomBytes);
	const headers = { "x-request-id": requestId, "cache-control": "no-store" };
	void reply.code(refusal.httpStatus).headers(headers).send(errorEnvelope(requestId, refusal));
	return true;
}
