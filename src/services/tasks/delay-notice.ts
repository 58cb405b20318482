import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { renderDelayNotice } from "./render-result.ts";
import { ReplyClientUnavailableError, type ReplyClient } from "../delivery/reply-client.ts";
import { isTokenAlive } from "../delivery/delivery-routes.ts";
import { retryAfterMs } from "./retry-delay.ts";
import type { Task } from "./task.ts";

/** Fourteen of the fifteen minutes of a token: later edits need the bot's own permissions. */
const BEFORE_EXPIRY_MS = 60_000;
/** Timers are limited to 2^31 ms, and tokens live no longer than this. */
const SLEEP_MS_MAX = 15 * 60_000;
/** A settled task is about to be delivered, and a later notice would replace its result. */
const WAITS_FOR_RESULT: ReadonlySet<Task["state"]> = new Set(["created", "reserved", "submitting", "submitted"]);

/**
 * Tells the member that the result comes after the token expires. It is not stored: its time follows from the task,
 * and sending it again after a restart changes nothing.
 */
export interface DelayNotice {
	/** Sends the notice if it is due. Resolves to the time of the next check: `untilMs` or earlier. */
	check(task: Task, untilMs: number, signal: AbortSignal, logger: Logger): Promise<number>;
	/**
	 * Sends the notice if it comes due during `work`. It is complete when the returned promise settles, so it cannot
	 * replace a later message.
	 */
	during<Result>(task: Task, work: () => Promise<Result>, signal: AbortSignal, logger: Logger): Promise<Result>;
}

interface DelayNoticeDeps {
	readonly replyClient: Pick<ReplyClient, "editText">;
	readonly clock: Clock;
}

export function createDelayNotice({ replyClient, clock }: DelayNoticeDeps): DelayNotice {
	/** Token expiry by notified task, in the order of the notices, which is close to the order of expiry. */
	const notifiedTasks = new Map<string, number>();

	function noteNotified({ id, reply }: Task): void {
		notifiedTasks.set(id, reply.tokenExpiresAtMs);
		for (const [taskId, expiresAtMs] of notifiedTasks) {
			if (expiresAtMs > clock.nowMs()) return;
			notifiedTasks.delete(taskId);
		}
	}

	/** Resolves to a reason for a retry, or to `undefined` if no retry is needed. */
	async function notify(
		task: Task,
		signal: AbortSignal,
		logger: Logger,
	): Promise<ReplyClientUnavailableError | undefined> {
		try {
			if (await replyClient.editText(task.reply, renderDelayNotice(task), signal)) logger.info("delay notice sent");
			noteNotified(task);
			return undefined;
		} catch (error) {
			if (!(error instanceof ReplyClientUnavailableError)) throw error;
			logger.warn({ err: error }, "delay notice postponed");
			return error;
		}
	}

	const isOpen = ({ id, reply }: Task): boolean => !notifiedTasks.has(id) && isTokenAlive(reply, clock.nowMs());

	/** `over` ends the wait, but not a running request, whose outcome would be unknown. */
	async function notifyWhenDue(task: Task, over: AbortSignal, signal: AbortSignal, logger: Logger): Promise<void> {
		let dueAtMs = dueAtMsOf(task);
		for (let failures = 0; isOpen(task);) {
			const leftMs = dueAtMs - clock.nowMs();
			const isOver = await clock.sleep(Math.min(SLEEP_MS_MAX, Math.max(0, leftMs)), over).then(
				() => false,
				() => true,
			);
			if (isOver) return;
			if (leftMs > SLEEP_MS_MAX || !isOpen(task)) continue;
			const putOff = await notify(task, signal, logger);
			if (putOff) dueAtMs = clock.nowMs() + retryAfterMs(++failures, putOff.retryAfterMs);
		}
	}

	return {
		async check(task, untilMs, signal, logger) {
			if (!WAITS_FOR_RESULT.has(task.state) || !isOpen(task)) return untilMs;
			const dueAtMs = dueAtMsOf(task);
			if (clock.nowMs() < dueAtMs) return Math.min(untilMs, dueAtMs);
			// The next poll retries, as long as the token lives.
			await notify(task, signal, logger);
			return untilMs;
		},
		async during(task, work, signal, logger) {
			const over = new AbortController();
			const telling = notifyWhenDue(task, AbortSignal.any([over.signal, signal]), signal, logger);
			// The rejection is handled below, after the work has ended.
			telling.catch(() => {});
			try {
				return await work();
			} finally {
				over.abort("over");
				await telling;
			}
		},
	};
}

function dueAtMsOf({ reply }: Task): number {
	return reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
}
