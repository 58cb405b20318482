/**
 * The state machine of a task. Each transition is one compare-and-set: after a crash at any point another process continues.
 *
 * reserved -> submitting (-> unconfirmed) -> submitted -> settled -> delivered (-> withdrawn)
 *
 * - `reserved` is written together with the holds on its credits: in the account of the server, and in those of the limits that apply.
 * - `submitting` is written before the submit request, because from then on the service may have accepted it.
 * - `unconfirmed` has lost the response. The task is looked up, with its holds open, until a response confirms it or the deadline
 *   passes.
 * - `submitted` knows the remote id.
 * - `settled` has a stored result, or the reason for the failure. It is written together with the end of the holds: posted for a
 *   result, voided for a failure (docs/decisions/0003-charge-stored-results.md). A corrupt account is left out, so that the member
 *   gets a reply: its hold stays open, and the log and the audit tell the operator.
 * - `delivered` has shown the reply, or has no delivery route left. It is the end, unless the task was given up while the
 *   service may still be running it: then the bot asks the service to cancel until it responds, for a bounded time.
 * - `withdrawn` is the end of that. A late result is neither shown nor charged.
 *
 * A remote id that belongs to another task fails the task. The service is not asked to cancel it.
 *
 * Any earlier state can move to `settled`. `submitting` returns to `reserved` only if the service certainly accepted nothing.
 *
 * A cancel request is only written into the task (`cancel`). `reserved` then ends at once. `submitting` and `unconfirmed` continue
 * until the outcome of the submit is known. `submitted` asks the service to cancel, and continues until the service confirms that or
 * has finished first; a finished result is delivered and charged as usual.
 *
 * A progress update may overwrite a delivered reply. Such a reply is checked once after `delivered`; if it is gone, the task
 * returns to `settled`.
 *
 * A result that the moderation service flagged or did not check is a failure without a charge. The moderators may return such a task
 * from `delivered` to `settled`, as a success without a charge.
 *
 * The operator may return an undelivered task from `delivered` to `settled`. Ended tasks are removed after a while.
 */
import type { Category, WithholdCause } from "../moderation/verdict.ts";
import type { GenerationRequest } from "../generation/request.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import type { Money } from "../../i18n/money.ts";
import type { CancelResponse } from "../generation/media-api.ts";
import type { MediaFile } from "../delivery/media-file.ts";
import type { ReplyTarget } from "../delivery/reply-target.ts";
import type { DeliveryOutcome } from "../delivery/reply-client.ts";
import type { AccountId } from "@atelier/ledger/ledger";

/** The first cancel request for a task; later ones are ignored. */
export type CancelRequest = { readonly atMs: number } & (
	| { readonly by: "member" }
	| { readonly by: "moderator"; readonly userId: string }
	| { readonly by: "operator" }
);

/** The uses of a result. */
export const SOURCE_ACTIONS = ["vary", "upscale", "animate", "other"] as const;

/** The result from which a task was derived. */
export interface TaskSource {
	/** `null` for a result of the same member. */
	readonly userId: string | null;
	/** The address of its message; `null` if only its member sees it. */
	readonly link: string | null;
	readonly action: (typeof SOURCE_ACTIONS)[number];
}

/** `requested`: the member is pinged when the task is done. `off`: the member is not, and no button offers it. */
export type PingChoice = "requested" | "off";

/** A member who waited less than this is assumed to be still there, and is not pinged. */
export const PING_AFTER_MS = 60_000;

/** The appearance of a result, by the settings when the task was created. */
export interface Presentation {
	/** Hides the files until a member clicks them. */
	readonly isSpoiler: boolean;
	/** True if the result is posted in a thread that starts from the reply. */
	readonly opensThread: boolean;
	/** Writes the prompt into the files, as the server's settings require. */
	readonly isPromptInFiles: boolean;
	/** Offers to improve the prompt. */
	readonly isImprovable: boolean;
	/** Offers to report the result, because the server has a channel for reports. */
	readonly isReportable: boolean;
	/** The price of one credit in money when the task was created, if the operator had set one. */
	readonly creditPrice?: Money;
}

interface TaskBase {
	/** Id of the interaction. Also the id of the holds and the idempotency key. */
	readonly id: string;
	readonly request: GenerationRequest;
	readonly guildId: string;
	/** The accounts of the limits that apply. They have the same hold as the account of the server. */
	readonly limitAccounts: readonly AccountId[];
	readonly userId: string;
	/** Locale of the reply: the member's if it is ephemeral, otherwise the server's. */
	readonly locale: string;
	/** Locale of the member. */
	readonly userLocale: string;
	readonly reply: ReplyTarget;
	readonly presentation: Presentation;
	readonly createdAtMs: number;
	/** The first step after this time fails the task and voids its holds, unless the service then reports a result. */
	readonly deadlineAtMs: number;
	readonly source?: TaskSource;
	/** Absent while the member has not decided: the reply has a button that requests the ping. */
	readonly ping?: PingChoice;
	readonly cancel?: CancelRequest;
	/** Unique key of the remote id, set once the task is submitted: no two tasks share a remote id. */
	readonly remoteKey?: string;
	/** True for a task from a backup: it may have been submitted and delivered after the backup. */
	readonly isRestored?: true;
}

/** A task that was given up while the service may still be running it. */
interface Abandoned {
	/** `null` if it is unknown whether the service accepted the task. */
	readonly remoteId: string | null;
}

/** The service's words about a failure: bounded, without text of the member. */
export interface ServiceErrorDetails {
	readonly code: string;
	readonly reason: string;
}

export interface Success {
	readonly kind: "succeeded";
	readonly files: readonly MediaFile[];
	readonly seed: number | null;
	/** Number of outputs beyond the limit of one message; absent for none. */
	readonly leftOutCount?: number;
	/** Number of outputs within that limit that could not be used; absent for none. */
	readonly unusableCount?: number;
	/** Discord rejected the files for their size: before the next delivery they are transcoded to this limit. */
	readonly shrinkToBytes?: number;
	/** True if Discord rejected the files: the reply is a text without them. */
	readonly areFilesRejected?: boolean;
}

/** A result that the moderation service flagged or could not check. Its files are stored. */
export interface WithheldResult extends Pick<Success, "files" | "seed" | "leftOutCount" | "unusableCount"> {
	readonly cause: WithholdCause;
	readonly categories: readonly Category[];
	/** True once the moderators' channel has a notice about it. */
	readonly isPosted?: true;
}

export interface Failure {
	readonly kind: "failed";
	/** `canceled`: by the member, a moderator or the operator. A cancellation by the service is an `error`. */
	readonly cause: "canceled" | "withheld" | "error";
	readonly why: MessageDescriptor;
	readonly abandoned?: Abandoned;
	readonly serviceError?: ServiceErrorDetails;
	/** The result waits for the moderators, who may show it. */
	readonly withheld?: WithheldResult;
}

export type Outcome = Success | Failure;

interface Settlement {
	readonly outcome: Outcome;
	/** Credits charged to the server's account. */
	readonly chargedCredits: number;
	/** `null` if the hold could not be ended in the server's account. */
	readonly leftCredits: number | null;
	/** Time at which the charge was refunded. */
	readonly refundedAtMs?: number;
}

interface Delivery {
	readonly shown: DeliveryOutcome;
	readonly deliveredAtMs: number;
	/** Time to check that the reply is still visible: a late progress update may have overwritten it. */
	readonly checkAtMs?: number;
	/** Time at which the member or a moderator deleted the message of the result. */
	readonly messageDeletedAtMs?: number;
}

/**
 * The end of an abandoned task. `canceled`: the service has accepted the request. `ended`: the task has ended at the service.
 * `notAccepted`: the service never had the task.
 */
export type WithdrawalEnd = "canceled" | "ended" | "notAccepted" | "unknown";

interface Unreachable {
	/**
	 * The first failure since which no submit has reached the service; absent if the latest submit did not fail so, or a rate limit
	 * followed.
	 */
	readonly unreachableSinceMs?: number;
}

/** The state of a task, with the fields that only this state has. */
type TaskState =
	/** `notBeforeMs`: earliest time of the next submit, after the service limited the rate or was unreachable. */
	| ({ readonly state: "reserved"; readonly notBeforeMs?: number } & Unreachable)
	/** `sentAtMs`: start of the submit. */
	| ({ readonly state: "submitting"; readonly sentAtMs: number } & Unreachable)
	| {
			readonly state: "unconfirmed";
			/** Start of the submit, and the time of the submission if a lookup finds the task at the service. */
			readonly sentAtMs: number;
			/** The time from which it is unknown whether the service has the task. */
			readonly sinceMs: number;
			/** True once that was reported to the operator. */
			readonly isReported?: true;
	  }
	| {
			readonly state: "submitted";
			readonly remoteId: string;
			readonly submittedAtMs: number;
			/** Response of the service to the member's, moderator's or operator's cancel request. */
			readonly cancelResponse?: CancelResponse;
	  }
	| ({ readonly state: "settled" } & Settlement)
	| ({ readonly state: "delivered" } & Settlement & Delivery)
	| ({ readonly state: "withdrawn"; readonly end: WithdrawalEnd } & Settlement & Delivery);

export type Task = TaskBase & TaskState;
export type TaskIn<State extends Task["state"]> = Extract<Task, { state: State }>;
export type TaskWithOutcome = TaskIn<"settled" | "delivered" | "withdrawn">;
/** A task without an outcome. */
export type PendingTask = Exclude<Task, TaskWithOutcome>;
/** A task whose result waits for the moderators. */
export type WithheldTask = Task & {
	readonly outcome: Failure & { readonly withheld: WithheldResult };
};

/** Returns the fields that a task has in every state. */
export function baseOf({
	id,
	request,
	guildId,
	limitAccounts,
	userId,
	locale,
	userLocale,
	reply,
	presentation,
	createdAtMs,
	deadlineAtMs,
	source,
	ping,
	cancel,
	remoteKey,
	isRestored,
}: Task): TaskBase {
	return {
		id,
		request,
		guildId,
		limitAccounts,
		userId,
		locale,
		userLocale,
		reply,
		presentation,
		createdAtMs,
		deadlineAtMs,
		...(source && { source }),
		...(ping && { ping }),
		...(cancel && { cancel }),
		...(remoteKey !== undefined && { remoteKey }),
		...(isRestored && { isRestored }),
	};
}

/** Returns whether a task has neither a result nor a failure yet, so that it can still be canceled. */
export function isPending(task: Task): task is PendingTask {
	return !("outcome" in task);
}

export function isWithheld(task: Task): task is WithheldTask {
	return "outcome" in task && task.outcome.kind === "failed" && task.outcome.withheld !== undefined;
}

/** Returns a delivered task as it was before its delivery. */
export function withoutDelivery(task: TaskIn<"delivered">): TaskIn<"settled"> {
	const { outcome, chargedCredits, leftCredits, refundedAtMs } = task;
	return {
		...baseOf(task),
		state: "settled",
		outcome,
		chargedCredits,
		leftCredits,
		...(refundedAtMs !== undefined && { refundedAtMs }),
	};
}

/** Returns whether the member still waits for the result or the reason of a failure. */
export function awaitsReply(task: Task): task is Exclude<Task, TaskIn<"delivered" | "withdrawn">> {
	return !("shown" in task);
}

/** Returns a task whose reply needs no check. */
export function withoutCheck<Delivered extends TaskIn<"delivered">>({
	checkAtMs: _checked,
	...task
}: Delivered): Omit<Delivered, "checkAtMs"> {
	return task;
}

/** Returns whether no step is left. A delivered task may still have to be verified, or canceled at the service. */
export function isEnded(task: Task): boolean {
	if (task.state === "withdrawn") return true;
	return (
		task.state === "delivered" &&
		task.checkAtMs === undefined &&
		!(task.outcome.kind === "failed" && task.outcome.abandoned)
	);
}
