/** Time as a dependency, so that tests can control it. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	nowMs(): number;
	/** Resolves after `delayMs`. Rejects with the signal's reason if it is aborted first. */
	sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	nowMs: () => Date.now(),
	// Not `node:timers/promises`, which creates an error with a stack for each aborted sleep, and most sleeps are
	// aborted.
	sleep: (delayMs, signal) =>
		new Promise((resolve, reject) => {
			const leave = (): void => {
				clearTimeout(timer);
				reject(signal?.reason as Error);
			};
			const timer = setTimeout(() => {
				signal?.removeEventListener("abort", leave);
				resolve();
			}, delayMs);
			if (signal?.aborted) leave();
			signal?.addEventListener("abort", leave, { once: true });
		}),
};
