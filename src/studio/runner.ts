/**
 * Works on open tasks: one lane for each engine, so many at a time as the engine takes, and the accounts in turn.
 *
 * The store is the truth. What is here can be thrown away and rebuilt from it; a task that the runner loses because
 * the store does not answer is brought back by the next sweep.
 */
import type { Logger } from "pino";
import { runAttempt, type AttemptDeps, type AttemptVerdict } from "./attempt.ts";
import { createAttendedTasks } from "./attended-tasks.ts";
import type { Catalogue } from "./catalogue.ts";
import { createEngineHealth, type EngineHealth, type Health } from "./engine-health.ts";
import { ServiceStopping, type Engine } from "./engines/engine.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";
import { FAULTS } from "./faults.ts";
import type { Leftovers } from "./leftovers.ts";
import type { StudioLimits } from "./limits.ts";
import { createProgress } from "./progress.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { Settlement } from "./settlement.ts";
import type { TaskStore } from "./task-store.ts";
import {
	cancel,
	deadlineMs,
	fail,
	isEnded,
	start,
	succeed,
	tryAgain,
	unlessCanceled,
	type EndedTask,
	type Move,
	type PendingTask,
	type ProcessingTask,
	type Task,
} from "./task.ts";

export interface RunnerDeps extends AttemptDeps {
	readonly tasks: TaskStore;
	readonly settlement: Settlement;
	readonly leftovers: Leftovers;
	readonly catalogue: Catalogue;
	readonly engines: readonly Engine[];
	readonly limits: StudioLimits;
	readonly logger: Logger;
	readonly onProgress: (taskId: string) => void;
	/** 0 <= x < 1, to keep retries apart. */
	readonly random: () => number;
}

/** Where a task stands in this process: what the stored document cannot say. */
export interface Standing {
	/** 1 is next; `null` where it does not wait in a queue of ours. */
	readonly queuePosition: number | null;
	/** The same in the engine's own queue, as the engine last said. */
	readonly enginePosition: number | null;
	/** What the engine last said, newer than what is stored; `null` where it is not being worked on. */
	readonly progressPercent: number | null;
	/** Tasks that are worked on side by side. */
	readonly concurrency: number;
}

export interface Runner {
	enqueue(task: PendingTask): void;
	/** Whether this process looks after the task. */
	knows(taskId: string): boolean;
	openTasks(): number;
	openTasksOf(account: string): number;
	standing(taskId: string): Standing | undefined;
	healthOf(modelId: string): Health;
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
	/** Ends what waited too long. */
	expire(): void;
	stop(): Promise<void>;
}

interface Lane {
	readonly engine: Engine;
	readonly health: EngineHealth;
	readonly concurrency: number;
	readonly queue: FairQueue<Entry>;
	running: number;
}

interface Entry {
	readonly taskId: string;
	readonly account: string;
	readonly deadlineMs: number;
	readonly lane: Lane;
	/** From when it is first needed: most of those that wait are never canceled. */
	canceling: AbortController | undefined;
	progressPercent: number | null;
	enginePosition: number | null;
}

function cancelingOf(entry: Entry): AbortController {
	return (entry.canceling ??= new AbortController());
}

const HEALTH_ORDER = ["up", "degraded", "down"] as const satisfies readonly Health[];

export function createRunner(deps: RunnerDeps): Runner {
	const { tasks, settlement, catalogue, limits, clock } = deps;
	const lanes = new Map<string, Lane>();
	for (const engine of deps.engines) {
		const concurrency = engine.concurrency ?? limits.engineConcurrency;
		lanes.set(engine.name, { engine, health: createEngineHealth(), concurrency, queue: createFairQueue(), running: 0 });
	}
	const attended = createAttendedTasks<Entry>();
	const work = new Set<Promise<void>>();
	const stopping = new AbortController();

	/**
	 * The engine for the next run. One that already worked on this attempt goes on with it; otherwise the first that serves the
	 * model, another one for each attempt, and past those that are down as long as one is not.
	 */
	function laneFor(task: Pick<PendingTask, "order" | "attempt" | "engine">): Lane | undefined {
		const choices = lanesOf(task.order.model);
		const before = choices.find(({ engine }) => engine.name === task.engine);
		if (before) return before;
		const first = task.attempt % Math.max(1, choices.length);
		const inTurn = [...choices.slice(first), ...choices.slice(0, first)];
		return inTurn.find(({ health }) => health.at(clock.nowMs()) !== "down") ?? inTurn[0];
	}

	function lanesOf(modelId: string): readonly Lane[] {
		return catalogue.enginesOf(modelId).flatMap(({ name }) => lanes.get(name) ?? []);
	}

	/** The loop's only catch: a task that this process cannot move is left to the sweep. */
	function keep(entry: Pick<Entry, "taskId" | "account">, job: (logger: Logger) => Promise<void>): void {
		const logger = deps.logger.child({ taskId: entry.taskId });
		const running = job(logger)
			.catch((error: unknown) => {
				attended.remove(entry.taskId);
				logger.error({ err: error }, "task left to the next sweep");
			})
			.finally(() => work.delete(running));
		work.add(running);
	}

	function pump(lane: Lane): void {
		while (lane.running < lane.concurrency && !stopping.signal.aborted) {
			const entry = lane.queue.shift();
			if (!entry) return;
			lane.running += 1;
			keep(entry, async (logger) => {
				try {
					await runOnce(entry, logger);
				} finally {
					lane.running -= 1;
					pump(lane);
				}
			});
		}
	}

	async function runOnce(entry: Entry, logger: Logger): Promise<void> {
		const { engine, health } = entry.lane;
		const task = await tasks.move(entry.taskId, start(engine.name));
		if (!task) return await settleIfEnded(entry, logger);
		logger.info({ engine: engine.name, attempt: task.attempt, model: task.order.model }, "task started");
		entry.progressPercent = 0;
		const progress = createProgress(
			{ tasks, clock, intervalMs: limits.progressIntervalMs, logger },
			task,
			(percent) => {
				entry.progressPercent = percent;
				deps.onProgress(task.taskId);
			},
		);
		const verdict = await runAttempt(
			deps,
			{
				task,
				engine,
				deadlineMs: deadlineMs(task, limits),
				stop: stopping.signal,
				cancel: cancelingOf(entry).signal,
				report: (percent, position = 0) => {
					const enginePosition = Number.isSafeInteger(position) && position >= 1 ? position : null;
					if (enginePosition !== entry.enginePosition) {
						entry.enginePosition = enginePosition;
						deps.onProgress(task.taskId);
					}
					progress.report(percent);
				},
			},
			logger,
		);
		await progress.settled();
		judge(health, verdict);
		await conclude(entry, task, verdict, logger);
	}

	function judge(health: EngineHealth, verdict: AttemptVerdict): void {
		if (verdict.kind === "made") health.succeeded();
		else if (verdict.kind === "fault" && verdict.speaksAgainstEngine) health.failed(clock.nowMs());
	}

	async function conclude(entry: Entry, task: ProcessingTask, verdict: AttemptVerdict, logger: Logger): Promise<void> {
		switch (verdict.kind) {
			case "stopped":
				attended.remove(entry.taskId);
				return;
			case "canceled":
				// The request was written before the engine heard of it.
				return await end(
					entry,
					unlessCanceled<Task>(() => undefined),
					logger,
				);
			case "made":
				return await end(entry, succeed(verdict.outputs), logger);
			case "fault": {
				// Who asks to be left alone is; another engine need not wait for that.
				const isSameEngine = laneFor({ order: task.order, attempt: task.attempt }) === entry.lane;
				const waitMs = Math.max(
					retryDelayMs(task.attempt, limits, deps.random()),
					isSameEngine ? verdict.retryAfterMs : 0,
				);
				const notBeforeMs = clock.nowMs() + waitMs;
				const mayRetry = verdict.fault.retryable && task.attempt < limits.attemptsMax;
				if (!mayRetry || notBeforeMs >= deadlineMs(task, limits)) {
					return await end(entry, unlessCanceled(fail(verdict.fault)), logger);
				}
				const waiting = await tasks.move(task.taskId, unlessCanceled(tryAgain(notBeforeMs)));
				if (waiting?.state !== "pending") return await settleIfEnded(entry, logger);
				// That attempt is over at its engine too: nothing is left of it to be let go of.
				await deps.memos.remove(task.taskId);
				logger.info({ attempt: task.attempt, waitMs }, "task will be tried again");
				enqueue(waiting);
			}
		}
	}

	/** Ends a task, if nobody was first, and settles its credits. */
	async function end(entry: Pick<Entry, "taskId" | "account">, move: Move, logger: Logger): Promise<void> {
		await tasks.move(entry.taskId, move);
		await settleIfEnded(entry, logger);
	}

	async function settleIfEnded(entry: Pick<Entry, "taskId" | "account">, logger: Logger): Promise<void> {
		const task = await tasks.read(entry.taskId);
		if (task && isEnded(task)) await settlement.settle(task, logger);
		attended.remove(entry.taskId);
	}

	async function settleWithoutRun(task: EndedTask, logger: Logger): Promise<void> {
		const callOff = await deps.leftovers.of(task);
		if (!callOff) return await settleIfEnded(task, logger);
		// Its memo is the proof that something is left, and goes when the task is settled.
		keep(task, async () => {
			await callOff(stopping.signal);
			// What a stop cut short is begun again by the next start.
			if (!stopping.signal.aborted) await settleIfEnded(task, logger);
		});
	}

	function enqueue(task: PendingTask): void {
		const lane = laneFor(task);
		if (!lane) {
			keep(task, (logger) => end(task, fail(FAULTS.noEngine), logger));
			return;
		}
		const { taskId, account } = task;
		const entry: Entry = {
			taskId,
			account,
			lane,
			deadlineMs: deadlineMs(task, limits),
			canceling: undefined,
			progressPercent: null,
			enginePosition: null,
		};
		attended.add(entry);
		const waitMs = task.notBeforeMs - clock.nowMs();
		if (waitMs <= 0) {
			lane.queue.push(entry);
			pump(lane);
			return;
		}
		keep(entry, async () => {
			const due = await clock.sleep(waitMs, AbortSignal.any([stopping.signal, cancelingOf(entry).signal])).then(
				() => true,
				() => false,
			);
			if (!due) return;
			lane.queue.push(entry);
			pump(lane);
		});
	}

	return {
		enqueue,
		knows: (taskId) => attended.get(taskId) !== undefined,
		openTasks: () => attended.size,
		openTasksOf: (account) => attended.sizeOf(account),
		standing(taskId) {
			const entry = attended.get(taskId);
			if (!entry) return undefined;
			return {
				queuePosition: entry.lane.queue.positionOf(entry),
				progressPercent: entry.progressPercent,
				enginePosition: entry.enginePosition,
				concurrency: entry.lane.concurrency,
			};
		},
		healthOf(modelId) {
			const found = lanesOf(modelId).map(({ health }) => health.at(clock.nowMs()));
			return HEALTH_ORDER.find((health) => found.includes(health)) ?? "down";
		},
		async cancel(taskId) {
			const task = await tasks.move(taskId, cancel);
			if (!task) return;
			const logger = deps.logger.child({ taskId });
			logger.info({ state: task.state }, "task to be canceled");
			const entry = attended.get(taskId);
			if (entry) {
				entry.lane.queue.remove(entry);
				cancelingOf(entry).abort(new Error("the task is to be canceled"));
			}
			if (isEnded(task)) await settleWithoutRun(task, logger);
		},
		settleWithoutRun,
		expire() {
			const nowMs = clock.nowMs();
			for (const lane of lanes.values()) {
				const late = lane.queue.removeWhere((entry) => entry.deadlineMs <= nowMs);
				for (const entry of late) {
					keep(entry, async (logger) => {
						const task = await tasks.move(entry.taskId, fail(FAULTS.waitedTooLong));
						await (task ? settleWithoutRun(task, logger) : settleIfEnded(entry, logger));
					});
				}
			}
		},
		async stop() {
			stopping.abort(new ServiceStopping("the studio is stopping"));
			await Promise.all(work);
		},
	};
}
