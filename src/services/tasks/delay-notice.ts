import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { formatDelayNotice } from "./format-result.ts";
import { ReplyClientUnavailableError, type ReplyClient } from "../delivery/reply-client.ts";
import { isTokenAlive } from "../delivery/delivery-routes.ts";
import { isPending, type Task } from "./task.ts";

/** The notice is sent this long before the token expires; later edits need the bot's own permissions. */
const BEFORE_EXPIRY_MS = 60_000;
/** A task beyond this number may be notified twice, with the same text. */
const NOTIFIED_TASKS_MAX = 10_000;

/**
 * Tells the member that the result comes after the token expires. That it was sent is not stored: its time follows from the task,
 * and a repeat after a restart shows the same text.
 */
export interface DelayNotice {
	/** Sends the notice if it is due. Resolves to the time of the next check: `untilMs` or earlier. */
	sendIfDue(task: Task, untilMs: number, signal: AbortSignal, logger: Logger): Promise<number>;
}

interface DelayNoticeDeps {
	readonly replyClient: Pick<ReplyClient, "editText">;
	readonly clock: Clock;
}

export function createDelayNotice({ replyClient, clock }: DelayNoticeDeps): DelayNotice {
	const notifiedTaskIds = new LRUCache<string, true>({ max: NOTIFIED_TASKS_MAX });

	async function sendNotice(task: Task, signal: AbortSignal, logger: Logger): Promise<void> {
		try {
			if (await replyClient.editText(task.reply, formatDelayNotice(task), signal)) logger.info("delay notice sent");
			notifiedTaskIds.set(task.id, true);
		} catch (error) {
			if (!(error instanceof ReplyClientUnavailableError)) throw error;
			logger.warn({ err: error }, "delay notice postponed");
		}
	}

	return {
		async sendIfDue(task, untilMs, signal, logger) {
			// A task with an outcome is about to be delivered, and a later notice would replace its result.
			const isSent = notifiedTaskIds.has(task.id) || !isTokenAlive(task.reply, clock.nowMs());
			if (isSent || !isPending(task)) return untilMs;
			const dueAtMs = task.reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
			if (clock.nowMs() < dueAtMs) return Math.min(untilMs, dueAtMs);
			// The next run retries, as long as the token lives.
			await sendNotice(task, signal, logger);
			return untilMs;
		},
	};
}
