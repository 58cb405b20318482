/**
 * Signals for requests to Discord. discord.js listens to the signal of each request and never stops, and one made by `AbortSignal.any`
 * that somebody listens to is kept by Node for as long as it may be aborted: with a source that lives as long as the process, for ever.
 */

/** Aborts `controller` with `signal`, until it is let go. */
export function abortWith(signal: AbortSignal, controller: AbortController): () => void {
	const abort = (): void => controller.abort(signal.reason);
	if (signal.aborted) abort();
	else signal.addEventListener("abort", abort, { once: true });
	return () => signal.removeEventListener("abort", abort);
}

/** Makes a call whose signal is aborted with the one given, or when it has taken too long. */
export async function withTimeout<Result>(
	timeoutMs: number,
	signal: AbortSignal,
	call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const over = new AbortController();
	const letGo = abortWith(signal, over);
	const tooLong = (): void => over.abort(new DOMException("the request took too long", "TimeoutError"));
	const timer = setTimeout(tooLong, timeoutMs).unref();
	try {
		return await call(over.signal);
	} finally {
		clearTimeout(timer);
		letGo();
	}
}
