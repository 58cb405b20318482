import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { ServiceStoppingError } from "./engines/engine.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";
import type { EngineLine, QueuedTask, TaskQueue, Work } from "./task-queue.ts";

interface Entry extends QueuedTask {
	/** Cancels the wait for its time; `undefined` if it is not waiting for one. */
	leave: (() => void) | undefined;
}

interface Line {
	readonly concurrency: number;
	readonly waiting: FairQueue<Entry>;
	running: number;
}

/** The queue of a single-process studio, in memory. */
export function createMemoryTaskQueue(deps: {
	readonly lines: readonly EngineLine[];
	readonly clock: Clock;
	readonly logger: Logger;
}): TaskQueue {
	const { clock } = deps;
	const lines = new Map<string, Line>(
		deps.lines.map(({ engine, concurrency }) => [engine, { concurrency, waiting: createFairQueue(), running: 0 }]),
	);
	/** Open tasks by id: waiting, running or not due yet. */
	const entries = new Map<string, Entry>();
	const jobs = new Set<Promise<void>>();
	const stopping = new AbortController();
	let work: Work | undefined;

	/** Catches all errors: a task that this process cannot move is left to the sweep. */
	function track(entry: Entry, job: () => Promise<void>): void {
		const running = job()
			.catch((error: unknown) => {
				drop(entry);
				deps.logger.error({ err: error, taskId: entry.taskId }, "task postponed to the next sweep");
			})
			.finally(() => jobs.delete(running));
		jobs.add(running);
	}

	/** The task may have been queued again meanwhile. */
	function drop(entry: Entry): void {
		if (entries.get(entry.taskId) === entry) entries.delete(entry.taskId);
	}

	function pump(line: Line): void {
		if (!work) return;
		while (line.running < line.concurrency && !stopping.signal.aborted) {
			const entry = line.waiting.shift();
			if (!entry) return;
			line.running += 1;
			track(entry, () => workOn(entry, line));
		}
	}

	async function workOn(entry: Entry, line: Line): Promise<void> {
		try {
			const next = await work?.(entry, stopping.signal);
			if (next && !stopping.signal.aborted) place(next);
			else drop(entry);
		} finally {
			line.running -= 1;
			pump(line);
		}
	}

	function place(task: QueuedTask): void {
		const line = lines.get(task.engine);
		if (!line) throw new Error(`there is no engine ${task.engine}`);
		const entry: Entry = { ...task, leave: undefined };
		entries.set(entry.taskId, entry);
		const waitMs = task.notBeforeMs - clock.nowMs();
		if (waitMs <= 0) lineUp(entry, line);
		else track(entry, () => lineUpLater(entry, line, waitMs));
	}

	async function lineUpLater(entry: Entry, line: Line, waitMs: number): Promise<void> {
		const left = new AbortController();
		entry.leave = () => left.abort();
		const isDue = await clock.sleep(waitMs, AbortSignal.any([stopping.signal, left.signal])).then(
			() => true,
			() => false,
		);
		entry.leave = undefined;
		if (isDue) lineUp(entry, line);
	}

	function lineUp(entry: Entry, line: Line): void {
		line.waiting.push(entry);
		pump(line);
	}

	return {
		graceMs: 0,
		async add(task) {
			if (!entries.get(task.taskId)) place(task);
		},
		known: async (taskIds) => new Set(taskIds.filter((taskId) => entries.get(taskId))),
		async remove(taskId) {
			const entry = entries.get(taskId);
			if (!entry) return;
			const isInLine = lines.get(entry.engine)?.waiting.positionOf(entry) !== null;
			if (!isInLine && !entry.leave) return;
			lines.get(entry.engine)?.waiting.remove(entry);
			entry.leave?.();
			drop(entry);
		},
		async positionOf(taskId) {
			const entry = entries.get(taskId);
			return (entry && lines.get(entry.engine)?.waiting.positionOf(entry)) ?? null;
		},
		openTasks: async () => entries.size,
		openTasksOf: async (account) => [...entries.values()].filter((entry) => entry.account === account).length,
		takesTurn: async () => true,
		start(given) {
			work = given;
			for (const line of lines.values()) pump(line);
		},
		async stop() {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			await Promise.all(jobs);
		},
	};
}
