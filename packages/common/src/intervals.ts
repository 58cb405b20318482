import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface RoundsDeps {
	readonly clock: Clock;
	/** From the end of one round to the beginning of the next. */
	readonly everyMs: number;
	/** Until the first one; as long where nothing is said. */
	readonly firstAfterMs?: number;
	/** Has to see to its own failures. `over` is aborted when nobody waits for more rounds. */
	readonly round: (over: AbortSignal) => Promise<void>;
}

/** Does something again and again. Returns how to end it, which waits for a round that is under way. */
export function startRounds({ clock, everyMs, firstAfterMs = everyMs, round }: RoundsDeps): () => Promise<void> {
	const stopping = new AbortController();
	const { signal } = stopping;

	async function goRound(): Promise<void> {
		for (let waitMs = firstAfterMs; ; waitMs = everyMs) {
			const isOver = await clock.sleep(waitMs, signal).then(
				() => false,
				() => true,
			);
			if (isOver) return;
			await round(signal);
		}
	}

	const going = goRound();
	return async () => {
		stopping.abort();
		await going;
	};
}

export interface DailyWork {
	/** Named in the log when it fails. */
	readonly name: string;
	readonly work: () => Promise<void>;
	/** First run after the start, for work that must also happen where a process never lives for a day. Default: a day. */
	readonly firstAfterMs?: number;
}

interface DailyDeps extends DailyWork {
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Does something once a day, the first time in a day unless something else is said. A day on which it fails is only a day. Returns how to end it. */
export function startDaily({ name, work, firstAfterMs = DAY_MS, clock, logger }: DailyDeps): () => Promise<void> {
	const round = (): Promise<void> =>
		work().catch((error: unknown) => logger.warn({ err: error, name }, "daily work failed"));
	return startRounds({ clock, everyMs: DAY_MS, firstAfterMs, round });
}
