import type { Clock } from "@atelier/common/clock";

/** A signal that aborts after a time of the clock, unless it is disposed before. */
export interface Timeout extends Disposable {
	readonly signal: AbortSignal;
}

export function createTimeout(clock: Clock, ms: number, reason: Error): Timeout {
	const timeout = new AbortController();
	const disposal = new AbortController();
	clock.sleep(ms, disposal.signal).then(
		() => timeout.abort(reason),
		() => {},
	);
	return { signal: timeout.signal, [Symbol.dispose]: () => disposal.abort() };
}
