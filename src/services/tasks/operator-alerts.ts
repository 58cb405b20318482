import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ErrorMeaning } from "../generation/classify-service-error.ts";
import type { ServiceErrorDetails } from "./task.ts";

/** Each cause and code is logged once in this time, because a rejected key, for example, fails every task. */
const REPEATED_AFTER_MS = 10 * 60_000;
/** Bounds the codes of a cause that are logged in this time: the service selects them, and may count in them. */
const CODES_PER_CAUSE_MAX = 5;
/** Bounds the codes in memory. It exceeds the codes of all causes in this time. */
const CODES_MAX = 100;

type AlertCause = ErrorMeaning | "diskFull" | "unknownState";

const MESSAGES = {
	operatorAccount: "media service rejected the account of this bot: it has no credits left or is locked",
	operatorKey: "media service rejected the API key of this bot: check MEDIA_API_KEY",
	diskFull: "the disk is full: no result can be stored until there is space in DATA_DIR",
	unknownState: "media service reported an unknown state: the task stays open",
} as const satisfies Partial<Record<AlertCause, string>>;

/** Logs the errors that the operator has to know, each cause and code now and then. */
export interface OperatorAlerts {
	/** Logs the error if the operator has to know its cause; ignores other causes. */
	report(cause: AlertCause, error: ServiceErrorDetails, logger: Logger): void;
}

/** Returns whether the operator has to know the cause. */
export function isForOperator(cause: AlertCause): cause is keyof typeof MESSAGES {
	return Object.hasOwn(MESSAGES, cause);
}

export function createOperatorAlerts({ clock }: { readonly clock: Clock }): OperatorAlerts {
	/** By cause and code: the last alert, and the number of errors since then that were not logged. */
	const lastAlerts = new LRUCache<string, { readonly atMs: number; unreported: number }>({ max: CODES_MAX });

	function countRecent(cause: AlertCause): number {
		const since = clock.nowMs() - REPEATED_AFTER_MS;
		return [...lastAlerts].filter(([key, { atMs }]) => key.startsWith(`${cause} `) && atMs > since).length;
	}

	return {
		report(cause, { code, reason }, logger) {
			if (!isForOperator(cause)) return;
			const key = `${cause} ${code}`;
			const before = lastAlerts.get(key);
			if (before && clock.nowMs() - before.atMs < REPEATED_AFTER_MS) {
				before.unreported++;
				return;
			}
			if (countRecent(cause) >= CODES_PER_CAUSE_MAX) return;
			logger.error({ code, reason, unreported: before?.unreported ?? 0 }, MESSAGES[cause]);
			lastAlerts.set(key, { atMs: clock.nowMs(), unreported: 0 });
		},
	};
}
