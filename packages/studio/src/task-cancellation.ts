/**
 * Cancels tasks, and settles tasks that ended while this process did not run them. The cancellation is stored first;
 * another process that runs the task finds it by a regular check.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ScanOptions, Store } from "@atelier/store/store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { TaskCheckpoints } from "./task-checkpoints.ts";
import { ServiceStoppingError, type Engine, type EngineInputs } from "./engines/engine.ts";
import type { Settlement } from "./settlement.ts";
import type { StudioQueue } from "./studio-queue.ts";
import type { StudioContext } from "./studio-context.ts";
import { createStudioTaskStore } from "./studio-task-store.ts";
import { isEnded, requestCancellation, type EndedTask } from "./studio-task.ts";

export type Cancellation = ReturnType<typeof createCancellation>;

export interface CancellationDeps extends StudioContext {
	readonly queue: Pick<StudioQueue, "remove">;
	readonly settlement: Pick<Settlement, "settle">;
	readonly checkpoints: TaskCheckpoints;
	readonly engines: readonly Engine[];
	/** Running tasks of this process. */
	readonly runs: ReadonlyMap<string, { readonly canceling: AbortController }>;
}

export function createCancellation(deps: CancellationDeps) {
	const { taskStore, queue, settlement, checkpoints, runs } = deps;
	/** Running cancellations of engine jobs whose task has ended, by task id. */
	const jobCancellations = new Map<string, Promise<void>>();
	const stopping = new AbortController();

	/**
	 * Returns a function that cancels the job of an ended task, if an engine may still run the job because the process of
	 * the task died. The job may cost money, and its result would be lost. `undefined` if no engine has a job to cancel.
	 */
	async function orphanedJobCanceler(
		{ taskId, attempt, state, request }: EndedTask,
		logger: Logger,
	): Promise<((signal: AbortSignal) => Promise<void>) | undefined> {
		if (state === "success") return undefined;
		const lastRun = await checkpoints.readLastRun(taskId);
		// The job of an earlier attempt has ended.
		if (!lastRun || lastRun.attempt < attempt) return undefined;
		const engine = deps.engines.find(({ name }) => name === lastRun.engine);
		if (!engine?.cancelJob || !engine.models().some(({ id }) => id === request.model)) return undefined;
		const checkpoint = checkpoints.checkpointOf({ taskId, attempt: lastRun.attempt, engine: lastRun.engine });
		const engineTask = { ...request, taskId, attempt: lastRun.attempt, checkpoint, readInputs: readNoInputs };
		return async (signal) => {
			await engine.cancelJob?.(engineTask, signal).catch((error: unknown) => {
				logger.warn({ err: error, engine: engine.name }, "engine did not cancel its job");
			});
		};
	}

	/**
	 * Settles an ended task whose run was aborted, or did not end in this process. If an engine may still have a job of the
	 * task, cancels that job first, in the background.
	 */
	async function cancelJobAndSettle(task: EndedTask, logger: Logger): Promise<void> {
		const { taskId } = task;
		if (jobCancellations.has(taskId)) return;
		const cancelJob = await orphanedJobCanceler(task, logger);
		if (!cancelJob) return await settlement.settle(task, logger);
		// The checkpoint shows that the engine may have a job. It is removed when the task is settled.
		const canceling = cancelJob(stopping.signal)
			// The next start continues what a stop interrupted.
			.then(() => (stopping.signal.aborted ? undefined : settlement.settle(task, logger)))
			.catch((error: unknown) => logger.error({ err: error }, "settlement postponed to the next sweep"))
			.finally(() => jobCancellations.delete(taskId));
		jobCancellations.set(taskId, canceling);
	}

	return {
		/** Ends a waiting task, and asks the engine to cancel a running one. Has no effect on an ended task. Idempotent. */
		async cancel(taskId: string): Promise<void> {
			const task = await taskStore.move(taskId, requestCancellation);
			if (!task) return;
			const logger = deps.logger.child({ taskId });
			logger.info({ state: task.state }, "task cancellation requested");
			const run = runs.get(taskId);
			if (run) abortRun(run);
			await queue.remove(taskId);
			if (isEnded(task)) await cancelJobAndSettle(task, logger);
		},
		cancelJobAndSettle,
		/** Aborts all runs of this process that another process has canceled. */
		async abortCanceledRuns(): Promise<void> {
			for (const [taskId, run] of runs) {
				const task = await taskStore.read(taskId).catch((error: unknown) => {
					deps.logger.warn({ err: error, taskId }, "cancellation check failed");
				});
				if (task?.cancelRequested) abortRun(run);
			}
		},
		/** Waits for background work. */
		async stop(): Promise<void> {
			stopping.abort(new ServiceStoppingError("the studio is stopping"));
			await Promise.all(jobCancellations.values());
		},
	};
}

function abortRun({ canceling }: { readonly canceling: AbortController }): void {
	canceling.abort(new Error("task cancellation requested"));
}

/** A job is canceled without its inputs. */
async function readNoInputs(): Promise<EngineInputs> {
	return { images: [] };
}

/**
 * Cancels the open tasks of a restored store: ends waiting tasks, and marks running ones, so that the studio cancels
 * their jobs and repeats none of them. Credits return at the next start. Resolves to the number of tasks.
 */
export async function cancelRestoredTasks(
	store: Store,
	clock: Clock,
	onCorrupt: NonNullable<ScanOptions["onCorrupt"]>,
): Promise<number> {
	const taskStore = createStudioTaskStore({ store, clock, onTransition: () => {} });
	let count = 0;
	for await (const { taskId } of taskStore.openTaskMarkers(onCorrupt)) {
		try {
			if (await taskStore.move(taskId, requestCancellation)) count++;
		} catch (error) {
			if (!(error instanceof CorruptDocumentError)) throw error;
			onCorrupt(error.key, error);
		}
	}
	return count;
}
