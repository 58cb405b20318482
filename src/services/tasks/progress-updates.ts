/**
 * Shows the progress of tasks by editing their replies. Updates are neither stored nor awaited, and may be lost. A running edit
 * delays the delivery by a second at most. After a restart, updates continue with the next run of a task.
 *
 * A progress edit must not replace a result that was delivered meanwhile. So `end` waits for the running edit. If the edit's
 * outcome stays unknown, or if another process may be editing the reply, `end` resolves to true, and the delivery is verified later.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { nextEstimateChangeAtMs, nextNoticeAtMs, renderProgress, type Progress } from "./render-progress.ts";
import { ReplyClientUnavailableError, type ProgressUpdate, type ReplyClient } from "../delivery/reply-client.ts";
import { isPending, type Task } from "./task.ts";
import { NO_FAILED_ATTEMPTS, type FailedAttempts } from "./failed-attempts.ts";
import type { TaskStore } from "./task-store.ts";

/** A faster task needs no progress. */
const FIRST_AFTER_MS = 3_000;
/** The time between two edits of a reply. Discord allows thirty edits a minute in a channel: this leaves room for other replies. */
const EDIT_EVERY_MS = 5_000;
/** The time between two edits of this process, of any reply, so that deliveries are not delayed. */
const EDIT_SPACING_MS = 100;
/** Without new progress, the task is loaded again after this time, to check that it is still open. */
const RECHECK_MS = 60_000;
/** The edits of this process share one rate: with more tasks than this, each would show its progress rarely. Tasks beyond it show none. */
const FOLLOWED_MAX = 2_000;
/** With less time before the token expires, a task is followed beyond that bound: its reply has to say that the result comes later. */
const FOLLOWED_BEFORE_EXPIRY_MS = 3 * 60_000;
/** Updates end this long before the token expires. */
const BEFORE_EXPIRY_MS = 30_000;
/** A task that takes longer than this to load is not shown: another process may have delivered it since it was read. */
const LOAD_MS_MAX = 2_000;
/** The longest time that a delivery waits for a running edit. */
const END_WAIT_MS_MAX = 1_000;
/** An edit without a response arrives within this time or never. */
export const UPDATES_ARRIVE_WITHIN_MS = 20_000;
/** The clocks of two processes are assumed to differ by less than this. */
const CLOCK_SKEW_MS_MAX = 1_000;
/** A run that is later than this was taken by another process of the cluster, which then shows the progress. */
const RUN_LATE_MS_MAX = 10_000;
/** A change of the estimate is shown if it exceeds this share of the remaining time, and the minimum below. */
const ESTIMATE_CHANGE_SHARE = 1 / 4;
const ESTIMATE_CHANGE_MS_MIN = 5_000;

export type ProgressUpdates = ReturnType<typeof createProgressUpdates>;

interface ProgressDeps {
	readonly taskStore: Pick<TaskStore, "load">;
	readonly replyClient: Pick<ReplyClient, "updateProgress">;
	readonly clock: Clock;
	readonly logger: Logger;
	/** True if other processes may update the same replies. */
	readonly isStoreShared: boolean;
}

/** A task whose progress is shown. */
interface FollowedTask {
	readonly taskId: string;
	/** The progress after the last poll; `undefined` before it. */
	progress: Progress | undefined;
	failures: FailedAttempts;
	/** The time of the next update. */
	dueAtMs: number;
	/** The earliest time of the next edit. */
	notBeforeMs: number;
	/** The content of the last update, by `versionOf`. An update with equal content is not sent. */
	shownVersion: string;
	/** The time whose state the reply shows; 0 before the first update. */
	shownAtMs: number;
	/**
	 * The time from which the reply lacks a notice; infinity if it lacks none. A notice tells the member of a problem or of a result that
	 * comes later. Overdue notices go before other updates.
	 */
	noticeAtMs: number;
	/** An edit without a response may arrive until this time; 0 if there is none. */
	mayArriveUntilMs: number;
	runningUpdate: Promise<void> | undefined;
	/** The time of the next run in this process; infinity during a run. */
	nextRunAtMs: number;
	/** True once no further edit may be sent: the task is being delivered, or the reply is gone or rejects edits. */
	isClosed: boolean;
}

export function createProgressUpdates(deps: ProgressDeps) {
	const { taskStore, replyClient, clock, logger, isStoreShared } = deps;
	const startedAtMs = clock.nowMs();
	const stopping = new AbortController();
	const followed = new Map<string, FollowedTask>();
	let isLoopRunning = false;
	/** The time until which the loop sleeps; infinity while it does not sleep. */
	let sleepsUntilMs = Number.POSITIVE_INFINITY;
	let loopSleep = new AbortController();

	async function updateReply(entry: FollowedTask): Promise<void> {
		const loadStartedAtMs = clock.nowMs();
		if (isStoreShared && loadStartedAtMs > entry.nextRunAtMs + RUN_LATE_MS_MAX) {
			followed.delete(entry.taskId);
			return;
		}
		entry.dueAtMs = loadStartedAtMs + RECHECK_MS;
		const loaded = await taskStore.load(entry.taskId);
		const nowMs = clock.nowMs();
		if (!loaded || !mayShowProgress(loaded.task, nowMs)) {
			followed.delete(entry.taskId);
			return;
		}
		if (entry.isClosed) return;
		if (nowMs - loadStartedAtMs > LOAD_MS_MAX) {
			entry.notBeforeMs = nowMs + EDIT_EVERY_MS;
			return updateBy(entry, entry.noticeAtMs);
		}
		const update = renderProgress(loaded.task, entry.progress, entry.failures, nowMs);
		if (update && versionOf(update) !== entry.shownVersion) {
			entry.notBeforeMs = nowMs + EDIT_EVERY_MS;
			entry.mayArriveUntilMs = nowMs + UPDATES_ARRIVE_WITHIN_MS;
			const result = await replyClient.updateProgress(loaded.task.reply, update, stopping.signal);
			entry.mayArriveUntilMs = 0;
			if (result === "postponed") return updateBy(entry, nowMs);
			// A reply that is gone or rejects the edit will not accept a later one.
			if (result === "rejected") entry.isClosed = true;
			entry.shownVersion = versionOf(update);
		}
		entry.shownAtMs = nowMs;
		planNotice(entry, loaded.task);
		updateBy(entry, nextEstimateChangeAtMs(loaded.task, entry.progress, nowMs));
	}

	async function updateReplySafely(entry: FollowedTask): Promise<void> {
		try {
			await updateReply(entry);
		} catch (error) {
			if (stopping.signal.aborted) return;
			const retryAfterMs = (error instanceof ReplyClientUnavailableError ? error.retryAfterMs : undefined) ?? 0;
			entry.notBeforeMs = clock.nowMs() + Math.max(2 * EDIT_EVERY_MS, retryAfterMs);
			entry.dueAtMs = entry.notBeforeMs;
			logger.debug({ taskId: entry.taskId, err: error }, "progress update failed");
		}
	}

	function startUpdate(entry: FollowedTask): void {
		entry.runningUpdate = updateReplySafely(entry).finally(() => {
			entry.runningUpdate = undefined;
			wakeLoopBy(entry.dueAtMs);
		});
	}

	function nextToUpdate(): FollowedTask | undefined {
		const nowMs = clock.nowMs();
		let next: FollowedTask | undefined;
		let nextRankMs = Number.POSITIVE_INFINITY;
		for (const entry of followed.values()) {
			const rankMs = Math.max(entry.noticeAtMs, entry.dueAtMs) <= nowMs ? 0 : entry.dueAtMs;
			if (entry.runningUpdate || rankMs >= nextRankMs) continue;
			next = entry;
			nextRankMs = rankMs;
		}
		return next;
	}

	/** Updates one task after the other, as they come due, until none is left. */
	async function runUpdates(): Promise<void> {
		for (let next = nextToUpdate(); next && !stopping.signal.aborted; next = nextToUpdate()) {
			const waitMs = next.dueAtMs - clock.nowMs();
			if (waitMs > 0) {
				sleepsUntilMs = next.dueAtMs;
				loopSleep = new AbortController();
				await clock.sleep(waitMs, AbortSignal.any([loopSleep.signal, stopping.signal])).catch(() => {});
				sleepsUntilMs = Number.POSITIVE_INFINITY;
			} else {
				startUpdate(next);
				await clock.sleep(EDIT_SPACING_MS, stopping.signal).catch(() => {});
			}
		}
	}

	/** Starts the loop of updates, unless it is running or no task needs an update. */
	function startLoop(): void {
		if (stopping.signal.aborted || isLoopRunning || !nextToUpdate()) return;
		isLoopRunning = true;
		void runUpdates().finally(() => {
			isLoopRunning = false;
			startLoop();
		});
	}

	/** Makes the loop run by a time. Called for each poll, so it has to be cheap. */
	function wakeLoopBy(dueAtMs: number): void {
		if (dueAtMs < sleepsUntilMs) loopSleep.abort();
		if (!isLoopRunning) startLoop();
	}

	/** Returns whether another process may have an edit running. */
	function mayOthersBeUpdating({ createdAtMs, reply }: Task, nowMs: number): boolean {
		const updatesFromMs = createdAtMs + FIRST_AFTER_MS - CLOCK_SKEW_MS_MAX;
		const updatesUntilMs = reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS + UPDATES_ARRIVE_WITHIN_MS + CLOCK_SKEW_MS_MAX;
		if (nowMs < updatesFromMs || nowMs > updatesUntilMs) return false;
		return isStoreShared || (updatesFromMs < startedAtMs && nowMs < startedAtMs + UPDATES_ARRIVE_WITHIN_MS);
	}

	return {
		/** Shows the progress of a task from now on. Called again after each poll; `undefined` keeps the known progress. */
		follow(task: Task, progress: Progress | undefined, failures: FailedAttempts): void {
			const nowMs = clock.nowMs();
			if (!mayShowProgress(task, nowMs)) return;
			const before = followed.get(task.id);
			if (before?.isClosed) return;
			const isExpiringSoon = task.reply.tokenExpiresAtMs - nowMs < FOLLOWED_BEFORE_EXPIRY_MS;
			if (!before && followed.size >= FOLLOWED_MAX && !isExpiringSoon) return;
			const entry = before ?? newEntry(task);
			entry.progress = withSteadyEstimate(progress, entry.progress, nowMs) ?? entry.progress;
			entry.failures = failures;
			if (!before) followed.set(task.id, entry);
			else if (versionOf(renderProgress(task, entry.progress, failures, nowMs)) !== entry.shownVersion) {
				updateBy(entry, nowMs);
			}
			planNotice(entry, task);
			wakeLoopBy(entry.dueAtMs);
		},
		/** Records when a task runs next in this process; infinity for a run that has begun. */
		setNextRun(taskId: string, atMs: number): void {
			const entry = followed.get(taskId);
			if (entry) entry.nextRunAtMs = atMs;
		},
		/** Stops the updates of a task. Resolves within about a second, to true if an edit may still arrive. */
		async end(task: Task): Promise<boolean> {
			const entry = followed.get(task.id);
			if (entry) {
				entry.isClosed = true;
				// Another process may complete the task, so that `forget` is not called here: the recheck then drops the entry.
				entry.dueAtMs = clock.nowMs() + RECHECK_MS;
				if (entry.runningUpdate) await waitAtMost(clock, END_WAIT_MS_MAX, entry.runningUpdate);
			}
			const nowMs = clock.nowMs();
			const mayOwnEditArrive = entry !== undefined && nowMs < entry.mayArriveUntilMs;
			return mayOwnEditArrive || mayOthersBeUpdating(task, nowMs);
		},
		/** Drops a task that has ended. */
		forget: (taskId: string): void => void followed.delete(taskId),
		/** Stops all updates, and aborts a running edit. */
		stop: (): void => stopping.abort(new Error("stopping")),
	};
}

function newEntry({ id, createdAtMs }: Task): FollowedTask {
	const firstAtMs = createdAtMs + FIRST_AFTER_MS;
	return {
		taskId: id,
		progress: undefined,
		failures: NO_FAILED_ATTEMPTS,
		dueAtMs: firstAtMs,
		notBeforeMs: firstAtMs,
		shownVersion: "",
		shownAtMs: 0,
		noticeAtMs: Number.POSITIVE_INFINITY,
		mayArriveUntilMs: 0,
		runningUpdate: undefined,
		nextRunAtMs: Number.POSITIVE_INFINITY,
		isClosed: false,
	};
}

/** Plans the update for the first notice that the reply lacks. */
function planNotice(entry: FollowedTask, task: Task): void {
	entry.noticeAtMs = nextNoticeAtMs(task, entry.failures, entry.shownAtMs);
	updateBy(entry, entry.noticeAtMs);
}

/** Brings the next update forward to a time, or to the earliest time of an edit. */
function updateBy(entry: FollowedTask, atMs: number): void {
	entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(atMs, entry.notBeforeMs));
}

function versionOf(update: ProgressUpdate | undefined): string {
	return JSON.stringify([update?.text, update?.buttons]);
}

function mayShowProgress(task: Task, nowMs: number): boolean {
	return isPending(task) && nowMs < task.reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
}

/** Returns the progress, with the previous estimate of the end if the new one is almost equal. */
function withSteadyEstimate(
	progress: Progress | undefined,
	before: Progress | undefined,
	nowMs: number,
): Progress | undefined {
	const previousMs = before?.readyAtMs ?? null;
	if (!progress || progress.readyAtMs === null || previousMs === null || previousMs < nowMs) return progress;
	const isDifferent =
		Math.abs(progress.readyAtMs - previousMs) >
		Math.max(ESTIMATE_CHANGE_MS_MIN, (previousMs - nowMs) * ESTIMATE_CHANGE_SHARE);
	return isDifferent ? progress : { ...progress, readyAtMs: previousMs };
}
