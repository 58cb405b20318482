import type { Clock } from "@atelier/common/clock";

/**
 * Discord waits three seconds for the first answer to a command and a quarter of an hour for the rest. So the rest of one
 * command waits until all that came with it have their answer; otherwise the first of a crowd would make the last too late.
 */
export interface AckBarrier {
	/** Gives the first answer to one command. Resolves when the others are given too, or when they take too long. */
	give<T>(answer: () => Promise<T>): Promise<T>;
}

/** A Discord that does not answer one of them holds the others up for no longer. */
const HOLD_MS_MAX = 1000;

export function createAckBarrier({ clock }: { readonly clock: Clock }): AckBarrier {
	let underWay = 0;
	let allGiven = Promise.withResolvers<void>();

	return {
		async give(answer) {
			underWay += 1;
			try {
				return await answer();
			} finally {
				underWay -= 1;
				if (underWay === 0) {
					allGiven.resolve();
					allGiven = Promise.withResolvers();
				} else {
					const over = new AbortController();
					await Promise.race([allGiven.promise, clock.sleep(HOLD_MS_MAX, over.signal).catch(() => {})]);
					over.abort();
				}
			}
		},
	};
}
