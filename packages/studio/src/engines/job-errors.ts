import type { Logger } from "pino";
import { EngineError } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";

/** A service's error code may be logged; its text may quote the prompt and may not. */
const CODE = /^[\w.-]{1,64}$/;

function withCode(message: string, code: unknown): string {
	return typeof code === "string" && CODE.test(code) ? `${message} (${code})` : message;
}

export function contentPolicyError(): EngineError {
	return new EngineError("content_policy", "the engine's content policy does not allow this", { retryable: false });
}

export function invalidRequestError(code?: unknown): EngineError {
	return new EngineError("invalid_input", withCode("the engine rejected the request", code), { retryable: false });
}

export function jobFailedError(code?: unknown): EngineError {
	return new EngineError("upstream_error", withCode("the engine failed at the request", code), { retryable: true });
}

export function jobLostError(): EngineError {
	return new EngineError("upstream_error", "the engine no longer knows the job", { retryable: true });
}

/** Converts the result of a poll: a job that the service no longer knows has ended. */
export async function orJobLost<T>(poll: Promise<T>): Promise<T> {
	try {
		return await poll;
	} catch (error) {
		throw error instanceof CallFailedError && (error.status === 404 || error.status === 410) ? jobLostError() : error;
	}
}

export function noOutputError(): EngineError {
	return new EngineError("no_output", "the engine finished without an output", { retryable: true });
}

/** The response to a submit is invalid: it is unknown whether the service accepted it. */
export function invalidResponseError(status: number): CallFailedError {
	return new CallFailedError("upstream_error", "invalid response of the engine", {
		retryable: true,
		mayHaveActed: true,
		status,
	});
}

/** Marks failures before the submit: the service cannot have accepted the job. */
export async function beforeSubmit<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (!(error instanceof CallFailedError)) throw error;
		const { code, message, retryable, retryAfterMs, status, body } = error;
		throw new CallFailedError(code, message, {
			retryable,
			retryAfterMs,
			status,
			body,
			mayHaveActed: false,
			cause: error,
		});
	}
}

/** The key is invalid, or the account has no credit: the operator has to act, and the client cannot help it. */
export function engineRejectedError(
	logger: Logger,
	engine: string,
	{ status, retryAfterMs }: CallFailedError,
	code?: unknown,
): EngineError {
	const named = typeof code === "string" && CODE.test(code) ? { code } : {};
	logger.error({ engine, status, ...named }, "the engine rejects the studio: check its secret and its account");
	return new EngineError("engine_unavailable", "the engine is currently not available", {
		retryable: true,
		retryAfterMs,
	});
}

/** 401, 402 and 403 are never caused by the request. */
export function isOperatorError({ status }: CallFailedError): boolean {
	return status === 401 || status === 402 || status === 403;
}
