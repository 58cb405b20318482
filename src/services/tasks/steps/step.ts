import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import type { Transcoder } from "@atelier/media-files/transcoder";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { FairSemaphore } from "../../delivery/fair-semaphore.ts";
import type { ReplyClient } from "../../delivery/reply-client.ts";
import type { ResultLinks } from "../../delivery/result-links.ts";
import type { ResultStore } from "../../delivery/result-store.ts";
import type { ModelCatalog } from "../../generation/model-catalog.ts";
import type { MediaApi } from "../../generation/media-api.ts";
import type { GalleryStore } from "../../gallery/gallery-store.ts";
import type { GenerationRequest } from "../../generation/request.ts";
import type { ResultReviewer } from "../../moderation/result-reviewer.ts";
import type { WithheldNotices } from "../../moderation/withheld-notices.ts";
import type { DocumentWrite } from "@atelier/store/store";
import type { MessageDescriptor } from "../../../i18n/message-descriptor.ts";
import type { AttemptFailureKind, FailedAttempts } from "../failed-attempts.ts";
import { backoffMs } from "../backoff.ts";
import type { Progress } from "../render-progress.ts";
import type { OperatorAlerts } from "../operator-alerts.ts";
import type { Polling } from "../polling.ts";
import type { ProgressUpdates } from "../progress-updates.ts";
import {
	baseOf,
	type CancelRequest,
	type Failure,
	type ServiceErrorDetails,
	type Outcome,
	type Presentation,
	type Task,
	type TaskIn,
} from "../task.ts";

/** The services that the steps use. */
export interface StepDeps {
	readonly media: MediaApi;
	readonly replyClient: ReplyClient;
	readonly results: ResultStore;
	readonly resultLinks: Pick<ResultLinks, "find">;
	readonly download: Download;
	readonly downloadSemaphore: FairSemaphore;
	readonly transcoder: Transcoder;
	readonly polling: Polling;
	readonly galleryStore: Pick<GalleryStore, "listingOf">;
	/** Returns the mark of the files of a task; `undefined` if files are passed on as they are. */
	readonly provenanceMarkOf: (task: Task) => ProvenanceMark | undefined;
	/** Judges results before they are shown; `undefined` without a moderation service. */
	readonly resultReviewer?: ResultReviewer | undefined;
	readonly withheldNotices: WithheldNotices;
	readonly progress: Pick<ProgressUpdates, "end">;
	readonly operatorAlerts: OperatorAlerts;
	/** Its known models decide which buttons a result has. */
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly clock: Clock;
	/** From 0 to below 1. */
	readonly random: () => number;
}

export interface StepContext {
	readonly signal: AbortSignal;
	readonly logger: Logger;
	/** Request of the task; its texts must not be logged. */
	readonly request: GenerationRequest;
	/** Consecutive failures of this step in this process, by kind. Reset by a move to another state or a successful poll. */
	readonly failures: FailedAttempts;
	/**
	 * Start of the retry budgets (ms since epoch): the creation of the task, or the start of this process if that is later, because
	 * a stopped bot tries nothing.
	 */
	readonly retryBudgetStartMs: number;
	/** True if this process has just moved the task into its state, so that no earlier process can have begun the step. */
	readonly isFreshTransition: boolean;
}

export type StepResult = Moved | Settled | Wait;

/** The task moves to another state, or gets new fields in its state, together with other writes. */
export interface Moved {
	readonly kind: "moved";
	readonly task: Task;
	readonly writes?: readonly DocumentWrite[] | undefined;
	/** Called in the process whose move was stored, so once at most: a crash before it loses the call. */
	readonly afterMove?: () => Promise<void>;
}

/** The task gets its outcome: it moves to `settled`, together with the end of its holds. */
export interface Settled {
	readonly kind: "settled";
	readonly outcome: Outcome;
	/** Replaces that of the task. */
	readonly presentation?: Presentation;
}

/** The step runs again at a time (ms since epoch). */
interface Wait {
	readonly kind: "wait";
	readonly untilMs: number;
	/** Set if an attempt failed. Otherwise the counts of failures start again. */
	readonly failureKind?: AttemptFailureKind;
	/** The progress to show to the member. */
	readonly progress?: Progress;
}

export const moved = (task: Task, writes?: readonly DocumentWrite[]): StepResult => ({ kind: "moved", task, writes });

export function submitted(
	{ media }: StepDeps,
	task: TaskIn<"submitting" | "unconfirmed">,
	remoteId: string,
	submittedAtMs: number,
): StepResult {
	const remoteKey = remoteKeyOf(media.origin, remoteId);
	return moved({ ...baseOf(task), state: "submitted", remoteId, remoteKey, submittedAtMs });
}

/** Names a task of a service in the store: its id may be longer than a key, and is unique only within that service. */
function remoteKeyOf(serviceOrigin: string, remoteId: string): string {
	return createHash("sha256").update(`${serviceOrigin}\n${remoteId}`).digest("base64url");
}

export const settled = (outcome: Outcome): Settled => ({ kind: "settled", outcome });

export const failed = (why: MessageDescriptor, serviceError?: ServiceErrorDetails): Settled =>
	settled(failedOutcome(why, serviceError));

export function failedOutcome(why: MessageDescriptor, serviceError?: ServiceErrorDetails): Failure {
	return { kind: "failed", cause: "error", why, ...(serviceError && { serviceError }) };
}

export function canceledOutcome(cancel: CancelRequest, serviceError?: ServiceErrorDetails): Failure {
	return { ...failedOutcome(messageOfCancel(cancel), serviceError), cause: "canceled" };
}

/** Returns the failure of a task that the service may still be running. Its holds are voided now, and the service is asked to cancel later. */
export function abandonedOutcome(outcome: Failure, remoteId: string | null): Failure {
	return { ...outcome, abandoned: { remoteId } };
}

function messageOfCancel(cancel: CancelRequest): MessageDescriptor {
	switch (cancel.by) {
		case "member":
			return { key: "service.canceledByMember" };
		case "moderator":
			return { key: "service.canceledByModerator", params: { userId: cancel.userId } };
		case "operator":
			return { key: "service.canceledByOwner" };
	}
}

/** Waits with a growing delay after a failed attempt, longer if the other side requested that (`requestedMs`). */
export function waitAfterFailure(
	{ clock, random }: StepDeps,
	{ failures }: StepContext,
	kind: AttemptFailureKind,
	requestedMs?: number,
): Wait {
	const delayMs = backoffMs({ failures: (failures.counts[kind] ?? 0) + 1, requestedMs, random: random() });
	return { kind: "wait", untilMs: clock.nowMs() + delayMs, failureKind: kind };
}

/** Returns the wait, ended just after the deadline of the task at the latest: the step then fails the task. */
export function untilDeadline(wait: Wait, { deadlineAtMs }: Task): Wait {
	return { ...wait, untilMs: Math.min(wait.untilMs, deadlineAtMs + 1) };
}
