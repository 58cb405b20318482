import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";

/** The longest wait for a response that Discord does not confirm. */
const WAIT_MS_MAX = 1000;

/**
 * Discord waits three seconds for the first response to an interaction, and 15 minutes for the following ones. After its
 * first response each generation waits until all concurrent ones have sent theirs, so that a burst delays none of them.
 *
 * Creates a function that sends the first response. It resolves when all concurrent first responses are sent, or after a second. A
 * failure rejects at once.
 */
export function createFirstResponseBarrier({ clock }: { readonly clock: Clock }) {
	let pending = 0;
	let allSent = Promise.withResolvers<void>();

	return async <T>(send: () => Promise<T>): Promise<T> => {
		pending += 1;
		let isSent = false;
		try {
			const result = await send();
			isSent = true;
			return result;
		} finally {
			pending -= 1;
			if (pending === 0) {
				allSent.resolve();
				allSent = Promise.withResolvers();
			} else if (isSent) {
				await waitAtMost(clock, WAIT_MS_MAX, allSent.promise);
			}
		}
	};
}
