/**
 * Works on open tasks, as they come from the queue.
 *
 * The store is the truth. What is here can be thrown away and rebuilt from it; a task that the runner loses because
 * the store does not answer is brought back by the next sweep.
 */
import type { Logger } from "pino";
import { runAttempt, type AttemptDeps, type AttemptVerdict } from "./attempt.ts";
import type { Catalogue } from "./catalogue.ts";
import { createEngineHealth, type EngineHealth, type Health } from "./engine-health.ts";
import { ServiceStopping, type Engine } from "./engines/engine.ts";
import { FAULTS } from "./faults.ts";
import type { Leftovers } from "./leftovers.ts";
import type { StudioLimits } from "./limits.ts";
import { createProgress } from "./progress.ts";
import { reopening } from "./reopening.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { Settlement } from "./settlement.ts";
import type { EngineStanding } from "./studio-events.ts";
import type { EngineLine, QueuedTask, TaskQueue, Work } from "./task-queue.ts";
import type { TaskStore } from "./task-store.ts";
import {
	cancel,
	deadlineMs,
	fail,
	isEnded,
	ofRun,
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
	readonly queue: TaskQueue;
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
	/** Takes work from now on. */
	start(): void;
	/** Lines a task up for an engine. */
	enqueue(task: PendingTask): Promise<void>;
	standing(task: Task): Promise<Standing>;
	healthOf(modelId: string): Health;
	/** What this process works on at each engine, and how they are. */
	engines(): readonly EngineStanding[];
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
	/** Somebody else has changed the task: where it is worked on here it may have been canceled. */
	changedElsewhere(taskId: string): Promise<void>;
	/** Waits for what goes on beside the queue's work. */
	stop(): Promise<void>;
}

interface Lane {
	readonly engine: Engine;
	readonly health: EngineHealth;
	readonly concurrency: number;
}

/** A task that this process works on. */
interface Run {
	readonly taskId: string;
	readonly lane: Lane;
	readonly canceling: AbortController;
	progressPercent: number | null;
	enginePosition: number | null;
}

const HEALTH_ORDER = ["up", "degraded", "down"] as const satisfies readonly Health[];

/** By engine, how many tasks this process works on there at a time. */
export function linesOf(
	engines: readonly Engine[],
	limits: Pick<StudioLimits, "engineConcurrency">,
): readonly EngineLine[] {
	return engines.map(({ name, concurrency }) => ({
		engine: name,
		concurrency: concurrency ?? limits.engineConcurrency,
	}));
}

export function createRunner(deps: RunnerDeps): Runner {
	const { tasks, settlement, catalogue, limits, clock, queue } = deps;
	const lanes = new Map<string, Lane>();
	for (const engine of deps.engines) {
		const concurrency = engine.concurrency ?? limits.engineConcurrency;
		lanes.set(engine.name, { engine, health: createEngineHealth(), concurrency });
	}
	const runs = new Map<string, Run>();
	/** Ended tasks that an engine may still be at, and who asks it to let go. */
	const calledOff = new Map<string, Promise<void>>();
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

	const work: Work = async ({ taskId, engine }, stop) => {
		const lane = lanes.get(engine);
		if (!lane) throw new Error(`there is no engine ${engine}`);
		const run: Run = { taskId, lane, canceling: new AbortController(), progressPercent: null, enginePosition: null };
		runs.set(taskId, run);
		try {
			return await runOnce(run, stop, deps.logger.child({ taskId }));
		} finally {
			if (runs.get(taskId) === run) runs.delete(taskId);
		}
	};

	/**
	 * Who has a task's turn looks after it, also where somebody else died over it: his run goes on as the same attempt. A turn
	 * that came back at an engine after the task had moved on to another one is over.
	 */
	async function begin(taskId: string, engine: Engine): Promise<ProcessingTask | undefined> {
		const task = await tasks.move(taskId, start(engine.name));
		if (task) return task;
		const found = await tasks.read(taskId);
		if (found?.state !== "processing" || found.engine !== engine.name) return undefined;
		const again = await tasks.move(taskId, unlessCanceled<Task>(reopening(found, limits, clock.nowMs())));
		return again?.state === "pending" ? await tasks.move(taskId, start(engine.name)) : undefined;
	}

	async function runOnce(run: Run, stop: AbortSignal, logger: Logger): Promise<QueuedTask | undefined> {
		const { engine, health } = run.lane;
		const task = await begin(run.taskId, engine);
		if (!task) return await settleWhatIsOver(run.taskId, logger);
		logger.info({ engine: engine.name, attempt: task.attempt, model: task.order.model }, "task started");
		run.progressPercent = 0;
		const progress = createProgress({ tasks, clock, intervalMs: limits.progressIntervalMs, logger }, task, (said) => {
			Object.assign(run, said);
			deps.onProgress(task.taskId);
		});
		const verdict = await runAttempt(
			deps,
			{
				task,
				engine,
				deadlineMs: deadlineMs(task, limits),
				stop,
				cancel: run.canceling.signal,
				report: progress.report,
			},
			logger,
		);
		await progress.settled();
		judge(health, verdict);
		return await conclude(run, task, verdict, logger);
	}

	function judge(health: EngineHealth, verdict: AttemptVerdict): void {
		if (verdict.kind === "made") health.succeeded();
		else if (verdict.kind === "fault" && verdict.speaksAgainstEngine) health.failed(clock.nowMs());
	}

	async function conclude(
		{ taskId, lane }: Run,
		task: ProcessingTask,
		verdict: AttemptVerdict,
		logger: Logger,
	): Promise<QueuedTask | undefined> {
		switch (verdict.kind) {
			case "stopped":
				return { taskId, account: task.account, engine: lane.engine.name, notBeforeMs: clock.nowMs() };
			case "canceled":
				// The request was written before the engine heard of it.
				return await end(
					taskId,
					unlessCanceled<Task>(() => undefined),
					logger,
				);
			case "made":
				return await end(taskId, succeed(verdict.outputs), logger);
			case "fault": {
				// Who asks to be left alone is; another engine need not wait for that.
				const isSameEngine = laneFor({ order: task.order, attempt: task.attempt }) === lane;
				const waitMs = Math.max(
					retryDelayMs(task.attempt, limits, deps.random()),
					isSameEngine ? verdict.retryAfterMs : 0,
				);
				const notBeforeMs = clock.nowMs() + waitMs;
				const mayRetry = verdict.fault.retryable && task.attempt < limits.attemptsMax;
				if (!mayRetry || notBeforeMs >= deadlineMs(task, limits)) {
					return await end(taskId, ofRun(task, unlessCanceled(fail(verdict.fault))), logger);
				}
				const waiting = await tasks.move(taskId, ofRun(task, unlessCanceled(tryAgain(notBeforeMs))));
				if (waiting?.state !== "pending") return await settleIfEnded(taskId, logger);
				// That attempt is over at its engine too: nothing is left of it to be let go of.
				await deps.memos.remove(taskId);
				logger.info({ attempt: task.attempt, waitMs }, "task will be tried again");
				return await placeOf(waiting, logger);
			}
		}
	}

	/** Ends a task, if nobody was first, and settles its credits. */
	async function end(taskId: string, move: Move, logger: Logger): Promise<undefined> {
		await tasks.move(taskId, move);
		await settleIfEnded(taskId, logger);
	}

	async function settleIfEnded(taskId: string, logger: Logger): Promise<undefined> {
		const task = await tasks.read(taskId);
		if (task && isEnded(task)) await settlement.settle(task, logger);
	}

	/** It ended before it could be begun here. */
	async function settleWhatIsOver(taskId: string, logger: Logger): Promise<undefined> {
		const task = await tasks.read(taskId);
		if (task && isEnded(task)) await settleWithoutRun(task, logger);
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

	/** Where a task is to be lined up; one that nobody serves any more is ended instead. */
	async function placeOf(task: PendingTask, logger: Logger): Promise<QueuedTask | undefined> {
		const { taskId, account, notBeforeMs } = task;
		const lane = laneFor(task);
		if (lane) return { taskId, account, engine: lane.engine.name, notBeforeMs };
		return await end(taskId, fail(FAULTS.noEngine), logger);
	}

	function cancelHere(run: Run): void {
		run.canceling.abort(new Error("the task is to be canceled"));
	}

	return {
		start: () => queue.start(work),
		async enqueue(task) {
			const place = await placeOf(task, deps.logger.child({ taskId: task.taskId }));
			if (place) await queue.add(place);
		},
		async standing(task) {
			const run = runs.get(task.taskId);
			const choices = lanesOf(task.order.model);
			const engines = choices.map(({ engine }) => engine.name);
			const queuePosition = task.state === "pending" ? await queue.positionOf(task.taskId, engines) : null;
			const concurrency = run?.lane.concurrency ?? laneFor(task)?.concurrency ?? 1;
			// What another process works on shows what is stored of it.
			const stored = task.state === "processing" ? (task.enginePosition ?? null) : null;
			const { progressPercent = null, enginePosition = stored } = run ?? {};
			return { queuePosition, enginePosition, progressPercent, concurrency };
		},
		healthOf(modelId) {
			const found = lanesOf(modelId).map(({ health }) => health.at(clock.nowMs()));
			return HEALTH_ORDER.find((health) => found.includes(health)) ?? "down";
		},
		engines() {
			const running = [...runs.values()].map(({ lane }) => lane.engine.name);
			return [...lanes].map(([name, { health, concurrency }]) => ({
				name,
				health: health.at(clock.nowMs()),
				running: running.filter((each) => each === name).length,
				places: concurrency,
			}));
		},
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
		async changedElsewhere(taskId) {
			const run = runs.get(taskId);
			if (!run || run.canceling.signal.aborted) return;
			const task = await tasks.read(taskId);
			if (task?.cancelRequested) cancelHere(run);
		},
		async stop() {
			stopping.abort(new ServiceStopping("the studio is stopping"));
			await Promise.all(calledOff.values());
		},
	};
}
