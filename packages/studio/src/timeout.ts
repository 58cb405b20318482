import type { Clock } from "@atelier/common/clock";

/** Returns a signal that aborts after a time of the clock, unless it is disposed before. */
export function createTimeout(clock: Clock, ms: number, reason: Error): { readonly signal: AbortSignal } & Disposable {
	const timeout = new AbortController();
	const disposal = new AbortController();
	clock.sleep(ms, disposal.signal).then(
		() => timeout.abort(reason),
		() => {},
	);
	return { signal: timeout.signal, [Symbol.dispose]: () => disposal.abort() };
}
