import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ErrorMeaning } from "../generation/classify-error.ts";
import type { ReportedError } from "./task.ts";

/** One refused key fails every task: each kind of trouble is logged once in this time. */
const REPEATED_AFTER_MS = 10 * 60_000;

const MESSAGES = {
	operatorAccount: "media service refused the account of this bot: it has no credits left or is locked",
	operatorKey: "media service refused the API key of this bot: check MEDIA_API_KEY",
} as const satisfies Partial<Record<ErrorMeaning, string>>;

/** Tells the operator of errors that only they can mend. */
export interface OperatorAlerts {
	/** Does nothing for errors of any other meaning. */
	report(meaning: ErrorMeaning, error: ReportedError, logger: Logger): void;
}

export function isForOperator(meaning: ErrorMeaning): meaning is keyof typeof MESSAGES {
	return Object.hasOwn(MESSAGES, meaning);
}

export function createOperatorAlerts({ clock }: { readonly clock: Clock }): OperatorAlerts {
	const reported = new Map<ErrorMeaning, { readonly atMs: number; unreported: number }>();

	return {
		report(meaning, { code, reason }, logger) {
			if (!isForOperator(meaning)) return;
			const before = reported.get(meaning);
			if (before && clock.nowMs() - before.atMs < REPEATED_AFTER_MS) {
				before.unreported++;
				return;
			}
			logger.error({ code, reason, unreported: before?.unreported ?? 0 }, MESSAGES[meaning]);
			reported.set(meaning, { atMs: clock.nowMs(), unreported: 0 });
		},
	};
}
