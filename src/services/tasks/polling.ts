import type { Clock } from "@atelier/common/clock";
import type { OpenRemoteTask, RemoteTask } from "@atelier/media-protocol/remote-task";
import type { GenerationRequest } from "../generation/request.ts";
import type { DurationStats } from "./duration-stats.ts";
import { intervalMs, pollWaitMs, quantileMs, remainingMs } from "./poll-schedule.ts";
import type { TaskIn } from "./task.ts";

type SubmittedTask = TaskIn<"submitted">;

export type Polling = ReturnType<typeof createPolling>;

interface PollingDeps {
	readonly durations: DurationStats;
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
	/** This process's share of the poll budget. */
	readonly pollsPerSecond: () => number;
	/** Shortest time between two polls of one task. */
	readonly intervalMsMin: number;
}

/** One more poll of a task is worth this much lateness: a higher value means fewer polls. */
const POLL_WORTH_MS = 250;
/** A poll that is earlier than planned by more than this was triggered by a callback: the task has just ended. */
const EARLY_MS = 250;
/** The task ended between the last two polls. On average, this share of the time between them passed after its end. */
const LATE_SHARE = 1 / 2;
/** The same for a poll that was planned for a predicted end: it comes soon after the end. */
const LATE_SHARE_HINTED = 1 / 8;
/** If a planned poll is overdue by more than this, another process polls the task now. */
const OVERDUE_MS_MAX = 60_000;
const NO_HINTS = { progressPercent: null, estimatedSeconds: null, pollAgainAfterMs: null };

/** A submitted task that this process polls. */
interface PolledTask {
	/** Tasks of one kind have similar durations. */
	readonly kind: string;
	/** The duration in the catalog. */
	readonly typicalMs: number;
	readonly submittedAtMs: number;
	/** Time of the last poll that found the task in the service's queue; time of the submit if there was none. */
	lastSeenQueuedAtMs: number;
	/** Time of the last poll that found the task open; time of the submit if there was none. */
	lastSeenOpenAtMs: number;
	/** The time of the next poll. */
	plannedAtMs: number;
	/** Polls per ms that this task would need without the poll budget. */
	pollsPerMs: number;
	/** The end that the service's last hints predict. */
	predictedEndMs: number | undefined;
	/** True once a predicted end has passed. */
	isHintWrong: boolean;
}

/**
 * Decides when submitted tasks are polled, and records their durations. Keeps its state in memory: after a restart, the first polls
 * are less well timed.
 */
export function createPolling(deps: PollingDeps) {
	const { durations, clock, random, intervalMsMin } = deps;
	const polledTasks = new Map<string, PolledTask>();
	/** The sum of `pollsPerMs` of all polled tasks. */
	let totalPollsPerMs = 0;
	let nextStartSlotAtMs = 0;
	let overdueForgottenAtMs = clock.nowMs();
	const pollsPerMsBudget = (): number => deps.pollsPerSecond() / 1000;
	const isOverdue = (entry: PolledTask): boolean => clock.nowMs() > entry.plannedAtMs + OVERDUE_MS_MAX;

	function remember({ id, request, submittedAtMs }: SubmittedTask): PolledTask {
		const known = polledTasks.get(id);
		if (known) return known;
		const entry = {
			kind: kindOf(request),
			typicalMs: 1000 * request.typicalSeconds,
			submittedAtMs,
			lastSeenQueuedAtMs: submittedAtMs,
			lastSeenOpenAtMs: submittedAtMs,
			plannedAtMs: clock.nowMs(),
			pollsPerMs: 0,
			predictedEndMs: undefined,
			isHintWrong: false,
		};
		polledTasks.set(id, entry);
		return entry;
	}

	function forget(taskId: string): PolledTask | undefined {
		const entry = polledTasks.get(taskId);
		totalPollsPerMs -= entry?.pollsPerMs ?? 0;
		polledTasks.delete(taskId);
		return entry;
	}

	/**
	 * Returns the wait (ms) without hints, `waitMsMax` at most. If all open tasks together need more polls than the budget, all waits
	 * get longer by the same factor. Now and then, drops the tasks that another process polls: they need no polls of this one.
	 */
	function intervalWithinBudgetMs(entry: PolledTask, elapsedMs: number, waitMsMax: number): number {
		if (clock.nowMs() - overdueForgottenAtMs > OVERDUE_MS_MAX) {
			overdueForgottenAtMs = clock.nowMs();
			for (const [taskId, each] of polledTasks) if (each !== entry && isOverdue(each)) forget(taskId);
		}
		const recent = durations.recent(entry.kind, entry.typicalMs);
		const ownMs = Math.max(intervalMsMin, Math.min(waitMsMax, intervalMs(recent, elapsedMs, POLL_WORTH_MS)));
		totalPollsPerMs += 1 / ownMs - entry.pollsPerMs;
		entry.pollsPerMs = 1 / ownMs;
		return ownMs * Math.max(1, totalPollsPerMs / pollsPerMsBudget());
	}

	/**
	 * Returns a time for the first poll of a task that is due already, as all are when a process starts. They share the budget: the
	 * waits before second polls count all registered tasks, so that most of these polls follow the first ones.
	 */
	function takeStartSlotMs(nowMs: number): number {
		const spacingMs = 1 / pollsPerMsBudget();
		// Bounded, so that a clock that was set back does not postpone all first polls.
		const slotAtMs = Math.max(nowMs, Math.min(nextStartSlotAtMs, nowMs + polledTasks.size * spacingMs));
		nextStartSlotAtMs = slotAtMs + spacingMs;
		return slotAtMs;
	}

	/** Plans a poll, within `waitMsMax` and just after the deadline at the latest: the first poll after it abandons the task. */
	function planPoll(entry: PolledTask, { deadlineAtMs }: SubmittedTask, dueAtMs: number, waitMsMax: number): number {
		const nowMs = clock.nowMs();
		const latestAtMs = deadlineAtMs < nowMs ? Number.POSITIVE_INFINITY : deadlineAtMs + 1;
		entry.plannedAtMs = Math.min(dueAtMs, nowMs + waitMsMax, latestAtMs);
		return entry.plannedAtMs;
	}

	return {
		/**
		 * Returns the time of the poll for which a task runs: the present for a task that this process polls already. A new one is
		 * registered. Its poll is due too, because it was scheduled or woken, unless the task was submitted just now.
		 */
		pollTimeMs(task: SubmittedTask, isJustSubmitted: boolean, waitMsMax = Number.POSITIVE_INFINITY): number {
			const nowMs = clock.nowMs();
			if (polledTasks.has(task.id)) return nowMs;
			const entry = remember(task);
			const elapsedMs = isJustSubmitted ? 0 : nowMs - task.submittedAtMs;
			const ownMs = intervalWithinBudgetMs(entry, elapsedMs, waitMsMax);
			const input = { intervalMs: ownMs, runningMs: 0, hints: NO_HINTS, isHintWrong: false };
			const firstAtMs = task.submittedAtMs + Math.round(pollWaitMs(input, random()));
			const dueAtMs = isJustSubmitted && firstAtMs > nowMs ? firstAtMs : takeStartSlotMs(nowMs);
			return planPoll(entry, task, dueAtMs, waitMsMax);
		},
		/** Returns the time of the next poll, after a poll found the task open. */
		planNextPoll(task: SubmittedTask, remote: OpenRemoteTask, waitMsMax = Number.POSITIVE_INFINITY): number {
			const nowMs = clock.nowMs();
			const entry = remember(task);
			entry.lastSeenOpenAtMs = nowMs;
			if (remote.phase === "queued") entry.lastSeenQueuedAtMs = nowMs;
			entry.isHintWrong ||= nowMs > (entry.predictedEndMs ?? nowMs);
			const runningMs = nowMs - entry.lastSeenQueuedAtMs;
			const ownMs = intervalWithinBudgetMs(entry, nowMs - entry.submittedAtMs, waitMsMax);
			const input = { intervalMs: ownMs, runningMs, hints: remote, isHintWrong: entry.isHintWrong };
			const dueAtMs = nowMs + Math.round(Math.max(intervalMsMin, pollWaitMs(input, random())));
			const leftMs = remainingMs(remote, runningMs);
			entry.predictedEndMs = leftMs === null ? undefined : nowMs + leftMs;
			return planPoll(entry, task, dueAtMs, waitMsMax);
		},
		/** Returns the estimated end of a task, which may have passed; `null` if it is unknown. */
		readyAtMs(task: SubmittedTask): number | null {
			const entry = polledTasks.get(task.id);
			if (!entry) return null;
			const medianMs = quantileMs(durations.recent(entry.kind, entry.typicalMs), 0.5);
			const predictedMs = entry.isHintWrong ? undefined : entry.predictedEndMs;
			return predictedMs ?? entry.submittedAtMs + medianMs;
		},
		/** Returns the time of the last poll that found the task queued; that of its submit if there was none. */
		runningSinceMs: ({ id, submittedAtMs }: SubmittedTask): number =>
			polledTasks.get(id)?.lastSeenQueuedAtMs ?? submittedAtMs,
		/** Forgets a task that has ended, and records its duration if it succeeded. */
		recordEnd(task: SubmittedTask, remote: Exclude<RemoteTask, OpenRemoteTask>): void {
			const entry = forget(task.id);
			if (!entry || isOverdue(entry) || remote.state === "failed") return;
			durations.record(entry.kind, likelyEndMs(entry, clock.nowMs()) - entry.submittedAtMs);
		},
		/** Forgets a task that ended without a poll, such as a canceled one. */
		forget: (taskId: string): void => void forget(taskId),
	};
}

/** Estimates when a task ended, between the poll that saw it open and the one that saw its end. */
function likelyEndMs(
	{ lastSeenOpenAtMs, plannedAtMs, predictedEndMs, isHintWrong }: PolledTask,
	nowMs: number,
): number {
	if (nowMs < plannedAtMs - EARLY_MS) return nowMs;
	const isAimed = predictedEndMs !== undefined && !isHintWrong;
	return nowMs - (nowMs - lastSeenOpenAtMs) * (isAimed ? LATE_SHARE_HINTED : LATE_SHARE);
}

/** Returns the key of the statistic for a request: tasks of one model, resolution and requested length take about as long. */
function kindOf({ model, options }: GenerationRequest): string {
	return [model, String(options["resolution"] ?? ""), String(options["duration"] ?? "")].join("|");
}
