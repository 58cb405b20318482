import type { Clock } from "../../clock.ts";
import type { OpenRemoteTask, RemoteTask } from "../generation/media-api.ts";
import type { MediaType } from "../generation/model.ts";
import type { Order } from "../generation/order.ts";
import type { Estimate, Prior } from "./fit-run-times.ts";
import { BUDGET_SAMPLE, lookBudget, type Demand, type LookBudget } from "./look-budget.ts";
import { msAt } from "./log-normal.ts";
import { demandOf, remainingMs, waitMs, type LookPrice } from "./poll-schedule.ts";
import type { RunTimes } from "./run-times.ts";
import type { TaskIn } from "./task.ts";

type SubmittedTask = TaskIn<"submitted">;

interface NextLook {
	readonly untilMs: number;
	/** Since when it is being made, where that is news worth keeping: the clock of its run time starts there. */
	readonly runningSinceMs?: number;
}

/**
 * Tells when to look at each submitted task, and learns from how each ended. What it remembers of a task is small, may be
 * lost at any time, and is then taken up again from what the task itself has stored.
 */
export interface Polling {
	/** When a task may be looked at that its queue says is due: later than now only where nothing can be known of it yet. */
	notBeforeMs(task: SubmittedTask): number;
	/** After a look that found it open. */
	afterOpen(task: SubmittedTask, remote: OpenRemoteTask): NextLook;
	/** When a task that was taken up should be ready: as it was foretold, or as such things take; `null` when that is over. */
	readyAtMs(task: SubmittedTask): number | null;
	/** After a look that found its end: the first time, it is learned from. */
	afterEnd(task: SubmittedTask, remote: Exclude<RemoteTask, OpenRemoteTask>): void;
	/** When a task has ended otherwise; harmless for one that is not known. */
	forget(taskId: string): void;
}

interface PollingDeps {
	readonly runTimes: RunTimes;
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
	/** What the service is asked at most, by all processes together. */
	readonly looksPerSecond: number;
	/**
	 * This process's part of the budget, from above 0 to 1: its part of the shards, because each process looks after the tasks
	 * that came through its own. A share that somebody counts at run time may stand here as well.
	 */
	readonly budgetShare: () => number;
	/** Whether other processes look at the same tasks, so that one may go on or end elsewhere. */
	readonly isQueueShared: boolean;
	/** No service is asked about one task more often. */
	readonly floorMs: number;
	/** The waiting that one look is worth with nobody else waiting. */
	readonly kappaMsMin?: number;
}

/** A look more for a quarter of a second less: an image of eight seconds is then looked at three or four times. */
const KAPPA_MS_MIN = 250;
const BUDGET_EVERY_MS = 3_000;
/** Where the catalogue says nothing. */
const TYPICAL_SECONDS: Readonly<Record<MediaType, number>> = { image: 10, music: 45, video: 90 };
/** The catalogue's typical time is off by less than a factor of e, usually. */
const TYPICAL_LOG_SD = 1;
const QUEUE_PRIOR: Prior = { medianMs: 5_000, medianLogSd: 1.5 };
/** The start of the making is worth a write where it tells something else than the submit. */
const START_WORTH_KEEPING_MS = 1_000;
/** A look this much before its time was no look of this schedule: somebody said that the task has ended. */
const EARLY_MS = 250;
/** A look that a hint has put right behind the end: how much of the time since the last one may lie between. */
const HINTED_SHARE = 1 / 4;
const DURATION_STEP_SECONDS = 5;
/** A look that has not come by so much later came to another process, if the queue is shared; otherwise it is only late. */
const OURS_FOR_MS = 60_000;
const OURS_ALONE_FOR_MS = 60 * 60_000;
/** So many are gone through with each budget, for those that ended elsewhere. */
const SWEPT_AT_ONCE = 2_048;
/** What a process finds right after its start was left by the one before it. */
const START_MS = 60_000;
/** A first look that comes this much of its wait too early is not worth another wait. */
const FIRST_LOOK_SLACK = 1 / 4;
/** A makings' clock that differs from ours by no more is believed. */
const SKEW_MS_MAX = 2_000;
/** Before this quantile of the run time, 2 %, nothing that waits now can be done. */
const SOONEST_Z = -2;

/** What is remembered of a task: a few numbers, because there may be a hundred thousand of them. */
interface Pending {
	readonly taskId: string;
	readonly kind: string;
	readonly typicalMs: number;
	readonly submittedAtMs: number;
	/** Where it stands among those to draw from. */
	place: number;
	/** When it was last known to be open. */
	openAtMs: number;
	/** Where the schedule has put the next look. */
	plannedAtMs: number;
	/** Last seen waiting for its turn. */
	queuedAtMs: number | undefined;
	/** The making began between these. */
	begun: { readonly fromMs: number; readonly toMs: number } | undefined;
	foretoldMs: number | undefined;
	wasMisled: boolean;
}

export function createPolling(deps: PollingDeps): Polling {
	const { runTimes, clock, random, floorMs, kappaMsMin = KAPPA_MS_MIN } = deps;
	const pending = new Map<string, Pending>();
	// The same ones, to draw a sample from.
	const drawn: Pending[] = [];
	let budget: LookBudget = { kappaMs: kappaMsMin, shareMs: 0 };
	let budgetAtMs = Number.NEGATIVE_INFINITY;
	let nextFoundAtMs = 0;
	let sweptTo = 0;
	const startedAtMs = clock.nowMs();

	const oursForMs = deps.isQueueShared ? OURS_FOR_MS : OURS_ALONE_FOR_MS;
	const isOurs = ({ plannedAtMs }: Pending, nowMs: number): boolean => nowMs < plannedAtMs + oursForMs;
	const looksPerSecond = (): number => deps.looksPerSecond * deps.budgetShare();

	function remember(task: SubmittedTask): Pending {
		const { submittedAtMs, runningSinceMs } = task;
		const known = pending.get(task.id);
		if (known) return known;
		const begun = runningSinceMs === undefined ? undefined : { fromMs: runningSinceMs, toMs: runningSinceMs };
		const entry: Pending = {
			taskId: task.id,
			kind: kindOf(task.order),
			typicalMs: 1000 * (task.order.typicalSeconds ?? TYPICAL_SECONDS[task.order.mediaType]),
			submittedAtMs,
			place: drawn.length,
			openAtMs: runningSinceMs ?? submittedAtMs,
			plannedAtMs: clock.nowMs(),
			queuedAtMs: undefined,
			begun,
			foretoldMs: undefined,
			wasMisled: false,
		};
		pending.set(task.id, entry);
		drawn.push(entry);
		return entry;
	}

	function forget(taskId: string): Pending | undefined {
		const entry = pending.get(taskId);
		const last = drawn.at(-1);
		if (!entry || !last) return undefined;
		pending.delete(taskId);
		drawn[entry.place] = last;
		last.place = entry.place;
		drawn.pop();
		return entry;
	}

	function priorOf({ typicalMs }: Pending): Prior {
		return { medianMs: typicalMs, medianLogSd: TYPICAL_LOG_SD };
	}

	/** The learned times of the span that a task is in, and how long it has been in it. */
	function clockOf(entry: Pending, nowMs: number): { readonly times: Estimate; readonly elapsedMs: number } {
		const { kind, begun, queuedAtMs, submittedAtMs } = entry;
		if (begun) {
			const elapsedMs = Math.max(0, nowMs - (begun.fromMs + begun.toMs) / 2);
			return { times: runTimes.estimate(kind, "running", priorOf(entry)), elapsedMs };
		}
		const elapsedMs = Math.max(0, nowMs - submittedAtMs);
		if (queuedAtMs !== undefined) return { times: runTimes.estimate(kind, "queued", QUEUE_PRIOR), elapsedMs };
		return { times: runTimes.estimate(kind, "whole", priorOf(entry)), elapsedMs };
	}

	function price(nowMs: number): LookPrice {
		if (nowMs - budgetAtMs >= BUDGET_EVERY_MS || nowMs < budgetAtMs) {
			budgetAtMs = nowMs;
			sweep(nowMs);
			const { demands, ours } = sample(nowMs);
			budget = lookBudget(demands, drawn.length * ours, looksPerSecond(), kappaMsMin);
		}
		return { ...budget, floorMs };
	}

	/** Forgets what others have ended: each task has one look coming, planned by the process that had the last one. */
	function sweep(nowMs: number): void {
		for (let n = 0; n < SWEPT_AT_ONCE && drawn.length > 0; n++) {
			sweptTo = sweptTo > 0 ? Math.min(sweptTo, drawn.length) - 1 : drawn.length - 1;
			const entry = drawn[sweptTo];
			if (entry && !isOurs(entry, nowMs)) forget(entry.taskId);
			if (sweptTo === 0) return;
		}
	}

	/** Evenly from all places, beginning anywhere: places are left and taken in no order that matters. */
	function sample(nowMs: number): { readonly demands: readonly Demand[]; readonly ours: number } {
		const count = Math.min(BUDGET_SAMPLE, drawn.length);
		const step = drawn.length / Math.max(1, count);
		const first = random() * step;
		const demands: Demand[] = [];
		for (let n = 0; n < count; n++) {
			const entry = drawn[Math.floor(first + n * step)];
			if (!entry || !isOurs(entry, nowMs)) continue;
			const { times, elapsedMs } = clockOf(entry, nowMs);
			demands.push(demandOf(times, elapsedMs));
		}
		return { demands, ours: demands.length / Math.max(1, count) };
	}

	/** A process that starts finds many that are overdue at once: each gets its turn, with half of the budget for them. */
	function nextTurnMs(nowMs: number): number {
		const apartMs = 2000 / looksPerSecond();
		// A clock that was set back must not put them all off.
		const turnMs = Math.max(nowMs, Math.min(nextFoundAtMs, nowMs + drawn.length * apartMs));
		nextFoundAtMs = turnMs + apartMs;
		return turnMs;
	}

	/** Notes whether it waits or is being made. Resolves to the start of the making where that is news. */
	function notePhase(entry: Pending, remote: OpenRemoteTask, nowMs: number): number | undefined {
		if (remote.phase === "queued") {
			// Also again, after an attempt of the service's failed: the clock of its run starts anew.
			entry.begun = undefined;
			entry.queuedAtMs = nowMs;
			return undefined;
		}
		if (remote.phase !== "running" || entry.begun) return undefined;
		const { submittedAtMs, queuedAtMs, kind } = entry;
		const earliestMs = queuedAtMs ?? submittedAtMs;
		const told = within(remote.startedAtMs, earliestMs, nowMs);
		if (told === undefined && queuedAtMs === undefined) {
			runTimes.record(kind, "queued", { lowerMs: 0, upperMs: nowMs - submittedAtMs });
			return undefined;
		}
		entry.begun = told === undefined ? { fromMs: earliestMs, toMs: nowMs } : { fromMs: told, toMs: told };
		const { fromMs, toMs } = entry.begun;
		runTimes.record(kind, "queued", { lowerMs: fromMs - submittedAtMs, upperMs: toMs - submittedAtMs });
		const sinceMs = Math.round((fromMs + toMs) / 2);
		return sinceMs - submittedAtMs >= START_WORTH_KEEPING_MS ? sinceMs : undefined;
	}

	function learn(entry: Pending, remote: Exclude<RemoteTask, OpenRemoteTask>, nowMs: number): void {
		const { kind, submittedAtMs, begun } = entry;
		if (remote.state === "failed") {
			// It says only that making it would have taken longer.
			if (entry.openAtMs <= submittedAtMs) return;
			runTimes.record(kind, "whole", { lowerMs: entry.openAtMs - submittedAtMs, upperMs: null });
			if (begun) {
				runTimes.record(kind, "running", { lowerMs: Math.max(0, entry.openAtMs - begun.toMs), upperMs: null });
			}
			return;
		}
		const told = within(remote.finishedAtMs, entry.openAtMs, nowMs);
		const openAtMs = told ?? latestOpenAtMs(entry, nowMs);
		const endedAtMs = told ?? nowMs;
		runTimes.record(kind, "whole", { lowerMs: openAtMs - submittedAtMs, upperMs: endedAtMs - submittedAtMs });
		if (remote.startedAtMs !== null && remote.finishedAtMs !== null && remote.finishedAtMs >= remote.startedAtMs) {
			// Both by the service's clock, so that it does not matter whether that is right.
			const runMs = remote.finishedAtMs - remote.startedAtMs;
			runTimes.record(kind, "running", { lowerMs: runMs, upperMs: runMs });
		} else if (begun) {
			const lowerMs = Math.max(0, openAtMs - begun.toMs);
			runTimes.record(kind, "running", { lowerMs, upperMs: endedAtMs - begun.fromMs });
		}
	}

	return {
		notBeforeMs(task) {
			const nowMs = clock.nowMs();
			// The queue says that it is due, or somebody has woken it: both have their reason.
			if (pending.has(task.id)) return nowMs;
			const entry = remember(task);
			const own = { times: clockOf(entry, task.submittedAtMs).times, elapsedMs: 0, hints: NO_HINTS };
			const firstMs = waitMs({ ...own, wasMisled: false, atLeastMs: 0 }, price(nowMs), random());
			const firstAtMs = task.submittedAtMs + Math.round(firstMs);
			const isEarly = firstAtMs - nowMs > firstMs * FIRST_LOOK_SLACK;
			const isLeftOver = nowMs < startedAtMs + START_MS || nowMs < nextFoundAtMs;
			if (isEarly) entry.plannedAtMs = firstAtMs;
			else entry.plannedAtMs = isLeftOver ? nextTurnMs(nowMs) : nowMs;
			return entry.plannedAtMs;
		},
		afterOpen(task, remote) {
			const nowMs = clock.nowMs();
			const entry = remember(task);
			const runningSinceMs = notePhase(entry, remote, nowMs);
			const isQueued = entry.queuedAtMs !== undefined && !entry.begun;
			entry.openAtMs = nowMs;
			if (entry.foretoldMs !== undefined && nowMs > entry.foretoldMs) entry.wasMisled = true;
			const { times, elapsedMs } = clockOf(entry, nowMs);
			const atLeastMs = isQueued ? msAt(runTimes.estimate(entry.kind, "running", priorOf(entry)), SOONEST_Z) : 0;
			const open = { times, elapsedMs, hints: remote, wasMisled: entry.wasMisled, atLeastMs };
			const dueAtMs = nowMs + Math.round(waitMs(open, price(nowMs), random()));
			const untilMs = beforeDeadline(task, dueAtMs, nowMs);
			const leftMs = remainingMs(remote, elapsedMs);
			entry.foretoldMs = leftMs === null ? undefined : nowMs + leftMs;
			entry.plannedAtMs = untilMs;
			const isNews = runningSinceMs !== undefined && task.runningSinceMs === undefined;
			return isNews ? { untilMs, runningSinceMs } : { untilMs };
		},
		readyAtMs(task) {
			const nowMs = clock.nowMs();
			const entry = pending.get(task.id);
			if (!entry) return null;
			const { foretoldMs, wasMisled, queuedAtMs, begun } = entry;
			if (foretoldMs !== undefined && !wasMisled) return foretoldMs > nowMs ? foretoldMs : null;
			const { times, elapsedMs } = clockOf(entry, nowMs);
			const isQueued = queuedAtMs !== undefined && !begun;
			const runMs = isQueued ? msAt(runTimes.estimate(entry.kind, "running", priorOf(entry)), 0) : 0;
			const leftMs = msAt(times, 0) - elapsedMs;
			return leftMs > 0 ? nowMs + leftMs + runMs : null;
		},
		afterEnd(task, remote) {
			// What this process has not followed to its end, or has learned from before, teaches nothing.
			const nowMs = clock.nowMs();
			const entry = forget(task.id);
			if (entry && isOurs(entry, nowMs)) learn(entry, remote, nowMs);
		},
		forget: (taskId) => void forget(taskId),
	};
}

const NO_HINTS = { progressPercent: null, estimatedSeconds: null, lookAgainAfterMs: null };

/**
 * Until when a task was open that has ended. Where a callback or a hint has chosen the time of the look, its end lies right
 * before it: to take the whole time since the last look as equally open would teach that tasks end sooner than they do.
 */
function latestOpenAtMs({ openAtMs, plannedAtMs, foretoldMs, wasMisled }: Pending, nowMs: number): number {
	if (nowMs < plannedAtMs - EARLY_MS) return nowMs;
	if (foretoldMs !== undefined && !wasMisled) return nowMs - (nowMs - openAtMs) * HINTED_SHARE;
	return openAtMs;
}

/** A task is given up by the look after its deadline. */
function beforeDeadline({ deadlineAtMs }: SubmittedTask, dueAtMs: number, nowMs: number): number {
	return deadlineAtMs >= nowMs ? Math.min(dueAtMs, deadlineAtMs + 1) : dueAtMs;
}

/** A time by the service's clock, where that clock can be ours. */
function within(atMs: number | null, fromMs: number, toMs: number): number | undefined {
	if (atMs === null || atMs < fromMs - SKEW_MS_MAX || atMs > toMs + SKEW_MS_MAX) return undefined;
	return Math.min(toMs, Math.max(fromMs, atMs));
}

/** Makings that take alike long: of one model, in one size. */
function kindOf({ model, options }: Order): string {
	const seconds = Number(options["duration"] ?? 0);
	const steps = Number.isFinite(seconds) ? Math.ceil(seconds / DURATION_STEP_SECONDS) * DURATION_STEP_SECONDS : 0;
	return [model, String(options["resolution"] ?? ""), steps > 0 ? `${steps}s` : ""].join("|");
}
