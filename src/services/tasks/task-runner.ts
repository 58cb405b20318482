import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { CorruptDocumentError, StoreRejectedError, StoreUnavailableError } from "@atelier/store/store-errors";
import { createThrottledLogger } from "@atelier/common/throttled-logger";
import { LedgerRejectedError } from "@atelier/ledger/operations";
import { TranscodeQueueFullError } from "@atelier/media-files/worker-pool";
import { ReplyClientUnavailableError } from "../delivery/reply-client.ts";
import { createDelayNotice } from "./delay-notice.ts";
import { createProgressUpdates } from "./progress-updates.ts";
import { createOperatorAlerts } from "./operator-alerts.ts";
import type { TaskQueue } from "./task-queue.ts";
import { backoffMs } from "./retry-delay.ts";
import { baseOf, isPending, type Outcome, type Task } from "./task.ts";
import { RemoteIdTakenError, type LoadedTask, type TaskStore } from "./task-store.ts";
import { sweepOpenTasks } from "./open-task-sweeper.ts";
import { deliver } from "./steps/deliver.ts";
import { poll } from "./steps/poll.ts";
import { isPaidFromOneAccount, reserve } from "./steps/reserve.ts";
import { settle, settleInOneWrite } from "./steps/settle.ts";
import { beginSubmit, submit } from "./steps/submit.ts";
import {
	abandonedOutcome,
	failed,
	messageOfCancel,
	waitAfterFailure,
	type FailureKind,
	type Failures,
	type Moved,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./steps/step.ts";
import { afterDelivery } from "./steps/withdraw.ts";

/** Consecutive unexpected failures before a task is failed, the last 8 to 16 s after the first. */
const UNEXPECTED_FAILURES_MAX = 6;
/** The task or its hold has changed, the account is corrupt, or the store is away or rejects the transaction. */
const SETTLE_IN_ONE_WRITE_ERRORS = [
	LedgerRejectedError,
	CorruptDocumentError,
	StoreUnavailableError,
	StoreRejectedError,
];
/** About the duration of one video transcode: an earlier retry would seldom find a free worker. */
const TRANSCODE_RETRY_MS = 10_000;
/** Bound of the failure counts kept in memory: tasks that continued in another process would otherwise stay here. */
const COUNTED_TASKS_MAX = 20_000;
/** Bound of the written tasks kept in memory; the first run of others reads them from the store. */
const RECENT_WRITES_MAX = 1_000;

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

export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
	const { taskStore, queue, clock, random, logger } = deps;
	const stopping = new AbortController();
	const failures = new LRUCache<string, Failures>({ max: COUNTED_TASKS_MAX });
	/** Tasks that this process has just written, which their first run need not read. */
	const recentWrites = new LRUCache<string, LoadedTask>({ max: RECENT_WRITES_MAX });
	/** Tasks whose move to `submitting` may be stored although the write failed, by id: this process has not sent them. The value is `sinceMs`. */
	const unsentTasks = new LRUCache<string, number>({ max: COUNTED_TASKS_MAX });
	let startedAtMs: number | undefined;
	const delayNotice = createDelayNotice(deps);
	const progress = createProgressUpdates(deps);
	const operatorAlerts = createOperatorAlerts({ clock });
	const stepDeps: StepDeps = { ...deps, delayNotice, progress, operatorAlerts };
	const storeErrorLogger = createThrottledLogger({ clock, logger, message: "tasks wait for the store" });

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
				return clock.nowMs() + backoffMs({ failures: countFailure(taskId, "unavailable"), random: random() });
			}
			const incidentId = randomUUID().slice(0, 8);
			const count = countFailure(taskId, "unexpected");
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
			failures.delete(taskId);
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
		let isFreshTransition = loaded?.task.state === "submitting" && loaded.task.sinceMs === unsentTasks.get(taskId);
		unsentTasks.delete(taskId);
		while (loaded) {
			const { task }: LoadedTask = loaded;
			const context: StepContext = {
				signal: stopping.signal,
				failures: failures.get(taskId) ?? {},
				retryBudgetStartMs: Math.max(task.createdAtMs, startedAtMs ?? 0),
				isFreshTransition,
				request: task.request,
				logger: taskLogger.child({ guildId: task.guildId, mediaType: task.request.mediaType }),
			};
			// The service may take a while to respond.
			if (task.state === "submitting") progress.follow(task, undefined);
			const result = await runStep(stepDeps, task, context);
			switch (result.kind) {
				case "ended":
					failures.delete(taskId);
					deps.polling.forget(taskId);
					progress.forget(taskId);
					if (!isFreshTransition) await taskStore.removeOpenMarker(taskId);
					return undefined;
				case "wait":
					if (result.failureKind) countFailure(taskId, result.failureKind);
					else failures.delete(taskId);
					// Another process moved the task, so its wait may be over.
					if (result.updatedTask && !(await taskStore.move(loaded, result.updatedTask))) return clock.nowMs();
					progress.follow(result.updatedTask ?? task, result.progress);
					return await delayNotice.sendIfDue(task, result.untilMs, context.signal, context.logger);
				case "moved": {
					failures.delete(taskId);
					if (task.state === "reserved" && result.task.state === "submitting")
						unsentTasks.set(taskId, result.task.sinceMs);
					const next: LoadedTask | undefined =
						(await trySettleInOneWrite(loaded, result.task, context.logger)) ??
						(await moveWithRetry(loaded, result, taskLogger));
					unsentTasks.delete(taskId);
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

	/**
	 * Writes the outcome of the task and its charge in one transaction. Resolves to `undefined` if the ledger or the store does not
	 * accept that: `finished` and `settled` are separate writes then. After a store outage too: only a stored outcome keeps the step,
	 * such as a submit, from running again.
	 */
	async function trySettleInOneWrite(
		from: LoadedTask,
		next: Task,
		taskLogger: Logger,
	): Promise<LoadedTask | undefined> {
		if (next.state !== "finished" || !isPaidFromOneAccount(next)) return undefined;
		try {
			return await taskStore.moveWith(from, (taskKey) => settleInOneWrite(deps, next, taskKey, taskLogger));
		} catch (error) {
			if (!SETTLE_IN_ONE_WRITE_ERRORS.some((expected) => error instanceof expected)) throw error;
			taskLogger.debug({ err: error }, "task not settled in one write");
			return undefined;
		}
	}

	/**
	 * Moves the task. Retries after a concurrent write that leaves the transition valid (`isStillValid`); resolves to `undefined` after
	 * any other.
	 */
	async function moveWithRetry(
		from: LoadedTask,
		{ task: next, writes }: Pick<Moved, "task" | "writes">,
		taskLogger: Logger,
	): Promise<LoadedTask | undefined> {
		let movedTask: LoadedTask | undefined;
		try {
			movedTask = await taskStore.move(from, next, writes);
		} catch (error) {
			if (!(error instanceof RemoteIdTakenError)) throw error;
			return await rejectRemoteId(from, next, error, taskLogger);
		}
		if (movedTask) return movedTask;
		const reloaded = await taskStore.load(from.task.id);
		if (!reloaded) return undefined;
		const { task } = reloaded;
		if (isStillValid(task, from.task, next)) {
			const { cancel, ping } = task;
			const withRequests = { ...next, ...(cancel && { cancel }), ...(ping && { ping }) };
			return await moveWithRetry(reloaded, { task: withRequests, writes }, taskLogger);
		}
		if (next.state === "submitted" && !("remoteId" in task && task.remoteId === next.remoteId)) {
			const { remoteId } = next;
			taskLogger.error({ remoteId, state: task.state }, "abandoned task accepted by the service");
		}
		return undefined;
	}

	/** Fails a task whose remote id belongs to another task. That task is neither canceled nor shown. */
	async function rejectRemoteId(
		from: LoadedTask,
		next: Task,
		{ ownerId, message }: RemoteIdTakenError,
		taskLogger: Logger,
	): Promise<LoadedTask | undefined> {
		taskLogger.error({ remoteId: "remoteId" in next && next.remoteId, otherTaskId: ownerId }, message);
		const outcome: Outcome = { kind: "failed", why: { key: "service.invalidAnswer" } };
		const rejected: Task = { ...baseOf(from.task), state: "finished", outcome };
		return (
			(await trySettleInOneWrite(from, rejected, taskLogger)) ??
			(await moveWithRetry(from, { task: rejected }, taskLogger))
		);
	}

	function countFailure(taskId: string, kind: FailureKind): number {
		const before = failures.get(taskId);
		const count = (before?.[kind] ?? 0) + 1;
		failures.set(taskId, { ...before, [kind]: count });
		return count;
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

/**
 * Returns whether a step's result for `from` is still valid for the current task: the only concurrent writes were a request
 * for a cancel or a mention, or the discovery that a submit of unknown outcome had arrived.
 */
function isStillValid(current: Task, from: Task, next: Task): boolean {
	if (current.state === "submitting" && from.state === "submitting" && next.state === "submitted") {
		return current.sinceMs === from.sinceMs;
	}
	const { cancel: currentCancel, ping: currentPing, ...currentRest } = current;
	const { cancel: fromCancel, ping: fromPing, ...fromRest } = from;
	const isRequested = currentPing !== fromPing || !isDeepStrictEqual(currentCancel, fromCancel);
	return isRequested && isDeepStrictEqual(currentRest, fromRest);
}

function messageOfError(error: unknown, incidentId: string): MessageDescriptor {
	return {
		key: error instanceof CorruptDocumentError ? "error.recordsDamaged" : "error.unexpected",
		params: { incidentId },
	};
}

/** Runs the step of the task's state. Waits if Discord is unavailable or the transcode queue is full: the task did not fail. */
async function runStep(deps: StepDeps, task: Task, context: StepContext): Promise<StepResult> {
	try {
		return await stepOf(deps, task, context);
	} catch (error) {
		if (error instanceof ReplyClientUnavailableError) {
			context.logger.warn({ err: error }, "delivery postponed");
			return waitAfterFailure(deps, context, "unavailable", error.retryAfterMs);
		}
		if (!(error instanceof TranscodeQueueFullError)) throw error;
		context.logger.warn({ err: error }, "transcode postponed");
		return waitAfterFailure(deps, context, "busy", TRANSCODE_RETRY_MS);
	}
}

async function stepOf(deps: StepDeps, task: Task, context: StepContext): Promise<StepResult> {
	const isUnsent = task.state === "created" || task.state === "reserved";
	if (task.cancel && isUnsent) return failed(task, messageOfCancel(task.cancel));
	switch (task.state) {
		case "created":
			return await reserve(deps, task, context);
		case "reserved":
			return beginSubmit(deps, task, context);
		case "submitting":
			return await submit(deps, task, context);
		case "submitted":
			return await poll(deps, task, context);
		case "finished":
			return await settle(deps, task, context);
		case "settled":
			return await deliver(deps, task, context);
		case "delivered":
			return await afterDelivery(deps, task, context);
		case "withdrawn":
			return { kind: "ended" };
	}
}
