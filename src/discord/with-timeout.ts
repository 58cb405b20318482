/**
 * Signals for requests to Discord. discord.js never removes its listener from a request's signal, and Node keeps a signal of
 * `AbortSignal.any` that has listeners as long as its sources. One that follows a signal of the whole process would stay in memory
 * until the end, so each request gets a controller of its own.
 */
import type { REST, RequestData } from "discord.js";

/** Aborts `controller` with `signal`, until the returned function is called. */
export function abortWith(signal: AbortSignal, controller: AbortController): () => void {
	const abort = (): void => controller.abort(signal.reason);
	if (signal.aborted) abort();
	else signal.addEventListener("abort", abort, { once: true });
	return () => signal.removeEventListener("abort", abort);
}

/** Makes a call whose signal aborts after the timeout, or with the given one. */
export async function withTimeout<Result>(
	timeoutMs: number,
	signal: AbortSignal | undefined,
	call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const stopListening = signal && abortWith(signal, controller);
	const abortForTimeout = (): void => controller.abort(new DOMException("the request took too long", "TimeoutError"));
	const timer = setTimeout(abortForTimeout, timeoutMs).unref();
	try {
		return await call(controller.signal);
	} finally {
		clearTimeout(timer);
		stopListening?.();
	}
}

/** Members and readers of a page do not wait longer for a response to the bot. */
const REQUEST_TIMEOUT_MS = 10_000;

type RestMethod = "get" | "post" | "patch" | "delete";
type RequestOptions = Omit<RequestData, "signal">;

/** Makes a request to Discord with a timeout. `signal` aborts it earlier. */
export async function requestWithTimeout(
	rest: Pick<REST, RestMethod>,
	method: RestMethod,
	route: `/${string}`,
	{ signal, ...options }: RequestOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
	return await withTimeout(REQUEST_TIMEOUT_MS, signal, (callSignal) =>
		rest[method](route, { ...options, signal: callSignal }),
	);
}
