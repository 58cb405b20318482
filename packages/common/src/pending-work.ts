import type { Clock } from "./clock.ts";
import { waitAtMost } from "./wait-at-most.ts";

/** Tracks running work, so that shutdown can wait for it. */
export interface PendingWork {
	/** `work` must not reject. */
	add(work: Promise<void>): void;
	/** Waits for all work, also for what is added meanwhile. Resolves to the number that still runs after the timeout. */
	drain(timeoutMs: number): Promise<number>;
}

export function createPendingWork({ clock }: { readonly clock: Clock }): PendingWork {
	const running = new Set<Promise<void>>();

	async function settleAll(): Promise<void> {
		while (running.size > 0) await Promise.all(running);
	}

	return {
		add(work) {
			running.add(work);
			void work.finally(() => running.delete(work));
		},
		async drain(timeoutMs) {
			await waitAtMost(clock, timeoutMs, settleAll());
			return running.size;
		},
	};
}
