import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import type { FitPutOff } from "../../delivery/fit/fit-processes.ts";
import type { Fitter } from "../../delivery/fit/fitter.ts";
import type { Messenger } from "../../delivery/messenger.ts";
import type { ResultLinks } from "../../delivery/result-links.ts";
import type { ResultStore } from "../../delivery/result-store.ts";
import type { UploadLimits } from "../../delivery/upload-limits.ts";
import type { Catalogue } from "../../generation/catalogue.ts";
import type { MediaApi } from "../../generation/media-api.ts";
import type { Order } from "../../generation/order.ts";
import type { LowCreditsWarner } from "../../guilds/low-credits.ts";
import type { Charges } from "@atelier/ledger/charges";
import type { Ledger } from "@atelier/ledger/operations";
import type { Saying } from "../../messages/messages.ts";
import type { TopUpDesk } from "../../top-up/top-up-desk.ts";
import type { LateNotice } from "../late-notice.ts";
import { retryAfterMs } from "../retry-delay.ts";
import type { Progress } from "../render-progress.ts";
import type { OperatorAlerts } from "../operator-alerts.ts";
import type { Polling } from "../polling.ts";
import type { ProgressNews } from "../progress-news.ts";
import { baseOf, type CancelRequest, type Outcome, type ReportedError, type Task, type TaskIn } from "../task.ts";

export interface StepDeps {
	readonly ledger: Ledger;
	readonly charges: Charges;
	readonly media: MediaApi;
	readonly lowCredits: LowCreditsWarner;
	readonly messenger: Messenger;
	readonly results: ResultStore;
	readonly resultLinks: Pick<ResultLinks, "find">;
	readonly download: Download;
	readonly fitter: Fitter;
	readonly polling: Polling;
	readonly lateNotice: Pick<LateNotice, "during">;
	readonly uploadLimits: UploadLimits;
	readonly progress: Pick<ProgressNews, "end">;
	readonly operatorAlerts: OperatorAlerts;
	/** What can be offered beside a result. */
	readonly models: Pick<Catalogue, "known">;
	/** What can be bought where credits are missing. */
	readonly topUp?: Pick<TopUpDesk, "offered">;
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
}

/** Each is counted by itself: that a service was away for an hour says nothing of the first thing that goes wrong afterwards. */
export type FailureKind = "away" | "nonsense" | "noFile" | "fetch" | "disk" | "busy" | "unforeseen";
export type Failures = Readonly<Partial<Record<FailureKind, number>>>;

export interface StepContext {
	readonly signal: AbortSignal;
	readonly logger: Logger;
	/** Of the task: no text of it may stand in a log. */
	readonly order: Order;
	/** How often this step failed since the task last moved or a look went well, as far as this process knows. */
	readonly failures: Failures;
	/** Since when the service has had its chance with this task: the time in which no process ran is not the service's. */
	readonly triedSinceMs: number;
	/** Whether this process brought the task into its state a moment ago, so that nothing can have happened in it yet. */
	readonly justEntered: boolean;
}

export type StepResult =
	/** The task belongs in another state now. */
	| { readonly kind: "moved"; readonly task: Task }
	/** Nothing to do before then. */
	| Wait
	| { readonly kind: "ended" };

/** `failed` counts towards the bounds on its kind; `note` is the task with more known of it, `known` what its person may hear of it. */
interface Wait {
	readonly kind: "wait";
	readonly untilMs: number;
	readonly failed: FailureKind | false;
	readonly note?: Task;
	readonly known?: Progress;
}

export const moved = (task: Task): StepResult => ({ kind: "moved", task });

export const finished = (task: Task, outcome: Outcome): StepResult =>
	moved({ ...baseOf(task), state: "finished", outcome });

export const failed = (task: Task, why: Saying, serviceError?: ReportedError): StepResult =>
	finished(task, { kind: "failed", why, ...(serviceError && { serviceError }) });

/** A film takes about as long: sooner, there is hardly a place free where too many waited. */
const FIT_AGAIN_AFTER_MS = 10_000;

/** Too many files wait to be fitted: not this task's fault, and no reason to give it up, however often. */
export function waitForFitting(deps: StepDeps, context: StepContext, putOff: FitPutOff): Wait {
	context.logger.warn({ err: putOff }, "fitting put off");
	return waitAfterFailure(deps, context, "busy", FIT_AGAIN_AFTER_MS);
}

/** For how long the service is asked to stop what was given up. */
const WITHDRAWING_MS = 15 * 60_000;

/** How a task ends that the service may still be at: given back at once, and withdrawn from the service afterwards. */
export function abandonedOutcome(
	{ clock }: Pick<StepDeps, "clock">,
	why: Saying,
	remoteId: string | null,
	serviceError?: ReportedError,
): Outcome {
	const abandoned = { remoteId, untilMs: clock.nowMs() + WITHDRAWING_MS };
	return { kind: "failed", why, abandoned, ...(serviceError && { serviceError }) };
}

/** As it was before it was delivered. */
export function settledAgain(task: TaskIn<"delivered">): Task {
	const { outcome, chargedCredits, leftCredits, unsettled } = task;
	const settlement = { outcome, chargedCredits, leftCredits, ...(unsettled && { unsettled }) };
	return { ...baseOf(task), state: "settled", ...settlement };
}

/** Why a task ended that somebody asked to end. */
export function sayingOfCancel(cancel: CancelRequest): Saying {
	switch (cancel.by) {
		case "member":
			return { key: "canceledByMember" };
		case "moderator":
			return { key: "canceledByModerator", params: { userId: cancel.userId } };
		case "operator":
			return { key: "canceledByOperator" };
	}
}

export function waitAfterFailure(
	{ clock, random }: Pick<StepDeps, "clock" | "random">,
	{ failures }: Pick<StepContext, "failures">,
	kind: FailureKind,
	wishedMs?: number,
): Wait {
	const count = (failures[kind] ?? 0) + 1;
	return { kind: "wait", untilMs: clock.nowMs() + retryAfterMs(count, wishedMs, random()), failed: kind };
}

/** The same wait where it is shorter, and otherwise one until the moment after the deadline: the step ends the task then. */
export function untilDeadline(wait: Wait, { deadlineAtMs }: Task): Wait {
	return { ...wait, untilMs: Math.min(wait.untilMs, deadlineAtMs + 1) };
}
