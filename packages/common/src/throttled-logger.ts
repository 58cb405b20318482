import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

const REPEAT_AFTER_MS = 60_000;
const KINDS_MAX = 100;
/** Ids, counts and addresses, which differ between errors of one kind. */
const VARIABLE_PARTS = /[\da-f]*\d[\da-f-]*/gi;

/** Logs each kind of error at most once a minute: an unreachable server fails thousands of calls. */
export interface ThrottledLogger {
	readonly add: (error: unknown) => void;
}

interface ThrottledLoggerDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	readonly message: string;
}

export function createThrottledLogger({ clock, logger, message }: ThrottledLoggerDeps): ThrottledLogger {
	const kinds = new LRUCache<string, { readonly loggedAtMs: number; suppressedCount: number }>({ max: KINDS_MAX });

	return {
		add(error) {
			const kind = (error instanceof Error ? error.message : String(error)).replaceAll(VARIABLE_PARTS, "…");
			const logged = kinds.get(kind);
			if (logged && clock.nowMs() - logged.loggedAtMs < REPEAT_AFTER_MS) {
				logged.suppressedCount++;
				return;
			}
			logger.warn({ err: error, suppressedCount: logged?.suppressedCount ?? 0 }, message);
			kinds.set(kind, { loggedAtMs: clock.nowMs(), suppressedCount: 0 });
		},
	};
}
