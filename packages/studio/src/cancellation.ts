/**
 * Ends tasks before their time, and settles what has ended without a run of this process. That a task is to be canceled is
 * written first; who works on it hears of it by a notice, and where that is lost by looking at what it works on.
 */
import type { Logger } from "pino";
import { ServiceStoppingError } from "./engines/engine.ts";
import type { Leftovers } from "./orphaned-jobs.ts";
import type { Settlement } from "./settlement.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { TaskStore } from "./task-store.ts";
import { cancel, isEnded, type EndedTask } from "./task.ts";

/** A task that this process works on. */
export interface CancelableRun {
	readonly canceling: AbortController;
}

export interface CallingOff {
	/**
	 * Ends a task that has not begun, and asks the engine to let go of one that has. Does nothing to one that has ended,
	 * and may be repeated.
	 */
	cancel(taskId: string): Promise<void>;
	/**
	 * Settles a task that has ended without a run of this process. Where an engine may still be at it, that is called off
	 * first, in the background.
	 */
	settleWithoutRun(task: EndedTask, logger: Logger): Promise<void>;
	/** Settles a task of this process, if it has ended. */
	settleIfEnded(taskId: string, logger: Logger): Promise<void>;
	/** Somebody else has changed the task: where it is worked on here it may have been canceled. */
	changedElsewhere(taskId: string): Promise<void>;
	/** The same for everything that is worked on here, for what nobody was told. */
	lookAtRuns(): Promise<void>;
	/** Waits for what goes on beside the queue's work. */
	stop(): Promise<void>;
}

export function createCallingOff(deps: {
	readonly tasks: TaskStore;
	readonly queue: Pick<TaskQueue, "remove">;
	readonly settlement: Settlement;
	readonly leftovers: Leftovers;
	/** By task, what this process works on. */
	readonly runs: ReadonlyMap<string, CancelableRun>;
	readonly logger: Logger;
}): CallingOff {
	const { tasks, queue, settlement, runs } = deps;
	/** Ended tasks that an engine may still be at, and who asks it to let go. */
	const calledOff = new Map<string, Promise<void>>();
	const stopping = new AbortController();

	async function settleIfEnded(taskId: string, logger: Logger): Promise<void> {
		const task = await tasks.read(taskId);
		if (task && isEnded(task)) await settlement.settle(task, logger);
	}

	async function settleWithoutRun(task: EndedTask, logger: Logger): Promise<void> {
		const { taskId } = task;
		if (calledOff.has(taskId)) return;
		const callOff = await deps.leftovers.of(task);
		if (!callOff) return await settleIfEnded(taskId, logger);
		// Its memo is the proof that something is left, and goes when the task is settled.
		const letGo = callOff(stopping.signal)
			// What a stop cut short is begun again by the next start.
			.then(() => (stopping.signal.aborted ? undefined : settleIfEnded(taskId, logger)))
			.catch((error: unknown) => logger.error({ err: error }, "task left to the next sweep"))
			.finally(() => calledOff.delete(taskId));
		calledOff.set(taskId, letGo);
	}

	function cancelHere(run: CancelableRun): void {
		run.canceling.abort(new Error("the task is to be canceled"));
	}

	async function changedElsewhere(taskId: string): Promise<void> {
		const run = runs.get(taskId);
		if (!run || run.canceling.signal.aborted) return;
		const task = await tasks.read(taskId);
		if (task?.cancelRequested) cancelHere(run);
	}

	return {
		async cancel(taskId) {
			const task = await tasks.move(taskId, cancel);
			if (!task) return;
			const logger = deps.logger.child({ taskId });
			logger.info({ state: task.state }, "task to be canceled");
			await queue.remove(taskId);
			const run = runs.get(taskId);
			if (run) cancelHere(run);
			if (isEnded(task)) await settleWithoutRun(task, logger);
		},
		settleWithoutRun,
		settleIfEnded,
		changedElsewhere,
		async lookAtRuns() {
			for (const taskId of runs.keys()) await changedElsewhere(taskId);
		},
		async stop() {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			await Promise.all(calledOff.values());
		},
	};
}
