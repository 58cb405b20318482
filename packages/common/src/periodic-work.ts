import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_AFTER_MS = 5 * 60_000;

interface IntervalDeps {
	readonly clock: Clock;
	/** From the end of one run to the start of the next. */
	readonly everyMs: number;
	/** The delay of the first run; defaults to the interval. */
	readonly firstAfterMs?: number;
	/** Must not reject. The signal is aborted when the interval is stopped. */
	readonly run: (stop: AbortSignal) => Promise<void>;
}

/** Returns a function that stops the interval and waits for the current run. */
export function startInterval({ clock, everyMs, firstAfterMs = everyMs, run }: IntervalDeps): () => Promise<void> {
	const stopping = new AbortController();
	const { signal } = stopping;

	async function repeat(): Promise<void> {
		for (let waitMs = firstAfterMs; ; waitMs = everyMs) {
			const isStopped = await clock.sleep(waitMs, signal).then(
				() => false,
				() => true,
			);
			if (isStopped) return;
			await run(signal);
		}
	}

	const repeating = repeat();
	return async () => {
		stopping.abort();
		await repeating;
	};
}

export interface DailyWork {
	/** Names the work in the log when it fails. */
	readonly name: string;
	readonly work: () => Promise<void>;
	/** The delay of the first run, for processes that run for less than a day. By default, the minutes after a start stay free. */
	readonly firstAfterMs?: number;
}

interface DailyDeps extends DailyWork {
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Runs work once a day. Logs failures. Returns a function that stops it. */
export function startDaily({
	name,
	work,
	firstAfterMs = FIRST_AFTER_MS,
	clock,
	logger,
}: DailyDeps): () => Promise<void> {
	const run = (): Promise<void> =>
		work().catch((error: unknown) => logger.warn({ err: error, name }, "daily work failed"));
	return startInterval({ clock, everyMs: DAY_MS, firstAfterMs, run });
}
