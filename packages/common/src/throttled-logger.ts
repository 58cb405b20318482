import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

const SAME_AGAIN_AFTER_MS = 60_000;
const KINDS_MAX = 100;
/** Ids, counts and addresses: what differs between two reports of the same fault. */
const PARTICULARS = /[\da-f]*\d[\da-f-]*/gi;

/** Says each kind of fault once a minute at most: a server that is away fails every call, thousands of times. */
export interface FaultLog {
	readonly add: (error: unknown) => void;
}

interface FaultLogDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** Said of each. */
	readonly message: string;
}

export function createFaultLog({ clock, logger, message }: FaultLogDeps): FaultLog {
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
