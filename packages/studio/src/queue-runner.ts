/**
 * Runs open tasks from the queue.
 *
 * The store is the truth: the state here can be rebuilt from it, and the next sweep recovers a task that the runner
 * loses during an outage of the store.
 */
import type { Logger } from "pino";
import {
	RunDeadlineError,
	runAttempt,
	type AttemptDeps,
	type AttemptVerdict,
	type FailedAttempt,
} from "./run-attempt.ts";
import type { Cancellation } from "./task-cancellation.ts";
import type { Settlement } from "./settlement.ts";
import type { Engine, FailureCode } from "./engines/engine.ts";
import type { EngineRouter, EngineStatus, EngineEntry } from "./engine-router.ts";
import { createTaskProgress } from "./task-progress.ts";
import type { QueuedTask, StudioQueue, TaskHandler } from "./studio-queue.ts";
import { createTimeout } from "./timeout.ts";
import { untilSaved } from "./until-saved.ts";
import {
	deadlineMs,
	endIfCanceled,
	failWith,
	isEnded,
	onlyForRun,
	recover,
	startAttempt,
	retryAt,
	succeedWith,
	TASK_FAILURES,
	unlessCanceled,
	type EndedTask,
	type Transition,
	type PendingStudioTask,
	type ProcessingTask,
	type StudioTask,
	type TaskFailure,
} from "./studio-task.ts";

export interface QueueRunnerDeps extends AttemptDeps {
	readonly cancellation: Pick<Cancellation, "cancelJobAndSettle">;
	readonly settlement: Pick<Settlement, "settle">;
	readonly router: EngineRouter;
	/** Running tasks of this process, shared with cancellation. */
	readonly runs: Map<string, Run>;
	readonly queue: StudioQueue;
	/** True if several processes form the studio. */
	readonly isClustered: boolean;
}

/** The state of an open task that the stored document does not contain. */
export interface QueueState {
	/** The position in the studio's queue, from 1; `null` if the task is in no queue of the studio. */
	readonly queuePosition: number | null;
	/** The limit of concurrent tasks. */
	readonly concurrency: number;
}

export type QueueRunner = ReturnType<typeof createQueueRunner>;

/** A task that this process runs. */
export interface Run {
	readonly taskId: string;
	readonly entry: EngineEntry;
	readonly canceling: AbortController;
}

/** The next attempt of a task. */
interface Retry {
	readonly notBeforeMs: number;
	readonly waitMs: number;
	/** The new number of attempts that do not count. */
	readonly refusals: number;
}

/** Processes know the health of engines from their own runs only, and could pass a task back and forth without a pause. */
const REROUTE_DELAY_MS = 1_000;
/** The largest share of a retry delay that is left out at random, so that tasks that failed together spread. */
const RETRY_JITTER = 0.2;
/** Failures of a run whose job may not have ended at the engine: a deadline, a broken engine, an unknown outcome of a submit. */
const UNKNOWN_END_CODES: readonly FailureCode[] = ["timeout", "internal", "upstream_timeout"];

export function createQueueRunner(deps: QueueRunnerDeps) {
	const { taskStore, settlement, router, limits, clock, queue, runs } = deps;
	const { cancelJobAndSettle } = deps.cancellation;

	const handleTask: TaskHandler = async ({ taskId, engine }, stop) => {
		const entry = router.find(engine);
		if (!entry) throw new Error(`there is no engine ${engine}`);
		const rerouted = await rerouteIfDown(taskId, entry);
		if (rerouted) return rerouted;
		const run: Run = { taskId, entry, canceling: new AbortController() };
		runs.set(taskId, run);
		try {
			return await runOnce(run, stop, deps.logger.child({ taskId }));
		} finally {
			// After a lost lease, this process may already run the task again.
			if (runs.get(taskId) === run) runs.delete(taskId);
		}
	};

	/** Returns the queue entry for another engine if this one has gone down while the task waited for it. */
	async function rerouteIfDown(taskId: string, { engine, health }: EngineEntry): Promise<QueuedTask | undefined> {
		if (health.stateAt(clock.nowMs()) !== "down") return undefined;
		const task = await taskStore.read(taskId);
		const queuedTask = task?.state === "pending" ? queuedTaskOf(task) : undefined;
		if (!queuedTask || queuedTask.engine === engine.name) return undefined;
		return { ...queuedTask, notBeforeMs: clock.nowMs() + REROUTE_DELAY_MS };
	}

	/**
	 * Starts the next attempt of a task, or continues the attempt of a process that has crashed: the process that gets a task
	 * from the queue owns it. A late task ends. `undefined` if the task had ended, or if the queue entry is for an engine that it has
	 * left.
	 */
	async function startOrContinueAttempt(
		taskId: string,
		engine: Engine,
	): Promise<ProcessingTask | EndedTask | undefined> {
		const start = startAttempt(engine.name, limits);
		const task = await taskStore.move(taskId, start);
		if (task) return task;
		const found = await taskStore.read(taskId);
		if (found?.state !== "processing" || found.engine !== engine.name) return undefined;
		const recovered = await taskStore.move(taskId, unlessCanceled(recover(limits)));
		return recovered?.state === "pending" ? await taskStore.move(taskId, start) : undefined;
	}

	async function runOnce(run: Run, stop: AbortSignal, logger: Logger): Promise<QueuedTask | undefined> {
		const { engine } = run.entry;
		const task = await startOrContinueAttempt(run.taskId, engine);
		if (task?.state !== "processing") {
			// The task ended before this run, or was just ended: late, canceled, or interrupted too often.
			const ended = await taskStore.read(run.taskId);
			if (ended && isEnded(ended)) await cancelJobAndSettle(ended, logger);
			return undefined;
		}
		logger.info({ engine: engine.name, attempt: task.attempt, model: task.request.model }, "task started");
		const intervalMs = limits.progressIntervalMs;
		const progress = createTaskProgress({ taskStore, clock, intervalMs, logger }, task);
		const leftMs = Math.max(0, deadlineMs(task, limits) - clock.nowMs());
		using deadline = createTimeout(clock, leftMs, new RunDeadlineError("the run took too long"));
		let verdict: AttemptVerdict | undefined;
		const endRun = run.entry.health.startRun();
		try {
			const attempt = {
				task,
				engine,
				deadline: deadline.signal,
				stop,
				cancel: run.canceling.signal,
				report: progress.report,
			};
			verdict = await runAttempt(deps, attempt, logger);
		} finally {
			endRun(verdict, clock.nowMs());
		}
		await progress.flush();
		return await applyVerdict(run, task, verdict, AbortSignal.any([stop, deadline.signal]), logger);
	}

	async function applyVerdict(
		{ taskId, entry }: Run,
		task: ProcessingTask,
		verdict: AttemptVerdict,
		signal: AbortSignal,
		logger: Logger,
	): Promise<QueuedTask | undefined> {
		switch (verdict.kind) {
			case "stopped":
				return { taskId, account: task.account, engine: entry.engine.name, notBeforeMs: clock.nowMs() };
			case "canceled":
				// The cancel request is stored before a run is aborted for it, so this transition applies.
				await moveAndSettle(taskId, endIfCanceled, logger, cancelJobAndSettle);
				return undefined;
			case "succeeded":
				// Also for a run that this process has lost, and after a cancel request: the outputs exist and may be billed.
				await untilSaved({ clock, logger }, () => moveAndSettle(taskId, succeedWith(verdict.outputs), logger), signal);
				return undefined;
			case "failed": {
				const retry = planRetry(task, entry, verdict);
				return retry ? await requeue(task, retry, logger) : await fail(task, verdict.failure, logger);
			}
		}
	}

	/** Returns when a task continues after a failed attempt; `undefined` if the task fails. */
	function planRetry(task: ProcessingTask, entry: EngineEntry, verdict: FailedAttempt): Retry | undefined {
		const { attempt, request } = task;
		// Refusals of engines that are busy or restart do not count as attempts, up to a limit.
		const isUncounted = verdict.isRefused && task.refusals < limits.refusalsMax;
		const refusals = task.refusals + (isUncounted ? 1 : 0);
		if (!verdict.failure.retryable || attempt - refusals >= limits.attemptsMax) return undefined;
		const jitter = 1 - RETRY_JITTER * Math.random();
		const delayMs = Math.min(limits.retryDelayMsMax, limits.retryDelayFirstMs * 2 ** (attempt - 1)) * jitter;
		// The Retry-After is that of this engine: another one need not wait for it.
		const isSameEngine = router.selectFor({ request, attempt }) === entry;
		const waitMs = Math.max(Math.round(delayMs), isSameEngine ? verdict.retryAfterMs : 0);
		const notBeforeMs = clock.nowMs() + waitMs;
		return notBeforeMs < deadlineMs(task, limits) ? { notBeforeMs, waitMs, refusals } : undefined;
	}

	/** Returns the queue entry of the next attempt; `undefined` if the task has ended or is in another run. */
	async function requeue(
		task: ProcessingTask,
		{ notBeforeMs, waitMs, refusals }: Retry,
		logger: Logger,
	): Promise<QueuedTask | undefined> {
		const { taskId, attempt } = task;
		const transition = onlyForRun(task, unlessCanceled(retryAt(notBeforeMs, refusals)));
		const waiting = await moveAndSettle(taskId, transition, logger);
		if (waiting?.state !== "pending") return undefined;
		// No paid job is left: it has failed, the service no longer has it, or the engine cancels it.
		await deps.checkpoints.remove(taskId);
		logger.info({ attempt, waitMs }, "task will be retried");
		return await queuedOrFailed(waiting);
	}

	async function fail(task: ProcessingTask, failure: TaskFailure, logger: Logger): Promise<undefined> {
		const transition = onlyForRun(task, unlessCanceled(failWith(failure)));
		const mayJobStillRun = UNKNOWN_END_CODES.includes(failure.code);
		await moveAndSettle(task.taskId, transition, logger, mayJobStillRun ? cancelJobAndSettle : settlement.settle);
	}

	/** Moves a task if its state allows it, and settles its credits if it has ended. Resolves to the moved task. */
	async function moveAndSettle(
		taskId: string,
		transition: Transition,
		logger: Logger,
		settle: Settlement["settle"] = settlement.settle,
	): Promise<StudioTask | undefined> {
		const moved = await taskStore.move(taskId, transition);
		const task = moved ?? (await taskStore.read(taskId));
		if (task && isEnded(task)) await settle(task, logger);
		else if (task && !moved) logger.warn({ state: task.state }, "outcome dropped: another run has the task");
		return moved;
	}

	/**
	 * Returns the queue entry of a task. Fails the task if no engine serves its model any more; in a cluster it waits for a process with
	 * another configuration until its deadline.
	 */
	async function queuedOrFailed(task: PendingStudioTask): Promise<QueuedTask | undefined> {
		const { taskId } = task;
		const queuedTask = queuedTaskOf(task);
		if (queuedTask || deps.isClustered) return queuedTask;
		await moveAndSettle(taskId, failWith(TASK_FAILURES.noEngine), deps.logger.child({ taskId }));
		return undefined;
	}

	/** Returns the queue entry of a task; `undefined` if no engine of this process serves its model. */
	function queuedTaskOf(task: PendingStudioTask): QueuedTask | undefined {
		const { taskId, account, notBeforeMs } = task;
		const entry = router.selectFor(task);
		return entry && { taskId, account, engine: entry.engine.name, notBeforeMs };
	}

	return {
		/** Starts taking tasks. */
		start: (): void => queue.start(handleTask),
		/** Queues a waiting task, or fails it, by `queuedOrFailed`. */
		async enqueue(task: PendingStudioTask): Promise<void> {
			const queuedTask = await queuedOrFailed(task);
			if (queuedTask) await queue.add(queuedTask);
		},
		async queueState(task: StudioTask): Promise<QueueState> {
			const engines = router.enginesFor(task.request.model).map(({ engine }) => engine.name);
			const queuePosition = task.state === "pending" ? await queue.positionOf(task.taskId, engines) : null;
			return { queuePosition, concurrency: router.selectFor(task)?.concurrency ?? 1 };
		},
		/** Returns the running tasks and the health of each engine. */
		engines(): readonly EngineStatus[] {
			const running = [...runs.values()].map(({ entry }) => entry.engine.name);
			return router.engines.map(({ engine: { name }, health, concurrency }) => ({
				name,
				health: health.stateAt(clock.nowMs()),
				running: running.filter((engine) => engine === name).length,
				slots: concurrency,
			}));
		},
	};
}
