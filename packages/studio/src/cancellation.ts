/**
 * Cancels tasks, and settles tasks that ended while this process did not run them. The cancellation is stored first; the
 * process that runs the task receives a notification or, if that is lost, finds it by a regular check.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Store } from "@atelier/store/store";
import type { EngineCheckpoints } from "./engines/engine-checkpoints.ts";
import { ServiceStoppingError, type Engine } from "./engines/engine.ts";
import type { Settlement } from "./settlement.ts";
import type { TaskQueue } from "./task-queue.ts";
import { createTaskStore, type TaskStore } from "./task-store.ts";
import { cancel, isEnded, type EndedTask } from "./task.ts";

/** A task that this process runs. */
export interface CancelableRun {
	readonly canceling: AbortController;
}

export interface Cancellation {
	/** Ends a waiting task, and asks the engine to cancel a running one. Has no effect on an ended task. Idempotent. */
	cancel(taskId: string): Promise<void>;
	/**
	 * Settles a task that ended while this process did not run it. If an engine may still have a job of the
	 * task, cancels that job first, in the background.
	 */
	settleWithoutRun(task: EndedTask, logger: Logger): Promise<void>;
	/** Posts or voids the credits of a task. */
	settle: Settlement["settle"];
	/** The same if the task has ended. */
	settleIfEnded(taskId: string, logger: Logger): Promise<void>;
	/** Aborts the run of this process if the stored task asks for it. Called when another process changed the task. */
	abortIfCanceled(taskId: string): Promise<void>;
	/** Aborts all runs of this process whose stored tasks ask for it, in case a notification was lost. */
	abortCanceledRuns(): Promise<void>;
	/** Waits for background work. */
	stop(): Promise<void>;
}

export function createCancellation(deps: {
	readonly tasks: TaskStore;
	readonly queue: Pick<TaskQueue, "remove">;
	readonly settlement: Settlement;
	readonly checkpoints: EngineCheckpoints;
	readonly engines: readonly Engine[];
	/** Running tasks of this process. */
	readonly runs: ReadonlyMap<string, CancelableRun>;
	readonly logger: Logger;
}): Cancellation {
	const { tasks, queue, settlement, checkpoints, runs } = deps;
	/** By task: the cancellations of jobs that an engine may still run for ended tasks. */
	const jobCancellations = new Map<string, Promise<void>>();
	const stopping = new AbortController();

	async function settleIfEnded(taskId: string, logger: Logger): Promise<void> {
		const task = await tasks.read(taskId);
		if (task && isEnded(task)) await settlement.settle(task, logger);
	}

	/**
	 * Returns a function that cancels the job that an engine may still run for a task that was canceled, or too late,
	 * after its process died. The job may cost money, and its result would be lost.
	 */
	async function orphanedJobCanceler(
		{ taskId, attempt, state, request: { model, scene, prompt, options } }: EndedTask,
		logger: Logger,
	): Promise<((signal: AbortSignal) => Promise<void>) | undefined> {
		if (state === "success") return undefined;
		const last = await checkpoints.last(taskId);
		// The job of an earlier attempt has ended.
		if (!last || last.attempt < attempt) return undefined;
		const engine = deps.engines.find(({ name }) => name === last.engine);
		if (!engine?.cancelJob || !engine.models().some(({ id }) => id === model)) return undefined;
		const checkpoint = checkpoints.of({ taskId, attempt: last.attempt, engine: last.engine });
		const run = { taskId, attempt: last.attempt, checkpoint, model, scene, prompt, options, inputs: [] };
		return async (signal) => {
			await engine.cancelJob?.(run, signal).catch((error: unknown) => {
				logger.warn({ err: error, engine: engine.name }, "engine did not cancel its job");
			});
		};
	}

	async function settleWithoutRun(task: EndedTask, logger: Logger): Promise<void> {
		const { taskId } = task;
		if (jobCancellations.has(taskId)) return;
		const cancelJob = await orphanedJobCanceler(task, logger);
		if (!cancelJob) return await settleIfEnded(taskId, logger);
		// The checkpoint shows that the engine may have a job. It is removed when the task is settled.
		const canceling = cancelJob(stopping.signal)
			// The next start continues what a stop interrupted.
			.then(() => (stopping.signal.aborted ? undefined : settleIfEnded(taskId, logger)))
			.catch((error: unknown) => logger.error({ err: error }, "settlement postponed to the next sweep"))
			.finally(() => jobCancellations.delete(taskId));
		jobCancellations.set(taskId, canceling);
	}

	function abortRun(run: CancelableRun): void {
		run.canceling.abort(new Error("task cancellation requested"));
	}

	async function abortIfCanceled(taskId: string): Promise<void> {
		const run = runs.get(taskId);
		if (!run || run.canceling.signal.aborted) return;
		const task = await tasks.read(taskId);
		if (task?.cancelRequested) abortRun(run);
	}

	return {
		async cancel(taskId) {
			const task = await tasks.move(taskId, cancel);
			if (!task) return;
			const logger = deps.logger.child({ taskId });
			logger.info({ state: task.state }, "task cancellation requested");
			await queue.remove(taskId);
			const run = runs.get(taskId);
			if (run) abortRun(run);
			if (isEnded(task)) await settleWithoutRun(task, logger);
		},
		settleWithoutRun,
		settle: (task, logger) => settlement.settle(task, logger),
		settleIfEnded,
		abortIfCanceled,
		async abortCanceledRuns() {
			for (const taskId of runs.keys()) await abortIfCanceled(taskId);
		},
		async stop() {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			await Promise.all(jobCancellations.values());
		},
	};
}

/**
 * Cancels the open tasks of a restored store: ends waiting tasks, and marks running ones, so that the studio cancels
 * their jobs and repeats none of them. Credits return at the next start. Resolves to the number of tasks.
 */
export async function cancelRestoredTasks(store: Store, clock: Clock): Promise<number> {
	const tasks = createTaskStore({ store, clock, onTransition: () => {} });
	let count = 0;
	for await (const { taskId } of tasks.openTaskMarkers()) {
		if (await tasks.move(taskId, cancel)) count++;
	}
	return count;
}
