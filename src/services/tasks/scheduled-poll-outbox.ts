import type { Clock } from "@atelier/common/clock";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";
import type { PlannedPoll } from "./poll-queue.ts";

/** The most polls in one call of `send`. */
const BATCH_POLLS_MAX = 256;
const RETRY_MS = 1_000;
/** Beyond this number the oldest polls are dropped: the sweeper schedules them again. */
const WAITING_POLLS_MAX = 10_000;

/** Sends the polls of woken tasks to a shared queue, in batches, so that no command waits for the queue or fails with it. */
export interface ScheduledPollOutbox {
	add(poll: PlannedPoll): void;
	/** Waits until all polls that were added are sent. */
	drain(): Promise<void>;
	/** Ends the retries. Polls that are not sent are dropped. */
	stop(): void;
}

interface ScheduledPollOutboxDeps {
	readonly clock: Clock;
	readonly throttledLogger: ThrottledLogger;
	/** Sends polls to the queue. A rejection is logged, and the polls are sent again. */
	readonly send: (polls: readonly PlannedPoll[]) => Promise<void>;
}

export function createScheduledPollOutbox({
	clock,
	throttledLogger,
	send,
}: ScheduledPollOutboxDeps): ScheduledPollOutbox {
	const waiting = new Map<string, PlannedPoll>();
	const stopping = new AbortController();
	let sending: Promise<void> | undefined;

	async function sendWaiting(): Promise<void> {
		while (waiting.size > 0 && !stopping.signal.aborted) {
			const batch = [...waiting.values().take(BATCH_POLLS_MAX)];
			try {
				await send(batch);
				for (const poll of batch) if (waiting.get(poll.taskId) === poll) waiting.delete(poll.taskId);
			} catch (error) {
				throttledLogger.add(error);
				await clock.sleep(RETRY_MS, stopping.signal).catch(() => {});
			}
		}
	}

	async function sendAll(): Promise<void> {
		// One batch contains all polls of this turn of the event loop.
		await Promise.resolve();
		await sendWaiting();
		sending = undefined;
	}

	return {
		add(poll) {
			// Keeps the order of requests.
			waiting.delete(poll.taskId);
			waiting.set(poll.taskId, poll);
			if (waiting.size > WAITING_POLLS_MAX) waiting.delete(waiting.keys().next().value ?? "");
			sending ??= sendAll();
		},
		drain: () => sending ?? Promise.resolve(),
		stop: () => stopping.abort(),
	};
}
