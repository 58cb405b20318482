/** Time as a dependency, so that tests can control it. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	nowMs(): number;
	/** Resolves after `delayMs`, at most 2^31 - 1, the limit of a timer. Rejects with the signal's reason if it is aborted first. */
	sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	nowMs: () => Date.now(),
	// Most sleeps are aborted, and `node:timers/promises` creates an error with a stack for each of them.
	sleep: (delayMs, signal) =>
		new Promise((resolve, reject) => {
			const cancel = (): void => {
				clearTimeout(timer);
				reject(signal?.reason as Error);
			};
			const timer = setTimeout(() => {
				signal?.removeEventListener("abort", cancel);
				resolve();
			}, delayMs);
			if (signal?.aborted) cancel();
			signal?.addEventListener("abort", cancel, { once: true });
		}),
};
