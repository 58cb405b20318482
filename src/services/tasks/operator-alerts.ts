import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ErrorMeaning } from "../generation/classify-service-error.ts";
import type { ServiceErrorDetails } from "./task.ts";

/** Each cause is logged once in this time, because a rejected key, for example, fails every task. */
const REPEATED_AFTER_MS = 10 * 60_000;

type AlertCause = ErrorMeaning | "diskFull" | "machine" | "unknownState";

const MESSAGES = {
	operatorAccount: "media service rejected the account of this bot: it has no credits left or is locked",
	operatorKey: "media service rejected the API key of this bot: check MEDIA_API_KEY",
	diskFull: "the disk is full: no result can be stored until there is space in DATA_DIR",
	machine: "this machine cannot store or convert results: check DATA_DIR and the limits of the process",
	unknownState: "media service reported an unknown state: the task stays open",
} as const satisfies Partial<Record<AlertCause, string>>;

export type OperatorAlerts = ReturnType<typeof createOperatorAlerts>;

/** Returns whether the operator has to know the cause. */
export function isForOperator(cause: AlertCause): cause is keyof typeof MESSAGES {
	return Object.hasOwn(MESSAGES, cause);
}

/** Logs the errors that the operator has to know, each cause now and then. */
export function createOperatorAlerts({ clock }: { readonly clock: Clock }) {
	/** The last alert, and the number of errors since then that were not logged. */
	const lastAlerts = new Map<AlertCause, { readonly atMs: number; unreported: number }>();
	return {
		/** Logs the error if the operator has to know its cause; ignores other causes. */
		report(cause: AlertCause, { code, reason }: ServiceErrorDetails, logger: Logger): void {
			if (!isForOperator(cause)) return;
			const before = lastAlerts.get(cause);
			if (before && clock.nowMs() - before.atMs < REPEATED_AFTER_MS) {
				before.unreported++;
				return;
			}
			logger.error({ code, reason, unreported: before?.unreported ?? 0 }, MESSAGES[cause]);
			lastAlerts.set(cause, { atMs: clock.nowMs(), unreported: 0 });
		},
	};
}
