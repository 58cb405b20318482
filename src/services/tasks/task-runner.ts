import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { CorruptDocumentError, isStoreFailure } from "@atelier/store/store-errors";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { createAttemptCounter } from "./failed-attempts.ts";
import { createOperatorAlerts } from "./operator-alerts.ts";
import { createProgressUpdates } from "./progress-updates.ts";
import { backoffMs } from "./backoff.ts";
import { runStepOrWait } from "./run-step.ts";
import { sweepOpenTasks } from "./open-task-sweeper.ts";
import type { TaskQueue } from "./task-queue.ts";
import { isEnded, isPending, type Outcome, type PendingTask, type Task } from "./task.ts";
import type { TaskCredits } from "./task-credits.ts";
import type { LoadedTask, TaskStore } from "./task-store.ts";
import { writeTransition } from "./write-transition.ts";
import { createWriteUntilStored } from "./write-until-stored.ts";
import { abandonedOutcome, failedOutcome, settled, type StepContext, type StepDeps } from "./steps/step.ts";

/** Consecutive unexpected failures before a task is failed, the last 8 to 16 s after the first. */
const UNEXPECTED_FAILURES_MAX = 6;
/** Bounds the new tasks in memory; others are read from the store. */
const NEW_TASKS_MAX = 1_000;

export type TaskRunner = ReturnType<typeof createTaskRunner>;

interface TaskRunnerDeps extends Omit<StepDeps, "progress" | "operatorAlerts"> {
	readonly taskStore: TaskStore;
	readonly taskCredits: Pick<TaskCredits, "settle">;
	readonly queue: TaskQueue;
	readonly logger: Logger;
	/** True if other processes may move the same tasks. */
	readonly isStoreShared: boolean;
}

/** Moves tasks forward until they end: runs their steps, writes the state after each, and handles the failures of steps. */
export function createTaskRunner(deps: TaskRunnerDeps) {
	const { taskStore, taskCredits, queue, isStoreShared, logger, ...servicesOfSteps } = deps;
	const { media, polling, replyClient, clock, random } = servicesOfSteps;
	const stopping = new AbortController();
	const failures = createAttemptCounter({ clock });
	/** Counted apart: an outage of the store is not shown as a problem of the service. */
	const storeFailures = createAttemptCounter({ clock });
	/**
	 * Tasks that this process has just created, which their first run need not read (`bench/cluster.ts`). If another process
	 * has run one meanwhile, its first transition is not written, and the stored state is read. Cleared by each sweep, because this
	 * process may never run the tasks that others run.
	 */
	const newTasks = new LRUCache<string, LoadedTask>({ max: NEW_TASKS_MAX });
	let startedAtMs: number | undefined;
	const progress = createProgressUpdates({ taskStore, replyClient, clock, logger, isStoreShared });
	const operatorAlerts = createOperatorAlerts({ clock });
	const stepDeps: StepDeps = { ...servicesOfSteps, progress, operatorAlerts };
	const storeErrorLogger = createThrottledLogger({ clock, logger, message: "tasks wait for the store" });
	const writeUntilStored = createWriteUntilStored({
		taskStore,
		taskCredits,
		media,
		clock,
		random,
		storeErrorLogger,
		stopping: stopping.signal,
	});

	/** Runs a task. Resolves to the time of its next run, or to `undefined` once it has ended. */
	async function runTask(taskId: string): Promise<number | undefined> {
		progress.setNextRun(taskId, Number.POSITIVE_INFINITY);
		const nextAtMs = await runAndHandleFailure(taskId);
		if (nextAtMs !== undefined) progress.setNextRun(taskId, nextAtMs);
		return nextAtMs;
	}

	/** Runs a task and handles its failure. Resolves to the time of its next run, or to `undefined` once it has ended. */
	async function runAndHandleFailure(taskId: string): Promise<number | undefined> {
		const taskLogger = logger.child({ taskId });
		failures.beginRun(taskId);
		storeFailures.beginRun(taskId);
		try {
			const nextAtMs = await runSteps(taskId, taskLogger);
			storeFailures.reset(taskId);
			return nextAtMs;
		} catch (error) {
			// The next process resumes from the same state.
			if (stopping.signal.aborted) return clock.nowMs();
			if (isStoreFailure(error)) {
				// A store outage says nothing about the task: retry until the store is back.
				storeErrorLogger.add(error);
				return clock.nowMs() + backoffMs({ failures: storeFailures.add(taskId, "unavailable"), random: random() });
			}
			const incidentId = randomUUID().slice(0, 8);
			const count = failures.add(taskId, "unexpected");
			taskLogger.error({ err: error, incidentId, failures: count }, "task step failed");
			const mustFail = count >= UNEXPECTED_FAILURES_MAX;
			if (mustFail && (await failTask(taskId, messageOfError(error, incidentId), taskLogger))) return clock.nowMs();
			return clock.nowMs() + backoffMs({ failures: count, random: random() });
		}
	}

	/**
	 * Fails a task whose step keeps failing. Resolves to `false` if that is not stored, or if the task already has an outcome: its
	 * step is then retried without an end, because the outcome has to be delivered.
	 */
	async function failTask(taskId: string, why: MessageDescriptor, taskLogger: Logger): Promise<boolean> {
		try {
			const loaded = await taskStore.load(taskId);
			if (!loaded || !isPending(loaded.task)) return false;
			const result = settled(failureOutcomeOf(loaded.task, why));
			if (!(await writeTransition({ taskStore, taskCredits }, loaded, result, taskLogger))) return false;
			failures.reset(taskId);
			return true;
		} catch (error) {
			// The store that failed the step may fail this write too. The next run tries again.
			taskLogger.error({ err: error }, "failure of the task not stored");
			return false;
		}
	}

	/** Runs steps until the task has to wait. Resolves to the time of its next run, or to `undefined` once it has ended. */
	async function runSteps(taskId: string, taskLogger: Logger): Promise<number | undefined> {
		let loaded = newTasks.get(taskId) ?? (await taskStore.load(taskId));
		newTasks.delete(taskId);
		let isFreshTransition = false;
		while (loaded) {
			const { task }: LoadedTask = loaded;
			if (isEnded(task)) {
				await forget(taskId, isFreshTransition);
				return undefined;
			}
			const context = contextOf(task, isFreshTransition, taskLogger);
			// Other steps show progress after they have run. A submit has no earlier result to show, and its response may take a while.
			if (task.state === "submitting" || task.state === "unconfirmed")
				progress.follow(task, undefined, context.failures);
			const result = await runStepOrWait(stepDeps, task, context);
			switch (result.kind) {
				case "wait":
					if (result.failureKind) failures.add(taskId, result.failureKind);
					else failures.reset(taskId);
					progress.follow(task, result.progress, failures.of(taskId));
					return result.untilMs;
				case "settled":
				case "moved": {
					const next: LoadedTask | undefined = await writeUntilStored(loaded, result, context.logger);
					if (next?.task.state !== task.state) failures.reset(taskId);
					if (next && result.kind === "moved") await result.afterMove?.();
					isFreshTransition = next !== undefined;
					// Not written: continue from the stored state.
					loaded = next ?? (await taskStore.load(taskId));
				}
			}
		}
		// The task was removed.
		await taskStore.removeOpenMarker(taskId);
		return undefined;
	}

	function contextOf(task: Task, isFreshTransition: boolean, taskLogger: Logger): StepContext {
		const { id, guildId, request, createdAtMs } = task;
		return {
			signal: stopping.signal,
			failures: failures.of(id),
			retryBudgetStartMs: Math.max(createdAtMs, startedAtMs ?? 0),
			isFreshTransition,
			request,
			logger: taskLogger.child({ guildId, mediaType: request.mediaType }),
		};
	}

	/** Forgets an ended task. The move to an ended state removes the marker in the same write; otherwise a crash may have left it. */
	async function forget(taskId: string, isFreshTransition: boolean): Promise<void> {
		failures.reset(taskId);
		polling.forget(taskId);
		progress.forget(taskId);
		if (!isFreshTransition) await taskStore.removeOpenMarker(taskId);
	}

	/** Starts the queue at the first wake or sweep, not earlier: a shared queue may have due tasks before Discord is ready. */
	function startQueue(): void {
		if (startedAtMs !== undefined || stopping.signal.aborted) return;
		startedAtMs = clock.nowMs();
		queue.start(runTask);
	}

	return {
		/** Runs a task as soon as possible. `created` is the task if this process has just created it. */
		wake(taskId: string, created?: LoadedTask): void {
			if (created) newTasks.set(taskId, created);
			startQueue();
			queue.wake(taskId);
		},
		/** Schedules a run of every open task that has none. Resolves to the number of open tasks. */
		async sweepOpenTasks(): Promise<number> {
			newTasks.clear();
			startQueue();
			return await sweepOpenTasks({ taskStore, queue, clock });
		},
		async stop(): Promise<void> {
			stopping.abort(new Error("stopping"));
			progress.stop();
			await queue.stop();
		},
	};
}

/** Returns the failure of a task. Once its submit was sent, the service may be running it. */
function failureOutcomeOf(task: PendingTask, why: MessageDescriptor): Outcome {
	const outcome = failedOutcome(why);
	if (task.state === "reserved") return outcome;
	return abandonedOutcome(outcome, task.state === "submitted" ? task.remoteId : null);
}

function messageOfError(error: unknown, incidentId: string): MessageDescriptor {
	return {
		key: error instanceof CorruptDocumentError ? "error.dataDamaged" : "error.unexpected",
		params: { incidentId },
	};
}
