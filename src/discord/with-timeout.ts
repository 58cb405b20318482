/**
 * Signals for requests to Discord. discord.js never removes its listener from a request's signal, and Node keeps a
 * signal of `AbortSignal.any` with listeners as long as its sources live: with a signal of the whole process, forever.
 */

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
