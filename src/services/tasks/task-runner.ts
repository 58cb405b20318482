import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { CorruptDocumentError, StoreUnavailableError } from "@atelier/store/store-errors";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { createDelayNotice } from "./delay-notice.ts";
import { createFailureCounts } from "./failure-counts.ts";
import { createOperatorAlerts } from "./operator-alerts.ts";
import { createProgressUpdates } from "./progress-updates.ts";
import { backoffMs } from "./retry-delay.ts";
import { runStep } from "./run-step.ts";
import { sweepOpenTasks } from "./open-task-sweeper.ts";
import type { TaskQueue } from "./task-queue.ts";
import { baseOf, isPending, type Outcome, type Task } from "./task.ts";
import type { LoadedTask, TaskStore } from "./task-store.ts";
import { isSameExceptRequests, isStillValid, writeTransition } from "./write-transition.ts";
import { abandonedOutcome, type Moved, type StepContext, type StepDeps } from "./steps/step.ts";

/** Consecutive unexpected failures before a task is failed, the last 8 to 16 s after the first. */
const UNEXPECTED_FAILURES_MAX = 6;
/** Bounds the tasks kept in memory for their first run; others are read from the store. */
const RECENT_WRITES_MAX = 1_000;
/** Bounds the results kept in memory after a failed write. */
const UNWRITTEN_RESULTS_MAX = 20_000;
/**
 * The time after the last attempt to write a delivery. Another process may have stored it since, and the operator may have reopened
 * the task: its state is then as before the delivery, whose result is no longer valid.
 */
const UNWRITTEN_DELIVERY_TTL_MS = 60_000;

/** Moves tasks forward until they end: runs their steps, writes the state after each, and handles the failures of steps. */
export interface TaskRunner {
	/** Runs a task as soon as possible. */
	wake(taskId: string): void;
	/** Runs a task as soon as possible, without reading it again: this process has just written it. */
	start(task: LoadedTask): void;
	/** Schedules a run of every open task that has none. Resolves to the number of open tasks. */
	sweepOpenTasks(): Promise<number>;
	stop(): Promise<void>;
}

interface TaskRunnerDeps extends Omit<StepDeps, "delayNotice" | "progress" | "operatorAlerts"> {
	readonly taskStore: TaskStore;
	readonly queue: TaskQueue;
	readonly logger: Logger;
	/** True if other processes may move the same tasks. */
	readonly isStoreShared: boolean;
}

/** The result of a step whose write failed. It may be stored nevertheless. */
interface UnwrittenResult {
	readonly from: Task;
	readonly result: Moved;
}

export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
	const { taskStore, queue, clock, random, logger } = deps;
	const stopping = new AbortController();
	const failures = createFailureCounts();
	/** Tasks that this process has just written, which their first run need not read. */
	const recentWrites = new LRUCache<string, LoadedTask>({ max: RECENT_WRITES_MAX });
	/** By task id. The next run writes the result instead of repeating the step: a repeated submit could not learn the outcome of the first. */
	const unwrittenResults = new LRUCache<string, UnwrittenResult>({
		max: UNWRITTEN_RESULTS_MAX,
		perf: { now: () => clock.nowMs() },
		ttlResolution: 0,
	});
	let startedAtMs: number | undefined;
	const delayNotice = createDelayNotice(deps);
	const progress = createProgressUpdates(deps);
	const operatorAlerts = createOperatorAlerts({ clock });
	const stepDeps: StepDeps = { ...deps, delayNotice, progress, operatorAlerts };
	const storeErrorLogger = createThrottledLogger({ clock, logger, message: "tasks wait for the store" });

	/** Runs a task and handles its failure. Resolves to the time of its next run, or to `undefined` once it has ended. */
	async function advance(taskId: string): Promise<number | undefined> {
		const taskLogger = logger.child({ taskId });
		try {
			return await run(taskId, taskLogger);
		} catch (error) {
			// The next process resumes from the same state.
			if (stopping.signal.aborted) return clock.nowMs();
			if (error instanceof StoreUnavailableError) {
				// A store outage says nothing about the task: retry until the store is back.
				storeErrorLogger.add(error);
				return clock.nowMs() + backoffMs({ failures: failures.add(taskId, "unavailable"), random: random() });
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
	 * Fails a task whose step keeps failing. Resolves to `false` if that is not stored, or if the task has an outcome: it is retried
	 * until it is delivered.
	 */
	async function failTask(taskId: string, why: MessageDescriptor, taskLogger: Logger): Promise<boolean> {
		try {
			const loaded = await taskStore.load(taskId);
			if (!loaded || !isPending(loaded.task)) return false;
			const outcome = failureOutcomeOf(deps, loaded.task, why);
			if (!(await taskStore.move(loaded, { ...baseOf(loaded.task), state: "finished", outcome }))) return false;
			failures.reset(taskId);
			return true;
		} catch (error) {
			// The store that failed the step may fail this write too. The next run tries again.
			taskLogger.error({ err: error }, "failure of the task not stored");
			return false;
		}
	}

	/** Runs steps until the task has to wait. Resolves to the time of its next run, or to `undefined` once it has ended. */
	async function run(taskId: string, taskLogger: Logger): Promise<number | undefined> {
		let loaded = recentWrites.get(taskId) ?? (await taskStore.load(taskId));
		recentWrites.delete(taskId);
		const written = loaded && takeWrittenResult(loaded.task);
		await written?.afterMove?.();
		let isFreshTransition = written !== undefined;
		while (loaded) {
			const { task }: LoadedTask = loaded;
			const context: StepContext = {
				signal: stopping.signal,
				failures: failures.of(taskId),
				retryBudgetStartMs: Math.max(task.createdAtMs, startedAtMs ?? 0),
				isFreshTransition,
				request: task.request,
				logger: taskLogger.child({ guildId: task.guildId, mediaType: task.request.mediaType }),
			};
			// The service may take a while to respond.
			if (task.state === "submitting") progress.follow(task, undefined);
			const result = unwrittenResultOf(task) ?? (await runStep(stepDeps, task, context));
			switch (result.kind) {
				case "ended":
					failures.reset(taskId);
					deps.polling.forget(taskId);
					progress.forget(taskId);
					if (!isFreshTransition) await taskStore.removeOpenMarker(taskId);
					return undefined;
				case "wait":
					if (result.failureKind) failures.add(taskId, result.failureKind);
					else failures.reset(taskId);
					// Another process moved the task, so its wait may be over.
					if (result.updatedTask && !(await taskStore.move(loaded, result.updatedTask))) return clock.nowMs();
					progress.follow(result.updatedTask ?? task, result.progress);
					return await delayNotice.sendIfDue(task, result.untilMs, context.signal, context.logger);
				case "moved": {
					keepUnwritten(task, result);
					const next: LoadedTask | undefined = await writeTransition(deps, loaded, result, context.logger);
					unwrittenResults.delete(taskId);
					failures.reset(taskId);
					if (next) await result.afterMove?.();
					isFreshTransition = next !== undefined;
					// Another process moved the task: continue from its current state.
					loaded = next ?? (await taskStore.load(taskId));
				}
			}
		}
		// The task was removed.
		await taskStore.removeOpenMarker(taskId);
		return undefined;
	}

	function keepUnwritten(from: Task, result: Moved): void {
		const ttl = isPending(from) ? {} : { ttl: UNWRITTEN_DELIVERY_TTL_MS };
		unwrittenResults.set(from.id, { from, result }, ttl);
	}

	/** Returns the result of an earlier run that is stored although its write failed, once. */
	function takeWrittenResult(task: Task): Moved | undefined {
		const result = unwrittenResults.get(task.id)?.result;
		if (!result || !isSameExceptRequests(task, result.task)) return undefined;
		unwrittenResults.delete(task.id);
		return result;
	}

	/** Returns the result of an earlier run whose write failed, if it is still valid for the task as it is stored. */
	function unwrittenResultOf(task: Task): Moved | undefined {
		const unwritten = unwrittenResults.get(task.id);
		// A move to `submitting` has no side effect yet, so run the step again: the task may be canceled or late by now.
		if (!unwritten || unwritten.from.state === "reserved") return undefined;
		return isStillValid(task, unwritten.from, unwritten.result.task) ? unwritten.result : undefined;
	}

	/** Starts the queue at the first wake or sweep, not earlier: a shared queue may have due tasks before Discord is ready. */
	function startQueue(): void {
		if (startedAtMs !== undefined || stopping.signal.aborted) return;
		startedAtMs = clock.nowMs();
		queue.start(advance);
	}

	return {
		wake(taskId) {
			startQueue();
			queue.wake(taskId);
		},
		start(written) {
			recentWrites.set(written.task.id, written);
			startQueue();
			queue.wake(written.task.id);
		},
		async sweepOpenTasks() {
			startQueue();
			return await sweepOpenTasks(deps);
		},
		async stop() {
			stopping.abort(new Error("stopping"));
			progress.stop();
			await queue.stop();
		},
	};
}

/** Returns the failure of a task. Once its submit was sent, the service may be running it. */
function failureOutcomeOf(deps: Pick<StepDeps, "clock">, task: Task, why: MessageDescriptor): Outcome {
	if (task.state === "submitting") return abandonedOutcome(deps, why, null);
	if (task.state === "submitted") return abandonedOutcome(deps, why, task.remoteId);
	return { kind: "failed", why };
}

function messageOfError(error: unknown, incidentId: string): MessageDescriptor {
	return {
		key: error instanceof CorruptDocumentError ? "error.dataDamaged" : "error.unexpected",
		params: { incidentId },
	};
}
