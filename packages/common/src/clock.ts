/** Time as a dependency, so that a test can hold fifteen minutes in its hand. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	nowMs(): number;
	/** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
	sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	nowMs: () => Date.now(),
	// That of `node:timers/promises` makes an error with a stack for each sleep that is cut short, which most are.
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
