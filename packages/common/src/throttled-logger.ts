import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

const SAME_AGAIN_AFTER_MS = 60_000;
const KINDS_MAX = 100;
/** Ids, counts and addresses, which differ between reports of the same fault. */
const PARTICULARS = /[\da-f]*\d[\da-f-]*/gi;

/** Logs each kind of fault at most once a minute: an unreachable server fails thousands of calls. */
export interface ThrottledLogger {
	readonly add: (error: unknown) => void;
}

interface ThrottledLoggerDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** The message of every report. */
	readonly message: string;
}

export function createThrottledLogger({ clock, logger, message }: ThrottledLoggerDeps): ThrottledLogger {
	const seen = new LRUCache<string, { readonly loggedAtMs: number; unsaid: number }>({ max: KINDS_MAX });

	return {
		add(error) {
			const kind = (error instanceof Error ? error.message : String(error)).replaceAll(PARTICULARS, "…");
			const before = seen.get(kind);
			if (before && clock.nowMs() - before.loggedAtMs < SAME_AGAIN_AFTER_MS) {
				before.unsaid++;
				return;
			}
			logger.warn({ err: error, unsaid: before?.unsaid ?? 0 }, message);
			seen.set(kind, { loggedAtMs: clock.nowMs(), unsaid: 0 });
		},
	};
}
