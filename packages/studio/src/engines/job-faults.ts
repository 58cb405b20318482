import type { Logger } from "pino";
import { EngineError } from "./engine.ts";
import { CallFailedError } from "./http-client.ts";

/** A service's own sentence may quote the prompt, and is neither shown nor logged; its code for the fault may be. */
const CODE = /^[\w.-]{1,64}$/;

function withCode(message: string, code: unknown): string {
	return typeof code === "string" && CODE.test(code) ? `${message} (${code})` : message;
}

export function refusedForContent(): EngineError {
	return new EngineError("content_policy", "the engine's content policy does not allow this", { retryable: false });
}

export function refusedOrder(code?: unknown): EngineError {
	return new EngineError("invalid_input", withCode("the engine refused the order", code), { retryable: false });
}

export function failedJob(code?: unknown, options: { readonly retryable: boolean } = { retryable: true }): EngineError {
	return new EngineError("upstream_error", withCode("the engine failed at the order", code), options);
}

export function lostJob(): EngineError {
	return new EngineError("upstream_error", "the engine does not know the order any more", { retryable: true });
}

/** An answer to a look: where the service does not know the job any more, that is its end. */
export async function orLost<T>(look: Promise<T>): Promise<T> {
	try {
		return await look;
	} catch (error) {
		throw error instanceof CallFailedError && (error.status === 404 || error.status === 410) ? lostJob() : error;
	}
}

export function madeNothing(): EngineError {
	return new EngineError("no_output", "the engine finished without a file", { retryable: true });
}

/** The answer to an order is not what it should be: whether the order was taken is not known. */
export function unreadableOrder(status: number): CallFailedError {
	return new CallFailedError("upstream_error", "the engine's answer cannot be read", {
		retryable: true,
		mayHaveActed: true,
		status,
	});
}

/** What goes wrong before an order is sent has ordered nothing, whatever it did itself. */
export async function beforeTheOrder<T>(work: Promise<T>): Promise<T> {
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

/** The key is wrong, or there is no money left: whoever runs the studio has to know, and whoever ordered cannot help it. */
export function operatorsFault(
	logger: Logger,
	engine: string,
	{ status, retryAfterMs }: CallFailedError,
	code?: unknown,
): EngineError {
	const named = typeof code === "string" && CODE.test(code) ? { code } : {};
	logger.error(
		{ engine, status, ...named },
		"the engine refuses the studio itself: look at its secret and its account",
	);
	return new EngineError("engine_unavailable", "the engine is not available at the moment", {
		retryable: true,
		retryAfterMs,
	});
}

/** 401, 402 and 403 are never the order's own fault. */
export function isOperatorsFault({ status }: CallFailedError): boolean {
	return status === 401 || status === 402 || status === 403;
}
