import type { Clock } from "@atelier/common/clock";

/** A timer of Node ends at once if it is longer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** A clock that can be advanced: sleeps end as if the time had passed. */
export interface AdjustableClock extends Clock {
	readonly advance: (byMs: number) => void;
	/** The time by which it was advanced. */
	readonly aheadMs: () => number;
}

export function createAdjustableClock(clock: Clock): AdjustableClock {
	let aheadMs = 0;
	const sleepers = new Set<AbortController>();
	const nowMs = (): number => clock.nowMs() + aheadMs;

	/** Sleeps until the delay has passed or the clock was advanced. */
	async function sleepOnce(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
		const advanced = new AbortController();
		sleepers.add(advanced);
		try {
			await clock.sleep(delayMs, signal ? AbortSignal.any([signal, advanced.signal]) : advanced.signal);
		} catch (error) {
			signal?.throwIfAborted();
			if (!advanced.signal.aborted) throw error;
		} finally {
			sleepers.delete(advanced);
		}
	}

	return {
		nowMs,
		aheadMs: () => aheadMs,
		async sleep(delayMs, signal) {
			const dueMs = nowMs() + delayMs;
			do await sleepOnce(Math.min(Math.max(0, dueMs - nowMs()), TIMER_MS_MAX), signal);
			while (nowMs() < dueMs);
		},
		advance(byMs) {
			aheadMs += byMs;
			for (const sleeper of sleepers) sleeper.abort();
		},
	};
}
