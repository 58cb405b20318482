/**
 * Shows the progress of tasks by editing their replies. All of it may be lost: it is neither stored nor awaited, no poll or
 * delivery is delayed for more than a moment, and after a restart it continues with the next poll. * The result must
 * not be lost: a progress edit that is still running when the result is delivered could replace it. So `end` waits for
 * the running edit, and if its outcome is uncertain, or another process may have one, it reports that, and the delivery
 * is verified later.
 */
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { renderProgress, troubleShownAtMs, type Progress } from "./render-progress.ts";
import { ReplyClientUnavailableError, type ProgressUpdate, type ReplyClient } from "../delivery/reply-client.ts";
import { isCancelable } from "./request-cancel.ts";
import type { Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** A faster task needs no progress. */
const FIRST_AFTER_MS = 3_000;
/**
 * Discord allows about five edits in two seconds, and thirty a minute in a channel. This leaves room for other replies.
 */
const EVERY_MS = 5_000;
/** Minimum distance between edits of all tasks together, so that deliveries are never delayed. */
const APART_MS = 100;
/** After this time without news, the store is asked whether the task is still open. */
const RECHECK_MS = 60_000;
/** Further tasks show no progress, rather than all of them rarely. */
const FOLLOWED_MAX = 2_000;
/** By then the reply carries the delay notice. */
const BEFORE_EXPIRY_MS = 90_000;
/** The stored state is read again after this time. */
const STALE_AFTER_MS = 2_000;
/** A delivery waits no longer. */
const PATIENCE_MS = 1_000;
/** An edit without a response arrives within this time or never. */
export const UPDATES_ARRIVE_WITHIN_MS = 20_000;
/** The clocks of two processes differ by less. */
const CLOCK_SKEW_MS_MAX = 1_000;
/** A smaller difference counts as the same estimate. */
const GUESS_SHARE = 1 / 4;
const GUESS_MS_MIN = 5_000;

export interface ProgressUpdates {
	/** Shows a task's progress, and every change of it. */
	follow(task: Task, known: Progress | undefined): void;
	/** Stops the updates of a task. Resolves quickly, to whether an edit may still arrive. */
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
	/** The last update, to compare. */
	shown: string;
	/** Until when an edit without a response may arrive. */
	doubtUntilMs: number;
	telling: Promise<void> | undefined;
	isOver: boolean;
}

export function createProgressUpdates(deps: ProgressDeps): ProgressUpdates {
	const { tasks, replyClient, clock, logger, isStoreShared } = deps;
	const startedAtMs = clock.nowMs();
	const stopping = new AbortController();
	const followed = new Map<string, Followed>();
	let isTurning = false;
	let sleepsUntilMs = Number.POSITIVE_INFINITY;
	let sleep = new AbortController();

	async function tell(entry: Followed): Promise<void> {
		const askedAtMs = clock.nowMs();
		entry.dueAtMs = askedAtMs + RECHECK_MS;
		const loaded = await tasks.load(entry.taskId);
		const nowMs = clock.nowMs();
		if (!loaded || !isShownProgress(loaded.task, nowMs)) return void followed.delete(entry.taskId);
		if (entry.isOver || nowMs - askedAtMs > STALE_AFTER_MS) return;
		const news = renderProgress(loaded.task, entry.known, nowMs);
		if (!news || versionOf(news) === entry.shown) return;
		entry.notBeforeMs = nowMs + EVERY_MS;
		entry.doubtUntilMs = nowMs + UPDATES_ARRIVE_WITHIN_MS;
		const isTaken = await replyClient.updateProgress(loaded.task.reply, news, stopping.signal);
		entry.doubtUntilMs = 0;
		// A reply that is gone or takes no edits stays that way.
		if (!isTaken) entry.isOver = true;
		entry.shown = versionOf(news);
		const readyAtMs = entry.known?.readyAtMs ?? Number.POSITIVE_INFINITY;
		if (readyAtMs > nowMs) entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(readyAtMs, entry.notBeforeMs));
	}

	async function notifySafely(entry: Followed): Promise<void> {
		try {
			await tell(entry);
		} catch (error) {
			if (stopping.signal.aborted) return;
			const patienceMs = (error instanceof ReplyClientUnavailableError ? error.retryAfterMs : undefined) ?? 0;
			entry.notBeforeMs = clock.nowMs() + Math.max(2 * EVERY_MS, patienceMs);
			entry.dueAtMs = entry.notBeforeMs;
			logger.debug({ taskId: entry.taskId, err: error }, "progress update failed");
		}
	}

	function begin(entry: Followed): void {
		entry.telling = notifySafely(entry).finally(() => {
			entry.telling = undefined;
			turnBy(entry.dueAtMs);
		});
	}

	function nextDue(): Followed | undefined {
		let next: Followed | undefined;
		for (const entry of followed.values()) {
			if (!entry.telling && entry.dueAtMs < (next?.dueAtMs ?? Number.POSITIVE_INFINITY)) next = entry;
		}
		return next;
	}

	/** Updates one task after the other, as they come due, until none is left. */
	async function turnAround(): Promise<void> {
		for (let next = nextDue(); next && !stopping.signal.aborted; next = nextDue()) {
			const waitMs = next.dueAtMs - clock.nowMs();
			if (waitMs > 0) {
				sleepsUntilMs = next.dueAtMs;
				sleep = new AbortController();
				await clock.sleep(waitMs, AbortSignal.any([sleep.signal, stopping.signal])).catch(() => {});
				sleepsUntilMs = Number.POSITIVE_INFINITY;
			} else {
				begin(next);
				await clock.sleep(APART_MS, stopping.signal).catch(() => {});
			}
		}
	}

	/** Starts the loop if it is not running. */
	function turn(): void {
		if (stopping.signal.aborted || isTurning || !nextDue()) return;
		isTurning = true;
		void turnAround().finally(() => {
			isTurning = false;
			turn();
		});
	}

	/** Wakes the loop earlier. Called for each poll, so it has to be cheap. */
	function turnBy(dueAtMs: number): void {
		if (dueAtMs < sleepsUntilMs) sleep.abort();
		if (!isTurning) turn();
	}

	/** Returns whether another process may have an edit running. */
	function mayOthersBeTelling({ createdAtMs, reply }: Task, nowMs: number): boolean {
		const tellsFromMs = createdAtMs + FIRST_AFTER_MS - CLOCK_SKEW_MS_MAX;
		const tellsUntilMs = reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS + UPDATES_ARRIVE_WITHIN_MS + CLOCK_SKEW_MS_MAX;
		if (nowMs < tellsFromMs || nowMs > tellsUntilMs) return false;
		return isStoreShared || (tellsFromMs < startedAtMs && nowMs < startedAtMs + UPDATES_ARRIVE_WITHIN_MS);
	}

	return {
		follow(task, known) {
			const nowMs = clock.nowMs();
			if (!isShownProgress(task, nowMs)) return;
			const before = followed.get(task.id);
			if (before?.isOver || (!before && followed.size >= FOLLOWED_MAX)) return;
			const entry = before ?? newEntry(task);
			entry.known = steadied(known, entry.known, nowMs) ?? entry.known;
			if (!before) followed.set(task.id, entry);
			else if (versionOf(renderProgress(task, entry.known, nowMs)) !== entry.shown) {
				entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(nowMs, entry.notBeforeMs));
			}
			const troubleAtMs = troubleShownAtMs(task);
			if (troubleAtMs > nowMs) entry.dueAtMs = Math.min(entry.dueAtMs, Math.max(troubleAtMs, entry.notBeforeMs));
			turnBy(entry.dueAtMs);
		},
		async end(task) {
			const entry = followed.get(task.id);
			if (entry) {
				entry.isOver = true;
				entry.dueAtMs = clock.nowMs() + RECHECK_MS;
				if (entry.telling) {
					const over = new AbortController();
					await Promise.race([entry.telling, clock.sleep(PATIENCE_MS, over.signal).catch(() => {})]);
					over.abort();
				}
			}
			const nowMs = clock.nowMs();
			return (entry !== undefined && nowMs < entry.doubtUntilMs) || mayOthersBeTelling(task, nowMs);
		},
		forget: (taskId) => void followed.delete(taskId),
		stop: () => stopping.abort(new Error("stopping")),
	};
}

function newEntry({ id, createdAtMs }: Task): Followed {
	const firstAtMs = createdAtMs + FIRST_AFTER_MS;
	const nothing = { known: undefined, shown: "", doubtUntilMs: 0, telling: undefined, isOver: false };
	return { taskId: id, dueAtMs: firstAtMs, notBeforeMs: firstAtMs, ...nothing };
}

function versionOf(news: ProgressUpdate | undefined): string {
	return JSON.stringify([news?.text, news?.buttons]);
}

function isShownProgress(task: Task, nowMs: number): boolean {
	return isCancelable(task) && nowMs < task.reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
}

/** Keeps the previous estimate if the new one is almost equal. */
function steadied(known: Progress | undefined, before: Progress | undefined, nowMs: number): Progress | undefined {
	const wasMs = before?.readyAtMs ?? null;
	if (!known || known.readyAtMs === null || wasMs === null || wasMs < nowMs) return known;
	const isNews = Math.abs(known.readyAtMs - wasMs) > Math.max(GUESS_MS_MIN, (wasMs - nowMs) * GUESS_SHARE);
	return isNews ? known : { ...known, readyAtMs: wasMs };
}
