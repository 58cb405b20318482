import { setTimeout as sleep } from "node:timers/promises";
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
	let changes = 0;
	const sleepers = new Set<Sleeper>();

	/** Runs pending promises and callbacks, until they neither start nor abort a sleep. */
	async function settle(): Promise<void> {
		let before: number;
		do {
			before = changes;
			await new Promise((resolve) => setImmediate(resolve));
		} while (changes !== before);
	}

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
					changes++;
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
				changes++;
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

interface AdvanceUntilOptions<T> {
	/** Truthy values by default. */
	readonly holds?: (value: T) => boolean;
	readonly stepMs?: number;
	/** Real time between two steps, for disks and sockets. */
	readonly restMs?: number;
}

/** As long as vitest polls. */
const ADVANCE_UNTIL_TIMEOUT_MS = 60_000;

/** Advances the clock step by step until the value holds. Resolves to the value. */
export async function advanceUntil<T>(
	clock: ManualClock,
	read: () => T | Promise<T>,
	{ holds = Boolean, stepMs = 250, restMs = 1 }: AdvanceUntilOptions<T> = {},
): Promise<T> {
	const giveUpAtMs = performance.now() + ADVANCE_UNTIL_TIMEOUT_MS;
	for (;;) {
		const value = await read();
		if (holds(value)) return value;
		if (performance.now() > giveUpAtMs) throw new Error(`never held: ${JSON.stringify(value)}`);
		await clock.advance(stepMs);
		await sleep(restMs);
	}
}
