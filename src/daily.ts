import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import { startRounds } from "./rounds.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface DailyDeps {
	/** What is done, for the log when it fails. */
	readonly name: string;
	readonly work: () => Promise<void>;
	/** When it is done for the first time, for what should not wait where a process never lives for a day. */
	readonly firstAfterMs?: number;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Does something once a day, the first time in a day unless something else is said. A day on which it fails is only a day. Returns how to end it. */
export function startDaily({ name, work, firstAfterMs = DAY_MS, clock, logger }: DailyDeps): () => Promise<void> {
	const round = (): Promise<void> =>
		work().catch((error: unknown) => logger.warn({ err: error, name }, "daily work failed"));
	return startRounds({ clock, everyMs: DAY_MS, firstAfterMs, round });
}
