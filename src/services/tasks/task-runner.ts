import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { Saying } from "../messages/messages.ts";
import { CorruptDocument } from "@atelier/store/keyv-store";
import { StoreUnavailable } from "@atelier/store/store-errors";
import { createFaultLog } from "@atelier/common/throttled-logger";
import { createLateNotice } from "./late-notice.ts";
import { createProgressNews } from "./progress-news.ts";
import { createOperatorAlerts } from "./operator-alerts.ts";
import type { PollQueue } from "./poll-queue.ts";
import { retryAfterMs } from "./retry-delay.ts";
import { baseOf, type Outcome, type Task } from "./task.ts";
import { RemoteIdTakenError, type LoadedTask, type TaskStore } from "./task-store.ts";
import { sweep } from "./sweeper.ts";
import { deliver } from "./steps/deliver.ts";
import { look } from "./steps/look.ts";
import { reserve } from "./steps/reserve.ts";
import { isSettledAtOnce, settle, settleAtOnce } from "./steps/settle.ts";
import { beginSubmit, submit } from "./steps/submit.ts";
import {
	abandonedOutcome,
	failed,
	sayingOfCancel,
	type FailureKind,
	type Failures,
	type StepContext,
	type StepDeps,
	type StepResult,
} from "./steps/step.ts";
import { withdraw } from "./steps/withdraw.ts";

/** A process may stand between writing `open:ID` and writing the task itself for no longer than this. */
const ORPHAN_AGE_MS = 60_000;
/** Failures in a row that nothing in a step foresaw: about half a minute of them. */
const UNEXPECTED_FAILURES_MAX = 6;
/** Beyond these, the one whose last failure is the longest ago starts counting anew. */
const COUNTED_TASKS_MAX = 20_000;
const GIVEN_UP_FROM: ReadonlySet<Task["state"]> = new Set(["created", "reserved", "submitting", "submitted"]);

/** Moves tasks on until they end: the one place where their states are written, and where their failures are caught. */
export interface TaskRunner {
	/** Looks at a task as soon as possible. */
	wake(taskId: string): void;
	/** Finds every open task and goes on from where it was. Resolves to how many there are. */
	recover(): Promise<number>;
	stop(): Promise<void>;
}

interface TaskRunnerDeps extends Omit<StepDeps, "lateNotice" | "progress" | "operatorAlerts"> {
	readonly tasks: TaskStore;
	readonly queue: PollQueue;
	readonly logger: Logger;
	/** Whether other processes may move the same tasks. */
	readonly isStoreShared: boolean;
}

export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
	const { tasks, queue, clock, random, logger } = deps;
	const stopping = new AbortController();
	const failures = new Map<string, Failures>();
	let startedAtMs: number | undefined;
	const lateNotice = createLateNotice(deps);
	const progress = createProgressNews(deps);
	const operatorAlerts = createOperatorAlerts({ clock });
	const stepDeps: StepDeps = { ...deps, lateNotice, progress, operatorAlerts };
	const storeFaults = createFaultLog({ clock, logger, message: "tasks wait for the store" });

	async function advance(taskId: string): Promise<number | undefined> {
		const taskLogger = logger.child({ taskId });
		try {
			return await run(taskId, taskLogger);
		} catch (error) {
			// The next process goes on from the same state.
			if (stopping.signal.aborted) return clock.nowMs();
			if (error instanceof StoreUnavailable) {
				// That says nothing of a task: it comes back, and everything goes on.
				storeFaults.add(error);
				return clock.nowMs() + retryAfterMs(countFailure(taskId, "away"), 0, random());
			}
			const incidentId = randomUUID().slice(0, 8);
			const count = countFailure(taskId, "unforeseen");
			taskLogger.error({ err: error, incidentId, failures: count }, "task step failed");
			if (count >= UNEXPECTED_FAILURES_MAX) await giveUp(taskId, whyOf(error, incidentId), taskLogger);
			return clock.nowMs() + retryAfterMs(count, 0, random());
		}
	}

	/** Ends what cannot go on: before it has a result a task is given up; with one it is tried for as long as it takes. */
	async function giveUp(taskId: string, why: Saying, taskLogger: Logger): Promise<void> {
		try {
			const loaded = await tasks.load(taskId);
			if (!loaded || !GIVEN_UP_FROM.has(loaded.task.state)) return;
			const outcome = outcomeWhenGivenUp(deps, loaded.task, why);
			if (await tasks.move(loaded, { ...baseOf(loaded.task), state: "finished", outcome })) failures.delete(taskId);
		} catch (error) {
			// The store that failed the step may fail this too; the next look comes all the same.
			taskLogger.error({ err: error }, "task not given up");
		}
	}

	/** Steps until there is something to wait for: resolves to when, or to `undefined` at the end. */
	async function run(taskId: string, taskLogger: Logger): Promise<number | undefined> {
		let loaded = await tasks.load(taskId);
		let justEntered = false;
		while (loaded) {
			const { task }: LoadedTask = loaded;
			const context: StepContext = {
				signal: stopping.signal,
				failures: failures.get(taskId) ?? {},
				triedSinceMs: Math.max(task.createdAtMs, startedAtMs ?? 0),
				justEntered,
				order: task.order,
				logger: taskLogger.child({ guildId: task.guildId, mediaType: task.order.mediaType }),
			};
			// It may be a while until the service has answered.
			if (task.state === "submitting") progress.follow(task, undefined);
			const result = await step(stepDeps, task, context);
			switch (result.kind) {
				case "ended":
					failures.delete(taskId);
					deps.polling.forget(taskId);
					progress.forget(taskId);
					await tasks.close(taskId);
					return undefined;
				case "wait":
					if (result.failed) countFailure(taskId, result.failed);
					else failures.delete(taskId);
					// Somebody else moved it: what it waits for may be over.
					if (result.note && !(await tasks.move(loaded, result.note))) return clock.nowMs();
					progress.follow(result.note ?? task, result.known);
					return await lateNotice.look(task, result.untilMs, context.signal, context.logger);
				case "moved": {
					failures.delete(taskId);
					const next: LoadedTask | undefined =
						(await moveAtOnce(loaded, result.task, context.logger)) ?? (await moveOn(loaded, result.task, taskLogger));
					justEntered = next !== undefined;
					// Somebody else moved it: go on from wherever it is now.
					loaded = next ?? (await tasks.load(taskId));
				}
			}
		}
		return await afterNothing(taskId);
	}

	/** What ended and what it costs, in one write. Where that does not come true, the steps one by one know what to do about it. */
	async function moveAtOnce(from: LoadedTask, next: Task, taskLogger: Logger): Promise<LoadedTask | undefined> {
		if (next.state !== "finished" || !isSettledAtOnce(next)) return undefined;
		try {
			return await tasks.moveWith(from, (place) => settleAtOnce(deps, next, place, taskLogger));
		} catch (error) {
			taskLogger.debug({ err: error }, "not settled at once");
			return undefined;
		}
	}

	/** What a step found out holds, though somebody wrote into the task meanwhile that it should be canceled. */
	async function moveOn(from: LoadedTask, next: Task, taskLogger: Logger): Promise<LoadedTask | undefined> {
		let movedTask: LoadedTask | undefined;
		try {
			movedTask = await tasks.move(from, next);
		} catch (error) {
			if (!(error instanceof RemoteIdTakenError)) throw error;
			return await refuseRemoteId(from, next, error, taskLogger);
		}
		if (movedTask) return movedTask;
		const present = await tasks.load(from.task.id);
		if (!present) return undefined;
		const { task } = present;
		if (holdsFor(task, from.task, next)) {
			return await moveOn(present, task.cancel ? { ...next, cancel: task.cancel } : next, taskLogger);
		}
		if (next.state === "submitted" && !("remoteId" in task && task.remoteId === next.remoteId)) {
			const { remoteId } = next;
			taskLogger.error({ remoteId, state: task.state }, "the service took an order after it was given up");
		}
		return undefined;
	}

	/** What comes of that id is the other task's, whose person is not to lose it: nothing is canceled, and nothing is shown. */
	async function refuseRemoteId(
		from: LoadedTask,
		next: Task,
		{ ownerId, message }: RemoteIdTakenError,
		taskLogger: Logger,
	): Promise<LoadedTask | undefined> {
		taskLogger.error({ remoteId: "remoteId" in next && next.remoteId, otherTaskId: ownerId }, message);
		const outcome: Outcome = { kind: "failed", why: { key: "serviceConfused" } };
		const refused: Task = { ...baseOf(from.task), state: "finished", outcome };
		return (await moveAtOnce(from, refused, taskLogger)) ?? (await moveOn(from, refused, taskLogger));
	}

	/** A mark without a task: somebody is about to write it, or died before. */
	async function afterNothing(taskId: string): Promise<number | undefined> {
		const sinceMs = await tasks.openSinceMs(taskId);
		if (sinceMs === undefined) return undefined;
		const orphanAtMs = sinceMs + ORPHAN_AGE_MS;
		if (clock.nowMs() < orphanAtMs) return orphanAtMs;
		await tasks.close(taskId);
		return undefined;
	}

	function countFailure(taskId: string, kind: FailureKind): number {
		const before = failures.get(taskId);
		const count = (before?.[kind] ?? 0) + 1;
		failures.delete(taskId);
		failures.set(taskId, { ...before, [kind]: count });
		// Those that went on in another process are never heard of again here.
		if (failures.size > COUNTED_TASKS_MAX) failures.delete(failures.keys().next().value ?? "");
		return count;
	}

	/** Not before there is something to look at for the first time: a shared queue has looks waiting, and Discord may not be ready. */
	function begin(): void {
		if (startedAtMs !== undefined || stopping.signal.aborted) return;
		startedAtMs = clock.nowMs();
		queue.start(advance);
	}

	return {
		wake(taskId) {
			begin();
			queue.wake(taskId);
		},
		async recover() {
			begin();
			return await sweep(deps);
		},
		async stop() {
			stopping.abort(new Error("stopping"));
			progress.stop();
			await queue.stop();
		},
	};
}

/** The service may have an order from the moment it is being sent. */
function outcomeWhenGivenUp(deps: Pick<StepDeps, "clock">, task: Task, why: Saying): Outcome {
	if (task.state === "submitting") return abandonedOutcome(deps, why, null);
	if (task.state === "submitted") return abandonedOutcome(deps, why, task.remoteId);
	return { kind: "failed", why };
}

/**
 * Whether what was found out about `from` still holds for the task as it is now: nothing but a cancel was written into it,
 * or an order whose outcome somebody thought unknown turned out to have arrived.
 */
function holdsFor(present: Task, from: Task, next: Task): boolean {
	if (present.state === "submitting" && from.state === "submitting" && next.state === "submitted") {
		return present.sinceMs === from.sinceMs;
	}
	const { cancel: presentCancel, ...presentRest } = present;
	const { cancel: fromCancel, ...fromRest } = from;
	return isDeepStrictEqual(presentRest, fromRest) && !isDeepStrictEqual(presentCancel, fromCancel);
}

function whyOf(error: unknown, incidentId: string): Saying {
	return { key: error instanceof CorruptDocument ? "booksDamaged" : "unexpected", params: { incidentId } };
}

async function step(deps: StepDeps, task: Task, context: StepContext): Promise<StepResult> {
	const isOursAlone = task.state === "created" || task.state === "reserved";
	if (task.cancel && isOursAlone) return failed(task, sayingOfCancel(task.cancel));
	switch (task.state) {
		case "created":
			return await reserve(deps, task, context);
		case "reserved":
			return beginSubmit(deps, task, context);
		case "submitting":
			return await submit(deps, task, context);
		case "submitted":
			return await look(deps, task, context);
		case "finished":
			return await settle(deps, task, context);
		case "settled":
			return await deliver(deps, task, context);
		case "delivered":
			return await withdraw(deps, task, context);
		case "withdrawn":
			return { kind: "ended" };
	}
}
