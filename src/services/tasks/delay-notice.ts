import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { formatDelayNotice } from "./format-result.ts";
import { ReplyClientUnavailableError, type ReplyClient } from "../delivery/reply-client.ts";
import { isTokenAlive } from "../delivery/delivery-routes.ts";
import { backoffMs } from "./retry-delay.ts";
import { isPending, type Task } from "./task.ts";

/** The notice is sent this long before the token expires; later edits need the bot's own permissions. */
const BEFORE_EXPIRY_MS = 60_000;
/** Timers are limited to 2^31 ms, and tokens live no longer than this. */
const SLEEP_MS_MAX = 15 * 60_000;
/** A task beyond this number may be notified twice, with the same text. */
const NOTIFIED_TASKS_MAX = 10_000;

/**
 * Tells the member that the result comes after the token expires. That it was sent is not stored: its time follows from the task,
 * and a repeat after a restart shows the same text.
 */
export interface DelayNotice {
	/** Sends the notice if it is due. Resolves to the time of the next check: `untilMs` or earlier. */
	sendIfDue(task: Task, untilMs: number, signal: AbortSignal, logger: Logger): Promise<number>;
	/**
	 * Runs `work`, and sends the notice if it comes due meanwhile. No edit of the notice is running once the returned promise
	 * settles, so the notice cannot replace a later message.
	 */
	during<Result>(task: Task, work: () => Promise<Result>, signal: AbortSignal, logger: Logger): Promise<Result>;
}

interface DelayNoticeDeps {
	readonly replyClient: Pick<ReplyClient, "editText">;
	readonly clock: Clock;
}

export function createDelayNotice({ replyClient, clock }: DelayNoticeDeps): DelayNotice {
	const notifiedTaskIds = new LRUCache<string, true>({ max: NOTIFIED_TASKS_MAX });

	/** Sends the notice. Resolves to the error if a retry may work, otherwise to `undefined`. */
	async function sendNotice(
		task: Task,
		signal: AbortSignal,
		logger: Logger,
	): Promise<ReplyClientUnavailableError | undefined> {
		try {
			if (await replyClient.editText(task.reply, formatDelayNotice(task), signal)) logger.info("delay notice sent");
			notifiedTaskIds.set(task.id, true);
			return undefined;
		} catch (error) {
			if (!(error instanceof ReplyClientUnavailableError)) throw error;
			logger.warn({ err: error }, "delay notice postponed");
			return error;
		}
	}

	const mayNeedNotice = ({ id, reply }: Task): boolean =>
		!notifiedTaskIds.has(id) && isTokenAlive(reply, clock.nowMs());

	/** Sends the notice when it is due. `workEnded` ends the wait, but not a running edit: its outcome would be unknown. */
	async function notifyWhenDue(task: Task, workEnded: AbortSignal, signal: AbortSignal, logger: Logger): Promise<void> {
		let dueAtMs = dueAtMsOf(task);
		for (let failures = 0; mayNeedNotice(task);) {
			const leftMs = dueAtMs - clock.nowMs();
			const hasWorkEnded = await clock.sleep(Math.min(SLEEP_MS_MAX, Math.max(0, leftMs)), workEnded).then(
				() => false,
				() => true,
			);
			if (hasWorkEnded) return;
			if (leftMs > SLEEP_MS_MAX || !mayNeedNotice(task)) continue;
			const postponed = await sendNotice(task, signal, logger);
			if (!postponed) continue;
			failures++;
			dueAtMs = clock.nowMs() + backoffMs({ failures, requestedMs: postponed.retryAfterMs });
		}
	}

	return {
		async sendIfDue(task, untilMs, signal, logger) {
			// A task with an outcome is about to be delivered, and a later notice would replace its result.
			if (!isPending(task) || !mayNeedNotice(task)) return untilMs;
			const dueAtMs = dueAtMsOf(task);
			if (clock.nowMs() < dueAtMs) return Math.min(untilMs, dueAtMs);
			// The next run retries, as long as the token lives.
			await sendNotice(task, signal, logger);
			return untilMs;
		},
		async during(task, work, signal, logger) {
			const workEnded = new AbortController();
			const notice = notifyWhenDue(task, AbortSignal.any([workEnded.signal, signal]), signal, logger);
			// The rejection is handled below, after the work has ended.
			notice.catch(() => {});
			try {
				return await work();
			} finally {
				workEnded.abort("work ended");
				await notice;
			}
		},
	};
}

/** Returns the time at which the notice of a task is due. */
function dueAtMsOf({ reply }: Task): number {
	return reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
}
