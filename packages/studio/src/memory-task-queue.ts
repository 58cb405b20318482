import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { ServiceStoppingError } from "./engines/engine.ts";
import type { EngineLine, QueuedTask, TaskQueue, Work } from "./task-queue.ts";

interface Entry extends QueuedTask {
	/** Accounts take turns: the first tasks of all accounts form one round, the second ones the next. */
	round: number;
	/** Cancels the wait for its time; `undefined` if it is not waiting for one. */
	leave: (() => void) | undefined;
}

interface Line {
	readonly concurrency: number;
	/** By round, then by arrival. */
	readonly waiting: Entry[];
	/** The round of the last started task. */
	round: number;
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
		deps.lines.map(({ engine, concurrency }) => [engine, { concurrency, waiting: [], round: 0, running: 0 }]),
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
			line.round = entry.round;
			line.running += 1;
			track(entry, () => workOn(entry, line));
		}
	}

	async function workOn(entry: Entry, line: Line): Promise<void> {
		try {
			const next = await work?.(entry, stopping.signal);
			if (next && !stopping.signal.aborted) enqueue(next);
			else drop(entry);
		} finally {
			line.running -= 1;
			pump(line);
		}
	}

	function enqueue(task: QueuedTask): void {
		const line = lines.get(task.engine);
		if (!line) throw new Error(`there is no engine ${task.engine}`);
		const entry: Entry = { ...task, round: 0, leave: undefined };
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
		const { waiting } = line;
		const before = waiting.findLast(({ account }) => account === entry.account);
		entry.round = Math.max(line.round, before?.round ?? 0) + 1;
		waiting.splice(waiting.findLastIndex(({ round }) => round <= entry.round) + 1, 0, entry);
		pump(line);
	}

	function waitingAt({ engine }: Entry): Entry[] {
		return lines.get(engine)?.waiting ?? [];
	}

	return {
		graceMs: 0,
		async add(task) {
			if (!entries.get(task.taskId)) enqueue(task);
		},
		known: async (taskIds) => new Set(taskIds.filter((taskId) => entries.get(taskId))),
		async remove(taskId) {
			const entry = entries.get(taskId);
			if (!entry) return;
			const index = waitingAt(entry).indexOf(entry);
			// A running task stays.
			if (index < 0 && !entry.leave) return;
			if (index >= 0) waitingAt(entry).splice(index, 1);
			entry.leave?.();
			drop(entry);
		},
		async positionOf(taskId) {
			const entry = entries.get(taskId);
			const index = entry ? waitingAt(entry).indexOf(entry) : -1;
			return index < 0 ? null : index + 1;
		},
		openTasks: async () => entries.size,
		openTasksOf: async (account) => [...entries.values()].filter((entry) => entry.account === account).length,
		ping: async () => {},
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
