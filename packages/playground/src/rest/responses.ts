/** Responses in Discord's format: JSON, faults, and errors. */
import type { FastifyReply } from "fastify";
import { isErrno } from "@atelier/common/is-errno";
import type { FaultAnswer } from "../fault-injection.ts";
import { ApiError, apiErrors } from "../simulator/api-error.ts";
import { exceededHeaders } from "./rate-limits.ts";
import { invalidFormError } from "./read-request.ts";

/** Sends the response of a fault or of a rate limit. */
export function sendFaultAnswer(answer: FaultAnswer, reply: FastifyReply, nowMs: number): string | undefined {
	switch (answer.kind) {
		case "hangUp":
			reply.hijack();
			reply.raw.destroy();
			return undefined;
		case "body": {
			const { text, status = 200, contentType = "application/json" } = answer;
			reply.code(status);
			if (status === 204) reply.send();
			else reply.header("content-type", contentType).send(Buffer.from(text));
			return status === 204 ? undefined : text;
		}
		case "error":
			return sendJson(reply, answer.status, { message: answer.message ?? "Injected", code: answer.code });
		case "rateLimit": {
			const { retryAfterS, scope = "user" } = answer;
			const isGlobal = scope === "global";
			// The global limit has no bucket; eris and oceanic.js wait for the reset of the bucket if there is one.
			if (isGlobal)
				for (const name of Object.keys(reply.getHeaders()))
					if (name.startsWith("x-ratelimit-")) reply.removeHeader(name);
			reply.headers({
				"retry-after": String(Math.ceil(retryAfterS)),
				"x-ratelimit-scope": scope,
				...(isGlobal && { "x-ratelimit-global": "true" }),
				...(scope === "user" && exceededHeaders(retryAfterS, nowMs)),
			});
			const message = "You are being rate limited.";
			return sendJson(reply, 429, { message, retry_after: retryAfterS, global: isGlobal });
		}
	}
}

/**
 * Sends JSON if there is a body. Libraries return the bytes of a response whose content type is not JSON, and fail to parse an empty
 * body that is declared as JSON.
 */
export function sendJson(reply: FastifyReply, status: number, body: unknown): string | undefined {
	const text = JSON.stringify(body) as string | undefined;
	reply.code(status);
	if (text === undefined) reply.send();
	else reply.header("content-type", "application/json").send(Buffer.from(text));
	return text;
}

/** Returns the error of a request as Discord reports it. */
export function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
	const isForm =
		typeof code === "string" && /^FST_(FILES|PARTS|FIELDS|REQ_FILE|INVALID_MULTIPART|NO_FORM_DATA)/.test(code);
	if (isForm) return invalidFormError();
	return isClientError(error) ? apiErrors.invalidJson() : apiErrors.unexpected();
}

/** Returns whether the client caused the error: it disconnected, declared a wrong length, or nested too deeply. */
function isClientError(error: unknown): boolean {
	if (error instanceof RangeError && error.message.startsWith("Maximum call stack")) return true;
	if (isErrno(error, "ECONNRESET")) return true;
	const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
	return status >= 400 && status < 500;
}
