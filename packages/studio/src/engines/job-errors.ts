import type { Logger } from "pino";
import { EngineError } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";

/** Codes of a service may be logged. Its texts may quote the prompt and may not. */
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

export function jobFailedError(code?: unknown, { retryable } = { retryable: true }): EngineError {
	return new EngineError("upstream_error", withCode("the engine failed to run the request", code), { retryable });
}

export function jobLostError(): EngineError {
	return new EngineError("upstream_error", "the engine no longer knows the job", { retryable: true });
}

/** Awaits a call, and converts its `CallFailedError`. */
export async function convertCallError<T>(call: Promise<T>, convert: (error: CallFailedError) => Error): Promise<T> {
	try {
		return await call;
	} catch (error) {
		throw error instanceof CallFailedError ? convert(error) : error;
	}
}

export function isUnknownJob({ status }: CallFailedError): boolean {
	return status === 404 || status === 410;
}

export function unknownOutcomeError(retryable: boolean, cause?: unknown): EngineError {
	const message = "it is unknown whether the engine accepted the job";
	return new EngineError("upstream_timeout", message, { retryable, cause });
}

export function noOutputError(): EngineError {
	return new EngineError("no_output", "the engine finished without an output", { retryable: true });
}

/** After such a response to a submit it is unknown whether the service accepted it. */
export function invalidResponseError(status: number, problem?: string): CallFailedError {
	const message = `invalid response of the engine${problem === undefined ? "" : `: ${problem}`}`;
	return new CallFailedError("upstream_error", message, {
		retryable: true,
		mayHaveActed: true,
		status,
	});
}

interface OperatorLog {
	readonly logger: Logger;
	/** The name of the engine. */
	readonly name: string;
}

/** Converts the error of a submit; `code` is the service's own. If the operator has to act, logs the reason. */
export function toSubmitError(log: OperatorLog, error: CallFailedError, code?: unknown): EngineError {
	if (isOperatorError(error)) return rejectedStudioError(log, error, code);
	return error.code === "invalid_input" ? invalidRequestError(code) : error;
}

/** Logs why a service rejects the studio. The client learns no details. */
export function rejectedStudioError(
	{ logger, name: engine }: OperatorLog,
	{ status, retryAfterMs }: CallFailedError,
	code?: unknown,
): EngineError {
	const loggedCode = typeof code === "string" && CODE.test(code) ? { code } : {};
	logger.error({ engine, status, ...loggedCode }, "engine rejects the studio: check its secret and its account");
	return new EngineError("engine_unavailable", "the engine is currently not available", {
		retryable: true,
		retryAfterMs,
	});
}

/** Returns whether the key is invalid or the account has no credit. The horde also sends 403 for a request that needs more kudos. */
export function isOperatorError({ status }: CallFailedError): boolean {
	return status === 401 || status === 402 || status === 403;
}
