import type { Logger } from "pino";
import TinyQueue from "tinyqueue";
import type { Clock } from "@atelier/common/clock";
import { createActiveRuns } from "./active-runs.ts";
import type { RunTask, TaskQueue } from "./task-queue.ts";

/** Allows more than a thousand runs per second at 200 ms per response. */
const RUNS_AT_ONCE_MAX = 256;
/** Runs that need no I/O would otherwise block the event loop. */
const STARTS_PER_TURN_MAX = 32;
/** Timers may fire a moment early. A larger difference means that the clock was set back. */
const EARLY_MS_MAX = 1000;
/** Timers are limited to 2^31 ms. A timer for a later run fires after this time, and is set again. */
const SLEEP_MS_MAX = 24 * 60 * 60 * 1000;
/** A woken task comes before runs that are overdue by less than this, because a member waits for it. */
const WAKE_PRIORITY_MS = 10_000;

/** A scheduled run. */
interface DueRun {
	readonly taskId: string;
	/** The time at which the run may start. */
	readonly dueAtMs: number;
	/** The heap's order, lowest first: `dueAtMs`, less the priority of a run that a member waits for. */
	readonly rankMs: number;
	/** The order of runs with the same rank. */
	readonly sequence: number;
}

interface MemoryTaskQueueDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly runsAtOnceMax?: number;
}

/** The queue of a single process: one heap, one timer, no writes. */
export function createMemoryTaskQueue(deps: MemoryTaskQueueDeps): TaskQueue {
	const { clock, runsAtOnceMax = RUNS_AT_ONCE_MAX } = deps;
	/** The next run of each task. The heap also has runs that were replaced by an earlier one. */
	const scheduled = new Map<string, DueRun>();
	const heap = new TinyQueue<DueRun>([], (one, other) => one.rankMs - other.rankMs || one.sequence - other.sequence);
	const activeRuns = createActiveRuns(deps);
	/** `undefined` before the start and after the stop. */
	let startedRunTask: RunTask | undefined;
	let nextSequence = 0;
	/** Runs that may still start before the next timer. */
	let startsLeft = STARTS_PER_TURN_MAX;
	let timer = new AbortController();
	/** The time at which the timer fires; infinity without a timer. */
	let timerAtMs = Number.POSITIVE_INFINITY;
	/** The sum of backward clock steps. It is added to all times of the heap, so that they never go back. */
	let setBackMs = 0;

	/** The present time of the heap. */
	const nowMs = (): number => clock.nowMs() + setBackMs;

	function scheduleAt(taskId: string, dueAtMs: number, priorityMs = 0): void {
		const atMs = dueAtMs + setBackMs;
		const due: DueRun = { taskId, dueAtMs: atMs, rankMs: atMs - priorityMs, sequence: nextSequence++ };
		scheduled.set(taskId, due);
		heap.push(due);
	}

	/** Returns the first run. Drops those before it that were replaced. */
	function nextDue(): DueRun | undefined {
		for (;;) {
			const next = heap.peek();
			if (!next || scheduled.get(next.taskId) === next) return next;
			heap.pop();
		}
	}

	function startDueAndSetTimer(): void {
		if (!startedRunTask) return;
		startDueRuns(startedRunTask);
		const next = nextDue();
		// At the limit, the next run that ends starts another one.
		if (next && activeRuns.size() < runsAtOnceMax) setTimer(next.dueAtMs);
	}

	function startDueRuns(runTask: RunTask): void {
		for (; startsLeft > 0 && activeRuns.size() < runsAtOnceMax; startsLeft--) {
			const next = nextDue();
			if (!next || next.dueAtMs > nowMs()) return;
			heap.pop();
			scheduled.delete(next.taskId);
			void runAndReschedule(next.taskId, runTask);
		}
	}

	async function runAndReschedule(taskId: string, runTask: RunTask): Promise<void> {
		const nextAtMs = await activeRuns.run(taskId, runTask);
		if (nextAtMs !== undefined) scheduleNext(taskId, nextAtMs);
		startDueAndSetTimer();
	}

	/** Schedules the next run, unless a wake since the last run has scheduled an earlier one. */
	function scheduleNext(taskId: string, dueAtMs: number): void {
		if (activeRuns.requestAnother(taskId, dueAtMs)) return;
		const before = scheduled.get(taskId);
		if (!before || before.dueAtMs > dueAtMs + setBackMs) scheduleAt(taskId, dueAtMs);
	}

	/** Sets the timer for the next run. An earlier timer stays: it sets the next one when it fires. */
	function setTimer(dueAtMs: number): void {
		const sleepMs = Math.min(SLEEP_MS_MAX, Math.max(0, dueAtMs - nowMs()));
		const atMs = nowMs() + sleepMs;
		// A timer for the same time stays too: overdue runs would otherwise restart it again and again.
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
			if (activeRuns.requestAnother(taskId, dueAtMs)) return;
			scheduleAt(taskId, dueAtMs, WAKE_PRIORITY_MS);
			startDueAndSetTimer();
		},
		async addMissing(runs) {
			for (const { taskId, dueAtMs } of runs) {
				if (!scheduled.has(taskId) && !activeRuns.has(taskId)) scheduleAt(taskId, dueAtMs);
			}
			startDueAndSetTimer();
		},
		async oldestOverdueRunMs() {
			const next = nextDue();
			return Math.max(0, next ? nowMs() - next.dueAtMs : 0);
		},
		start(runTask) {
			startedRunTask = runTask;
			startDueAndSetTimer();
		},
		async stop() {
			startedRunTask = undefined;
			timer.abort();
			timerAtMs = Number.POSITIVE_INFINITY;
			await activeRuns.whenDone();
		},
	};
}
