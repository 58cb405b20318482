import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { ServiceStoppingError } from "./engines/engine.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";
import type { EngineQueueSpec, QueuedTask, StudioQueue, TaskHandler } from "./studio-queue.ts";

interface Entry extends QueuedTask {
	/** Cancels the timer of a delayed task; `undefined` without a timer. */
	cancelWait: (() => void) | undefined;
}

interface EngineQueue {
	readonly concurrency: number;
	readonly waiting: FairQueue<Entry>;
	running: number;
}

/** The queue of a single-process studio, in memory. */
export function createMemoryStudioQueue(deps: {
	readonly engineQueues: readonly EngineQueueSpec[];
	readonly clock: Clock;
	readonly logger: Logger;
}): StudioQueue {
	const { clock } = deps;
	const engineQueues = new Map<string, EngineQueue>(
		deps.engineQueues.map(({ engine, concurrency }) => [
			engine,
			{ concurrency, waiting: createFairQueue(), running: 0 },
		]),
	);
	/** Open tasks by id: waiting, running or not due yet. */
	const entries = new Map<string, Entry>();
	const jobs = new Set<Promise<void>>();
	const stopping = new AbortController();
	let handleTask: TaskHandler | undefined;

	/** Catches all errors: a task that this process cannot move is left to the sweep. */
	function track(entry: Entry, job: () => Promise<void>): void {
		const running = job()
			.catch((error: unknown) => {
				forget(entry);
				deps.logger.error({ err: error, taskId: entry.taskId }, "task postponed to the next sweep");
			})
			.finally(() => jobs.delete(running));
		jobs.add(running);
	}

	/** The task may have been queued again meanwhile. */
	function forget(entry: Entry): void {
		if (entries.get(entry.taskId) === entry) entries.delete(entry.taskId);
	}

	function startWaitingTasks(engineQueue: EngineQueue): void {
		if (!handleTask) return;
		while (engineQueue.running < engineQueue.concurrency && !stopping.signal.aborted) {
			const entry = engineQueue.waiting.take();
			if (!entry) return;
			engineQueue.running += 1;
			track(entry, () => runEntry(entry, engineQueue));
		}
	}

	async function runEntry(entry: Entry, engineQueue: EngineQueue): Promise<void> {
		try {
			const next = await handleTask?.(entry, stopping.signal);
			if (next) enqueue(next);
			else forget(entry);
		} finally {
			engineQueue.running -= 1;
			startWaitingTasks(engineQueue);
		}
	}

	function enqueue(task: QueuedTask): void {
		const engineQueue = engineQueues.get(task.engine);
		if (!engineQueue) throw new Error(`there is no engine ${task.engine}`);
		const entry: Entry = { ...task, cancelWait: undefined };
		entries.set(entry.taskId, entry);
		const waitMs = task.notBeforeMs - clock.nowMs();
		if (waitMs <= 0) startInTurn(entry, engineQueue);
		else track(entry, () => addWhenDue(entry, engineQueue, waitMs));
	}

	async function addWhenDue(entry: Entry, engineQueue: EngineQueue, waitMs: number): Promise<void> {
		const waitAbort = new AbortController();
		entry.cancelWait = () => waitAbort.abort();
		const isDue = await clock.sleep(waitMs, AbortSignal.any([stopping.signal, waitAbort.signal])).then(
			() => true,
			() => false,
		);
		entry.cancelWait = undefined;
		if (isDue) startInTurn(entry, engineQueue);
	}

	function startInTurn(entry: Entry, engineQueue: EngineQueue): void {
		engineQueue.waiting.add(entry);
		startWaitingTasks(engineQueue);
	}

	return {
		graceMs: 0,
		async add(task) {
			if (!entries.get(task.taskId)) enqueue(task);
		},
		findQueued: async (taskIds) => new Set(taskIds.filter((taskId) => entries.get(taskId))),
		async remove(taskId) {
			const entry = entries.get(taskId);
			const isWaiting = entry && (entry.cancelWait || engineQueues.get(entry.engine)?.waiting.remove(entry));
			// A running task stays.
			if (!isWaiting) return;
			entry.cancelWait?.();
			forget(entry);
		},
		async positionOf(taskId) {
			const entry = entries.get(taskId);
			return (entry && engineQueues.get(entry.engine)?.waiting.positionOf(entry)) ?? null;
		},
		openTasks: async () => entries.size,
		start(handler) {
			handleTask = handler;
			for (const engineQueue of engineQueues.values()) startWaitingTasks(engineQueue);
		},
		async stop() {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			await Promise.all(jobs);
		},
	};
}
