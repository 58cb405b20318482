/**
 * The life of a task. Each arrow is one compare-and-set, so that a process may end at any instant and the next one goes on:
 *
 * created -> reserved -> submitting -> submitted -> finished -> settled -> delivered (-> withdrawn)
 *
 * `created` is written before anything happens. `reserved` has its credits set aside. `submitting` is written before the
 * service is called, because from then on it may have the order; where its answer is lost the outcome is `unknown`, and it
 * is looked up, with the credits still set aside, until it is known or the deadline is over. `submitted` knows the service's
 * id. `finished` has a result in our own hands, or the reason why there is none. `settled` has charged for the one or given
 * back for the other; where a damaged account let that not be done for half a minute, it is `settled` all the same, without
 * that account, so that its person gets an answer. Nobody asks for such a hold again: it stays open, in the log and in the
 * audit, until the operator has repaired the account and ends it. `delivered` has shown it, or has found no way left to show
 * it, and is the end, unless the task was given up while the service may still be at it. Then the service is told to stop, for
 * a bounded time, and `withdrawn` is the end: whatever still comes of it is logged, neither shown nor charged.
 *
 * Where one account pays, `finished` is not written down: what ended, and what it costs, are one write, straight to `settled`
 * (docs/decisions/0021). A limit is an account of its own, and what is free has none: there they are two.
 *
 * An id that the service gave to another task, open or finished, makes nothing `submitted`: what comes of it is the other's, so
 * the task is `finished` without a result, and the service is not told to stop.
 *
 * A task can be `finished` from any state before it (`created` when a limit or the balance says no), and goes back from
 * `submitting` to `reserved` only when it is certain that the service took nothing.
 *
 * Somebody may ask for the end of a task that is not `finished`: `cancel` is written into it, whatever its state, and nothing
 * else happens there and then. `created` and `reserved` end by it at once. `submitting` goes on until it is known whether
 * the service has the order. `submitted` asks the service to stop, and goes on until the service says that it did, or that it
 * was done first: then the result is delivered and charged like any other.
 *
 * An answer that may have been overtaken by news of how far it is is looked at once more after `delivered`, and goes back to
 * `settled` where it does not stand any more.
 *
 * The operator may send a task that found no way to its person from `delivered` back to `settled`. Some time after its end a
 * task is removed.
 */
import type { Order } from "../generation/order.ts";
import type { Saying } from "../messages/messages.ts";
import type { CancelAnswer } from "../generation/media-api.ts";
import type { MediaFile } from "../delivery/media-file.ts";
import type { ReplyTarget, Shown } from "../delivery/messenger.ts";
import type { PaymentRoute } from "../guilds/guild-accounts.ts";
import type { AccountId } from "@atelier/ledger/operations";

/** Who asked for the end of a task. The first who does so counts. */
export type CancelRequest = { readonly atMs: number } & (
	| { readonly by: "member" }
	| { readonly by: "moderator"; readonly userId: string }
	| { readonly by: "operator" }
);

interface TaskBase {
	/** The id of the interaction: also of the hold, and the idempotency key. */
	readonly id: string;
	readonly order: Order;
	/** What has to allow it, and who pays. */
	readonly payment: PaymentRoute;
	readonly guildId: string;
	readonly userId: string;
	/** In which its reply is written: whoever asked reads it alone in theirs, and otherwise everybody in the server's. */
	readonly locale: string;
	/** Of whoever asked; tasks from before it was kept have none. */
	readonly userLocale?: string;
	readonly reply: ReplyTarget;
	readonly createdAtMs: number;
	/** When it is given up, and its credits are given back. */
	readonly deadlineAtMs: number;
	readonly cancel?: CancelRequest;
	/** From the moment the service has it: under which no other task may have the same id of that service. */
	readonly remoteKey?: string;
}

/** A submit whose answer was lost, and what has been done about it. */
interface UnknownOutcome {
	readonly sinceMs: number;
	/** Whether its person was told why this takes so long. */
	readonly isTold?: boolean;
	/** Whether the operator was. */
	readonly isReported?: boolean;
}

/** Requests about a task that the service has taken fail, or its result cannot be stored. Both are retried until its deadline. */
interface TaskTrouble {
	readonly sinceMs: number;
	/** The result cannot be stored: the disk of the bot is full. */
	readonly isDiskFull?: true;
}

/** What the service may still be making for nobody. */
export interface Abandoned {
	/** `null` where it is not even known whether the service has it. */
	readonly remoteId: string | null;
	/** Until when the service is asked to stop. */
	readonly untilMs: number;
}

/** What the service said of a failure: bounded, and without what the member typed. */
export interface ReportedError {
	readonly code: string;
	readonly reason: string;
}

export type Outcome =
	| {
			readonly kind: "made";
			readonly files: readonly MediaFile[];
			readonly seed: number | null;
			/** How many more the service made than one message can hold; absent for none. */
			readonly leftOut?: number;
			/** Discord takes none of them in the place where they belong. */
			readonly filesWithheld?: boolean;
	  }
	| {
			readonly kind: "failed";
			readonly why: Saying;
			readonly abandoned?: Abandoned;
			readonly serviceError?: ReportedError;
	  };

interface Settlement {
	readonly outcome: Outcome;
	/** What the server's account was charged. */
	readonly chargedCredits: number;
	/** `null` where the server's account could not be read. */
	readonly leftCredits: number | null;
	/** Accounts in which the hold could not be ended; absent where there are none. */
	readonly unsettled?: readonly AccountId[];
}

interface Delivery {
	readonly shown: Shown;
	readonly deliveredAtMs: number;
	/** When to look whether the answer still stands: news that were on their way when it was shown may have taken its place. */
	readonly checkAtMs?: number;
	/** What the service said when it was asked to stop what had been given up. */
	readonly cancelAnswer?: CancelAnswer;
}

/** What became of an order that was given up. */
export type WithdrawalEnd = "stopped" | "madeTooLate" | "notTaken" | "unknown";

type TaskProgress =
	| { readonly state: "created" }
	/** `notBeforeMs`: the service asked for patience, or was not reached. */
	| { readonly state: "reserved"; readonly notBeforeMs?: number }
	| { readonly state: "submitting"; readonly sinceMs: number; readonly unknown?: UnknownOutcome }
	/**
	 * `cancelAnswer`: what the service said when it was asked to stop; `isFetched`: its files are here, and wait to be fitted;
	 * `trouble`: the last poll or download failed, or the disk was full; `isUnknownStateLogged`: the operator was told what the service answers.
	 */
	| {
			readonly state: "submitted";
			readonly remoteId: string;
			readonly submittedAtMs: number;
			readonly cancelAnswer?: CancelAnswer;
			readonly isFetched?: boolean;
			readonly trouble?: TaskTrouble;
			readonly isUnknownStateLogged?: boolean;
	  }
	| { readonly state: "finished"; readonly outcome: Outcome }
	| ({ readonly state: "settled" } & Settlement)
	| ({ readonly state: "delivered" } & Settlement & Delivery)
	| ({ readonly state: "withdrawn"; readonly end: WithdrawalEnd } & Settlement & Delivery);

export type Task = TaskBase & TaskProgress;
export type TaskIn<State extends Task["state"]> = Extract<Task, { state: State }>;

/** What a task keeps in every state, without what only its present state knows. */
export function baseOf({
	id,
	order,
	payment,
	guildId,
	userId,
	locale,
	reply,
	createdAtMs,
	deadlineAtMs,
	cancel,
	userLocale,
	remoteKey,
}: Task): TaskBase {
	const base = { id, order, payment, guildId, userId, locale, reply, createdAtMs, deadlineAtMs };
	return {
		...base,
		...(cancel && { cancel }),
		...(userLocale !== undefined && { userLocale }),
		...(remoteKey !== undefined && { remoteKey }),
	};
}

/** Whether nothing is left to do. Who was answered about a task that was given up is not the last who has to hear of it. */
export function isEnded(task: Task): boolean {
	if (task.state === "withdrawn") return true;
	return (
		task.state === "delivered" &&
		task.checkAtMs === undefined &&
		!(task.outcome.kind === "failed" && task.outcome.abandoned)
	);
}
