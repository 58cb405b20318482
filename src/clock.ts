import { setTimeout as sleepFor } from "node:timers/promises";

/** Time as a dependency, so that a test can hold fifteen minutes in its hand. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	nowMs(): number;
	/** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
	sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	nowMs: () => Date.now(),
	async sleep(delayMs, signal) {
		try {
			await sleepFor(delayMs, undefined, signal ? { signal } : {});
		} catch (error) {
			signal?.throwIfAborted();
			throw error;
		}
	},
};
