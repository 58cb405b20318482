import type { Clock } from "../src/clock.ts";

interface Sleeper {
	readonly dueMs: number;
	readonly wake: () => void;
}

/** A clock that tests advance; sleepers wake in the order of their time. */
export interface ManualClock extends Clock {
	/** Advances by `byMs`, and wakes the sleepers that are due one by one. */
	advance(byMs: number): Promise<void>;
	/** Jumps like a machine that was suspended: each sleeper that is due wakes once. */
	jump(byMs: number): Promise<void>;
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
	let nowMs = startMs;
	const sleepers = new Set<Sleeper>();

	function nextDue(untilMs: number): Sleeper | undefined {
		return [...sleepers].filter(({ dueMs }) => dueMs <= untilMs).toSorted((a, b) => a.dueMs - b.dueMs)[0];
	}

	return {
		nowMs: () => nowMs,
		sleep: (delayMs, signal) =>
			new Promise((resolve, reject) => {
				if (signal?.aborted) return reject(signal.reason);
				const stop = (): void => {
					sleepers.delete(sleeper);
					reject(signal?.reason);
				};
				const wake = (): void => {
					sleepers.delete(sleeper);
					signal?.removeEventListener("abort", stop);
					resolve();
				};
				const sleeper = { dueMs: nowMs + delayMs, wake };
				signal?.addEventListener("abort", stop, { once: true });
				sleepers.add(sleeper);
			}),
		async jump(byMs) {
			await settle();
			nowMs += byMs;
			for (const { dueMs, wake } of [...sleepers].toSorted((a, b) => a.dueMs - b.dueMs)) if (dueMs <= nowMs) wake();
			await settle();
		},
		async advance(byMs) {
			const untilMs = nowMs + byMs;
			await settle();
			for (let due = nextDue(untilMs); due; due = nextDue(untilMs)) {
				nowMs = Math.max(nowMs, due.dueMs);
				due.wake();
				await settle();
			}
			nowMs = untilMs;
			await settle();
		},
	};
}

/** Runs pending promises. */
function settle(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
