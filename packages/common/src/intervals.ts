import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface IntervalDeps {
	readonly clock: Clock;
	/** From the end of one round to the start of the next. */
	readonly everyMs: number;
	/** The delay of the first round; defaults to the interval. */
	readonly firstAfterMs?: number;
	/** Must not reject. `over` is aborted when the interval is stopped. */
	readonly run: (over: AbortSignal) => Promise<void>;
}

/** Runs a round at intervals. Returns a function that stops it and waits for a running round. */
export function startInterval({ clock, everyMs, firstAfterMs = everyMs, run }: IntervalDeps): () => Promise<void> {
	const stopping = new AbortController();
	const { signal } = stopping;

	async function repeat(): Promise<void> {
		for (let waitMs = firstAfterMs; ; waitMs = everyMs) {
			const isOver = await clock.sleep(waitMs, signal).then(
				() => false,
				() => true,
			);
			if (isOver) return;
			await run(signal);
		}
	}

	const going = repeat();
	return async () => {
		stopping.abort();
		await going;
	};
}

export interface DailyWork {
	/** The name in the log when it fails. */
	readonly name: string;
	readonly work: () => Promise<void>;
	/** First run after the start, for work that must also happen where a process never lives for a day. Default: a day. */
	readonly firstAfterMs?: number;
}

interface DailyDeps extends DailyWork {
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Runs work once a day, by default first after a day. A failure is logged. Returns a function that stops it. */
export function startDaily({ name, work, firstAfterMs = DAY_MS, clock, logger }: DailyDeps): () => Promise<void> {
	const run = (): Promise<void> =>
		work().catch((error: unknown) => logger.warn({ err: error, name }, "daily work failed"));
	return startInterval({ clock, everyMs: DAY_MS, firstAfterMs, run });
}
