import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { renderDelayNotice } from "./render-result.ts";
import { ReplyClientUnavailableError, type ReplyClient } from "../delivery/reply-client.ts";
import { isTokenAlive } from "../delivery/available-routes.ts";
import { retryAfterMs } from "./retry-delay.ts";
import type { Task } from "./task.ts";

/** Fourteen of the fifteen minutes that a reply's token lives: afterwards nothing can be said in it without the bot's own rights. */
const BEFORE_EXPIRY_MS = 60_000;
/** Timers count to 2^31 ms, and no reply's token lives for longer than this. */
const SLEEP_MS_MAX = 15 * 60_000;
/** What is settled is about to be shown, and would be hidden by news that come later. */
const WAITS_FOR_RESULT: ReadonlySet<Task["state"]> = new Set(["created", "reserved", "submitting", "submitted"]);

/**
 * Says in a reply that its result will come later than the reply's token lives. Nothing of it is stored: when it is due
 * follows from the task, and saying it twice, after a restart in that minute, says it once.
 */
export interface DelayNotice {
	/** Says it where it is due. Resolves to when the task has to be looked at again: at `untilMs`, or for this before. */
	check(task: Task, untilMs: number, signal: AbortSignal, logger: Logger): Promise<number>;
	/** Says it where it comes due while `work` goes on. What is being said has been said when it settles: it hides nothing that is shown next. */
	during<Result>(task: Task, work: () => Promise<Result>, signal: AbortSignal, logger: Logger): Promise<Result>;
}

interface DelayNoticeDeps {
	readonly replyClient: Pick<ReplyClient, "notify">;
	readonly clock: Clock;
}

export function createDelayNotice({ replyClient, clock }: DelayNoticeDeps): DelayNotice {
	/** When the token is over of each task that was told, in the order of telling, which is about that of these times. */
	const told = new Map<string, number>();

	function noteTold({ id, reply }: Task): void {
		told.set(id, reply.tokenExpiresAtMs);
		for (const [taskId, expiresAtMs] of told) {
			if (expiresAtMs > clock.nowMs()) return;
			told.delete(taskId);
		}
	}

	/** Resolves to why it could not be said now and may be later; to `undefined` where nothing is left to say. */
	async function tell(
		task: Task,
		signal: AbortSignal,
		logger: Logger,
	): Promise<ReplyClientUnavailableError | undefined> {
		try {
			if (await replyClient.notify(task.reply, renderDelayNotice(task), signal))
				logger.info("told that it comes later");
			noteTold(task);
			return undefined;
		} catch (error) {
			if (!(error instanceof ReplyClientUnavailableError)) throw error;
			logger.warn({ err: error }, "news put off");
			return error;
		}
	}

	const isOpen = ({ id, reply }: Task): boolean => !told.has(id) && isTokenAlive(reply, clock.nowMs());

	/** `over` ends the waiting, and not what is being said: whether that arrives would be unknown, and when. */
	async function tellInTime(task: Task, over: AbortSignal, signal: AbortSignal, logger: Logger): Promise<void> {
		let dueAtMs = dueAtMsOf(task);
		for (let failures = 0; isOpen(task);) {
			const leftMs = dueAtMs - clock.nowMs();
			const isOver = await clock.sleep(Math.min(SLEEP_MS_MAX, Math.max(0, leftMs)), over).then(
				() => false,
				() => true,
			);
			if (isOver) return;
			if (leftMs > SLEEP_MS_MAX || !isOpen(task)) continue;
			const putOff = await tell(task, signal, logger);
			if (putOff) dueAtMs = clock.nowMs() + retryAfterMs(++failures, putOff.retryAfterMs);
		}
	}

	return {
		async check(task, untilMs, signal, logger) {
			if (!WAITS_FOR_RESULT.has(task.state) || !isOpen(task)) return untilMs;
			const dueAtMs = dueAtMsOf(task);
			if (clock.nowMs() < dueAtMs) return Math.min(untilMs, dueAtMs);
			// Where that fails the next look tries again, for as long as the token lives.
			await tell(task, signal, logger);
			return untilMs;
		},
		async during(task, work, signal, logger) {
			const over = new AbortController();
			const telling = tellInTime(task, AbortSignal.any([over.signal, signal]), signal, logger);
			// It is heard below, and not before the work has ended.
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
