import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { ServiceStoppingError } from "./engines/engine.ts";
import type { EngineQueueSpec, QueuedTask, StudioQueue, TaskHandler } from "./studio-queue.ts";

interface Entry extends QueuedTask {
	/** Accounts take turns: the first tasks of all accounts form one round, the second ones the next. */
	round: number;
	/** Cancels the timer of a delayed task; `undefined` without a timer. */
	cancelWait: (() => void) | undefined;
}

interface EngineQueue {
	readonly concurrency: number;
	/** In the order of rounds, then of arrival. */
	readonly waiting: Entry[];
	/** The last round of each account. Rounds restart when no task waits. */
	readonly rounds: Map<string, number>;
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
			{ concurrency, waiting: [], rounds: new Map(), running: 0 },
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
			const entry = engineQueue.waiting.shift();
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
		const entry: Entry = { ...task, round: 0, cancelWait: undefined };
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
		const { waiting, rounds } = engineQueue;
		const { account } = entry;
		if (waiting.length === 0) rounds.clear();
		entry.round = Math.max(waiting[0]?.round ?? 1, (rounds.get(account) ?? 0) + 1);
		rounds.set(account, entry.round);
		waiting.splice(waiting.findLastIndex(({ round }) => round <= entry.round) + 1, 0, entry);
		startWaitingTasks(engineQueue);
	}

	/** Returns false if the task does not wait for its turn. */
	function leaveQueue(entry: Entry): boolean {
		const engineQueue = engineQueues.get(entry.engine);
		if (!engineQueue?.waiting.includes(entry)) return false;
		const { waiting, rounds } = engineQueue;
		waiting.splice(waiting.indexOf(entry), 1);
		// Gives the turn back.
		rounds.set(entry.account, (rounds.get(entry.account) ?? 1) - 1);
		return true;
	}

	return {
		recoverAfterMs: 0,
		async add(task) {
			if (!entries.get(task.taskId)) enqueue(task);
		},
		async findQueued(taskIds) {
			return new Map(
				taskIds.flatMap((taskId) => {
					const entry = entries.get(taskId);
					return entry ? [[taskId, entry.engine]] : [];
				}),
			);
		},
		async remove(taskId) {
			const entry = entries.get(taskId);
			// A running task stays.
			if (!entry || !(entry.cancelWait || leaveQueue(entry))) return;
			entry.cancelWait?.();
			forget(entry);
		},
		async positionOf(taskId) {
			const entry = entries.get(taskId);
			const engineQueue = entry && engineQueues.get(entry.engine);
			return engineQueue ? engineQueue.waiting.indexOf(entry) + 1 || null : null;
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
