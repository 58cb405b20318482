import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createDueHeap, type DuePoll } from "./due-heap.ts";
import { createActivePolls } from "./active-polls.ts";
import type { PollTask, PollQueue } from "./poll-queue.ts";

/** Allows more than a thousand polls per second at 200 ms per response. */
const POLLS_AT_ONCE_MAX = 256;
/** Polls that need no I/O would otherwise block the event loop. */
const STARTS_PER_TURN_MAX = 32;
/** Timers may fire a moment early. A larger difference means that the clock was set back. */
const EARLY_MS_MAX = 1000;
/** Timers are limited to 2^31 ms. A timer for a later poll fires after this time, and is set again. */
const SLEEP_MS_MAX = 24 * 60 * 60 * 1000;
/** A woken task comes before polls that are overdue by less than this, because a member waits for it. */
const WAKE_PRIORITY_MS = 10_000;

interface MemoryPollQueueDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly pollsAtOnceMax?: number;
}

/** The poll queue of a single process: one heap, one timer, no writes. */
export function createMemoryPollQueue(deps: MemoryPollQueueDeps): PollQueue {
	const { clock, pollsAtOnceMax = POLLS_AT_ONCE_MAX } = deps;
	const scheduled = new Map<string, DuePoll>();
	const heap = createDueHeap();
	const activePolls = createActivePolls(deps);
	/** `undefined` before the start and after the stop. */
	let pollTask: PollTask | undefined;
	let nextSequence = 0;
	/** Polls that may still start before the next timer. */
	let startsLeft = STARTS_PER_TURN_MAX;
	let timer = new AbortController();
	/** The time at which the timer fires; infinity without a timer. */
	let timerAtMs = Number.POSITIVE_INFINITY;
	/** The sum of backward clock steps. It is added to all times of the heap, so that they never go back. */
	let setBackMs = 0;

	/** The present time of the heap. */
	const nowMs = (): number => clock.nowMs() + setBackMs;

	function scheduleAt(taskId: string, dueAtMs: number, priorityMs = 0): void {
		const before = scheduled.get(taskId);
		if (before) heap.remove(before);
		const atMs = dueAtMs + setBackMs;
		const due: DuePoll = { taskId, dueAtMs: atMs, rankMs: atMs - priorityMs, sequence: nextSequence++, index: 0 };
		scheduled.set(taskId, due);
		heap.push(due);
	}

	function startDueAndSetTimer(): void {
		if (!pollTask) return;
		startDuePolls(pollTask);
		const next = heap.peek();
		// At the limit, the next poll that ends starts another one.
		if (next && activePolls.size() < pollsAtOnceMax) setTimer(next.dueAtMs);
	}

	function startDuePolls(poll: PollTask): void {
		for (; startsLeft > 0 && activePolls.size() < pollsAtOnceMax; startsLeft--) {
			const next = heap.peek();
			if (!next || next.dueAtMs > nowMs()) return;
			heap.pop();
			scheduled.delete(next.taskId);
			void run(next.taskId, poll);
		}
	}

	async function run(taskId: string, poll: PollTask): Promise<void> {
		const nextAtMs = await activePolls.run(taskId, poll);
		if (nextAtMs !== undefined) scheduleNext(taskId, nextAtMs);
		startDueAndSetTimer();
	}

	/** Schedules the next poll, unless a wake since the last poll has scheduled an earlier one. */
	function scheduleNext(taskId: string, dueAtMs: number): void {
		if (activePolls.requestAnother(taskId, dueAtMs)) return;
		const before = scheduled.get(taskId);
		if (!before || before.dueAtMs > dueAtMs + setBackMs) scheduleAt(taskId, dueAtMs);
	}

	/** Sets the timer for the next poll. An earlier timer stays: it sets the next one when it fires. */
	function setTimer(dueAtMs: number): void {
		const sleepMs = Math.min(SLEEP_MS_MAX, Math.max(0, dueAtMs - nowMs()));
		const atMs = nowMs() + sleepMs;
		// A timer for the same time stays too: overdue polls would otherwise restart it again and again.
		if (timerAtMs <= atMs) return;
		timer.abort();
		timer = new AbortController();
		timerAtMs = atMs;
		clock.sleep(sleepMs, timer.signal).then(onTimer, () => {});
	}

	function onTimer(): void {
		const earlyMs = timerAtMs - nowMs();
		if (earlyMs > EARLY_MS_MAX) setBackMs += earlyMs;
		timerAtMs = Number.POSITIVE_INFINITY;
		startsLeft = STARTS_PER_TURN_MAX;
		startDueAndSetTimer();
	}

	return {
		wake(taskId) {
			const dueAtMs = clock.nowMs();
			if (activePolls.requestAnother(taskId, dueAtMs)) return;
			scheduleAt(taskId, dueAtMs, WAKE_PRIORITY_MS);
			startDueAndSetTimer();
		},
		async addMissing(polls) {
			for (const { taskId, dueAtMs } of polls) {
				if (!scheduled.has(taskId) && !activePolls.has(taskId)) scheduleAt(taskId, dueAtMs);
			}
			startDueAndSetTimer();
		},
		claimSweep: async () => true,
		async oldestOverduePollMs() {
			const next = heap.peek();
			return Math.max(0, activePolls.overdueMs(), next ? nowMs() - next.dueAtMs : 0);
		},
		start(poll) {
			pollTask = poll;
			startDueAndSetTimer();
		},
		async stop() {
			pollTask = undefined;
			timer.abort();
			timerAtMs = Number.POSITIVE_INFINITY;
			await activePolls.whenDone();
		},
	};
}
