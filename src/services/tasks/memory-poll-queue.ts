import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createDueHeap, type DueItem } from "./due-heap.ts";
import { createActivePolls } from "./active-polls.ts";
import type { Poll, PollQueue } from "./poll-queue.ts";

/** With 200 ms per response these are more than a thousand polls per second. */
const POLLS_AT_ONCE_MAX = 256;
/** Polls that need no I/O would otherwise block the event loop. */
const STARTS_PER_TURN_MAX = 32;
/** Timers may fire a moment early. A larger difference means that the clock was set back. */
const EARLY_MS_MAX = 1000;
/** Timers are limited to 2^31 ms; later entries are checked again then. */
const SLEEP_MS_MAX = 24 * 60 * 60 * 1000;
/** A member waits for a woken task: it overtakes polls that are less than this overdue, so that none starves. */
const WAKE_AHEAD_MS = 10_000;

interface MemoryPollQueueDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly pollsAtOnceMax?: number;
}

/** The poll queue of a single process: one heap, one timer, no writes. */
export function createMemoryPollQueue(deps: MemoryPollQueueDeps): PollQueue {
	const { clock, pollsAtOnceMax = POLLS_AT_ONCE_MAX } = deps;
	const waiting = new Map<string, DueItem>();
	const heap = createDueHeap();
	const activePolls = createActivePolls(deps);
	let poll: Poll | undefined;
	let turn = 0;
	let startsLeft = STARTS_PER_TURN_MAX;
	let timer = new AbortController();
	let timerAtMs = Number.POSITIVE_INFINITY;
	/** The sum of backward clock steps: the heap's own time only goes forward. */
	let setBackMs = 0;

	const nowMs = (): number => clock.nowMs() + setBackMs;

	function put(taskId: string, dueAtMs: number, aheadMs = 0): void {
		const before = waiting.get(taskId);
		if (before) heap.remove(before);
		const atMs = dueAtMs + setBackMs;
		const due: DueItem = { taskId, dueAtMs: atMs, rankMs: atMs - aheadMs, turn: turn++, index: 0 };
		waiting.set(taskId, due);
		heap.push(due);
	}

	function turnOn(): void {
		if (!poll) return;
		startDue(poll);
		const next = heap.peek();
		// At the limit, the next poll that ends starts another one.
		if (next && activePolls.size() < pollsAtOnceMax) wakeAt(next.dueAtMs);
	}

	function startDue(start: Poll): void {
		for (; startsLeft > 0 && activePolls.size() < pollsAtOnceMax; startsLeft--) {
			const next = heap.peek();
			if (!next || next.dueAtMs > nowMs()) return;
			heap.pop();
			waiting.delete(next.taskId);
			void run(next.taskId, start);
		}
	}

	async function run(taskId: string, start: Poll): Promise<void> {
		const nextAtMs = await activePolls.run(taskId, start);
		if (nextAtMs !== undefined) putAgain(taskId, nextAtMs);
		turnOn();
	}

	/** The task may have been woken since its poll ended: the earlier time counts. */
	function putAgain(taskId: string, dueAtMs: number): void {
		if (activePolls.askAgain(taskId, dueAtMs)) return;
		const before = waiting.get(taskId);
		if (!before || before.dueAtMs > dueAtMs + setBackMs) put(taskId, dueAtMs);
	}

	/** An earlier timer stays: it finds nothing due and sets the next one. */
	function wakeAt(dueAtMs: number): void {
		const sleepMs = Math.min(SLEEP_MS_MAX, Math.max(0, dueAtMs - nowMs()));
		const atMs = nowMs() + sleepMs;
		// Nor is one set anew that fires as soon as any: what is overdue would put it off each time.
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
		turnOn();
	}

	return {
		schedule(taskId, dueAtMs) {
			if (activePolls.askAgain(taskId, dueAtMs)) return;
			put(taskId, dueAtMs);
			turnOn();
		},
		wake(taskId) {
			if (activePolls.askAgain(taskId, clock.nowMs())) return;
			put(taskId, clock.nowMs(), WAKE_AHEAD_MS);
			turnOn();
		},
		async addMissing(polls) {
			for (const { taskId, dueAtMs } of polls) {
				if (!waiting.has(taskId) && !activePolls.has(taskId)) put(taskId, dueAtMs);
			}
			turnOn();
		},
		takesTurn: async () => true,
		async oldestOverdueMs() {
			const next = heap.peek();
			return Math.max(0, activePolls.overdueMs(), next ? nowMs() - next.dueAtMs : 0);
		},
		start(newPoll) {
			poll = newPoll;
			turnOn();
		},
		async stop() {
			poll = undefined;
			timer.abort();
			timerAtMs = Number.POSITIVE_INFINITY;
			await activePolls.whenDone();
		},
	};
}
