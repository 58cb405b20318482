import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import { composeLateNotice } from "../delivery/compose-answer.ts";
import { MessengerUnavailable, type Messenger } from "../delivery/messenger.ts";
import { isTokenAlive } from "../delivery/open-rungs.ts";
import type { Task } from "./task.ts";

/** Fourteen of the fifteen minutes that a reply's token lives: afterwards nothing can be said in it without the bot's own rights. */
const BEFORE_EXPIRY_MS = 60_000;
/** What is settled is about to be shown, and would be hidden by news that come later. */
const WAITS_FOR_RESULT: ReadonlySet<Task["state"]> = new Set(["created", "reserved", "submitting", "submitted"]);

/**
 * Says in a reply that its result will come later than the reply's token lives. Nothing of it is stored: when it is due
 * follows from the task, and saying it twice, after a restart in that minute, says it once.
 */
export interface LateNotice {
	/** Says it where it is due. Resolves to when the task has to be looked at again: at `untilMs`, or for this before. */
	look(task: Task, untilMs: number, signal: AbortSignal, logger: Logger): Promise<number>;
	/** Forgets a task that has ended. */
	forget(taskId: string): void;
}

interface LateNoticeDeps {
	readonly messenger: Pick<Messenger, "tell">;
	readonly clock: Clock;
}

export function createLateNotice({ messenger, clock }: LateNoticeDeps): LateNotice {
	const told = new Set<string>();

	async function tell(task: Task, signal: AbortSignal, logger: Logger): Promise<void> {
		try {
			if (await messenger.tell(task.reply, composeLateNotice(task), signal)) logger.info("told that it comes later");
			told.add(task.id);
		} catch (error) {
			if (!(error instanceof MessengerUnavailable)) throw error;
			// The next look tries again, for as long as the token lives.
			logger.warn({ err: error }, "news put off");
		}
	}

	return {
		async look(task, untilMs, signal, logger) {
			const { reply, id, state } = task;
			const nowMs = clock.nowMs();
			if (!WAITS_FOR_RESULT.has(state) || told.has(id) || !isTokenAlive(reply, nowMs)) return untilMs;
			const dueAtMs = reply.tokenExpiresAtMs - BEFORE_EXPIRY_MS;
			if (nowMs < dueAtMs) return Math.min(untilMs, dueAtMs);
			await tell(task, signal, logger);
			return untilMs;
		},
		forget: (taskId) => void told.delete(taskId),
	};
}
