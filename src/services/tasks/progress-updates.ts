/**
 * Shows the progress of tasks by editing their replies. Updates are neither stored nor awaited, and may be lost. They delay a poll
 * or a delivery for a moment at most, and continue with the next poll after a restart.
 *
 * A progress edit must not replace a result that was delivered meanwhile. So `end` waits for the running edit. If the edit's
 * outcome stays unknown, or another process may have one running, `end` reports that, and the delivery is verified later.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { renderProgress, troubleShownAtMs, type Progress } from "./render-progress.ts";
import { ReplyClientUnavailableError, type ProgressUpdate, type ReplyClient } from "../delivery/reply-client.ts";
import { isPending, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** A faster task needs no progress. */
const FIRST_AFTER_MS = 3_000;
/**
 * Discord allows about five edits in two seconds, and thirty a minute in a channel. This leaves room for other replies.
 */
const EDIT_EVERY_MS = 5_000;
/** Time between two edits of this process, whatever the task, so that deliveries are never delayed. */
const EDIT_SPACING_MS = 100;
/** Without new progress, the task is loaded again after this time, to see that it is still open. */
const RECHECK_MS = 60_000;
/** Beyond this number, further tasks show no progress. Otherwise all tasks would show it rarely. */
const FOLLOWED_MAX = 2_000;
/** Updates end this long before the token expires: later, the reply shows the delay notice. */
const BEFORE_EXPIRY_MS = 90_000;
/** A loaded task that is older than this is not rendered. */
const STALE_AFTER_MS = 2_000;
/** The longest time that a delivery waits for a running edit. */
const END_WAIT_MS_MAX = 1_000;
/** An edit without a response arrives within this time or never. */
export const UPDATES_ARRIVE_WITHIN_MS = 20_000;
/** The clocks of two processes differ by less. */
const CLOCK_SKEW_MS_MAX = 1_000;
/** A change of the estimate is shown if it exceeds this share of the remaining time, and the minimum below. */
const ESTIMATE_CHANGE_SHARE = 1 / 4;
const ESTIMATE_CHANGE_MS_MIN = 5_000;

export interface ProgressUpdates {
	/** Shows a task's progress, and every change of it. */
	follow(task: Task, known: Progress | undefined): void;
	/** Stops the updates of a task. Resolves within about a second, to true if an edit may still arrive. */
	end(task: Task): Promise<boolean>;
	forget(taskId: string): void;
	stop(): void;
}

interface ProgressDeps {
	readonly tasks: Pick<TaskStore, "load">;
	readonly replyClient: Pick<ReplyClient, "updateProgress">;
	readonly clock: Clock;
	readonly logger: Logger;
	/** True if other processes may update the same replies. */
	readonly isStoreShared: boolean;
}

interface Followed {
	readonly taskId: string;
	known: Progress | undefined;
	dueAtMs: number;
	/** The time of the next allowed edit. */
	notBeforeMs: number;
	/** The content of the last update, to skip equal ones. */
	shownVersion: string;
	/** An edit without a response may arrive until this time; 0 if there is none. */
	mayArriveUntilMs: number;
	runningUpdate: Promise<void> | undefined;
	hasEnded: boolean;
}

export function createProgressUpdates(deps: ProgressDeps): ProgressUpdates {
	const { tasks, replyClient, clock, logger, isStoreShared } = deps;
	const startedAtMs = clock.nowMs();
	const stopping = new AbortController();
	const followed = new Map<string, Followed>();
	let isLoopRunning = false;
	let sleepsUntilMs = Number.POSITIVE_INFINITY;
	let loopSleep = new AbortController();

	async function updateReply(entry: Followed): Promise<void> {
		const askedAtMs = clock.nowMs();
		entry.dueAtMs = askedAtMs + RECHECK_MS;
		const loaded = await tasks.load(entry.taskId);
		const nowMs = clock.nowMs();
		if (!loaded || !isShownProgress(loaded.task, nowMs)) return void followed.delete(entry.taskId);
		if (entry.hasEnded || nowMs - askedAtMs > STALE_AFTER_MS) return;
		const update = renderProgress(loaded.task, entry.known, nowMs);
		if (!update || versionOf(update) === entry.shownVersion) return;
		entry.notBeforeMs = nowMs + EDIT_EVERY_MS;
		entry.mayArriveUntilMs = nowMs + UPDATES_ARRIVE_WITHIN_MS;
		const isAccepted = await replyClient.updateProgress(loaded.task.reply, update, stopping.signal);
		entry.mayArriveUntilMs = 0;
		// A reply that is gone or rejects the edit will not accept a later one.
		if (!isAccepted) entry.hasEnded = true;
		entry.shownVersion = versionOf(update);
		const readyAtMs = entry.known?.readyAtMs ?? Number.POSITIVE_INFINITY;
		if (readyAtMs > nowMs) entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(readyAtMs, entry.notBeforeMs));
	}

	async function updateReplySafely(entry: Followed): Promise<void> {
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

	function startUpdate(entry: Followed): void {
		entry.runningUpdate = updateReplySafely(entry).finally(() => {
			entry.runningUpdate = undefined;
			wakeLoopBy(entry.dueAtMs);
		});
	}

	function nextDue(): Followed | undefined {
		let next: Followed | undefined;
		for (const entry of followed.values()) {
			if (!entry.runningUpdate && entry.dueAtMs < (next?.dueAtMs ?? Number.POSITIVE_INFINITY)) next = entry;
		}
		return next;
	}

	/** Updates one task after the other, as they come due, until none is left. */
	async function runUpdates(): Promise<void> {
		for (let next = nextDue(); next && !stopping.signal.aborted; next = nextDue()) {
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

	/** Starts the loop if it is not running. */
	function startLoop(): void {
		if (stopping.signal.aborted || isLoopRunning || !nextDue()) return;
		isLoopRunning = true;
		void runUpdates().finally(() => {
			isLoopRunning = false;
			startLoop();
		});
	}

	/** Wakes the loop earlier. Called for each poll, so it has to be cheap. */
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
		follow(task, known) {
			const nowMs = clock.nowMs();
			if (!isShownProgress(task, nowMs)) return;
			const before = followed.get(task.id);
			if (before?.hasEnded || (!before && followed.size >= FOLLOWED_MAX)) return;
			const entry = before ?? newEntry(task);
			entry.known = withSteadyEstimate(known, entry.known, nowMs) ?? entry.known;
			if (!before) followed.set(task.id, entry);
			else if (versionOf(renderProgress(task, entry.known, nowMs)) !== entry.shownVersion) {
				entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(nowMs, entry.notBeforeMs));
			}
			const troubleAtMs = troubleShownAtMs(task);
			if (troubleAtMs > nowMs) entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(troubleAtMs, entry.notBeforeMs));
			wakeLoopBy(entry.dueAtMs);
		},
		async end(task) {
			const entry = followed.get(task.id);
			if (entry) {
				entry.hasEnded = true;
				entry.dueAtMs = clock.nowMs() + RECHECK_MS;
				if (entry.runningUpdate) {
					const timer = new AbortController();
					await Promise.race([entry.runningUpdate, clock.sleep(END_WAIT_MS_MAX, timer.signal).catch(() => {})]);
					timer.abort();
				}
			}
			const nowMs = clock.nowMs();
			return (entry !== undefined && nowMs < entry.mayArriveUntilMs) || mayOthersBeUpdating(task, nowMs);
		},
		forget: (taskId) => void followed.delete(taskId),
		stop: () => stopping.abort(new Error("stopping")),
	};
}

function newEntry({ id, createdAtMs }: Task): Followed {
	const firstAtMs = createdAtMs + FIRST_AFTER_MS;
	const nothing = {
		known: undefined,
		shownVersion: "",
		mayArriveUntilMs: 0,
		runningUpdate: undefined,
		hasEnded: false,
	};
	return { taskId: id, dueAtMs: firstAtMs, notBeforeMs: firstAtMs, ...nothing };
}

function versionOf(update: ProgressUpdate | undefined): string {
	return JSON.stringify([update?.text, update?.buttons]);
}

function isShownProgress(task: Task, nowMs: number): boolean {
	return isPending(task) && nowMs < task.reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
}

/** Keeps the previous estimate if the new one is almost equal. */
function withSteadyEstimate(
	known: Progress | undefined,
	before: Progress | undefined,
	nowMs: number,
): Progress | undefined {
	const previousMs = before?.readyAtMs ?? null;
	if (!known || known.readyAtMs === null || previousMs === null || previousMs < nowMs) return known;
	const isDifferent =
		Math.abs(known.readyAtMs - previousMs) >
		Math.max(ESTIMATE_CHANGE_MS_MIN, (previousMs - nowMs) * ESTIMATE_CHANGE_SHARE);
	return isDifferent ? known : { ...known, readyAtMs: previousMs };
}
