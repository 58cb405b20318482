import type { DocumentChange } from "@atelier/store/store";

/** Whole credits: a safe integer. */
export type Credits = number;

/**
 * `guild:ID`: the credits of a server. `use:…`: the use of a limit in one period. `studio:ACCOUNT`: the credits of an
 * account of the studio. `studio-cap:…`: the use of an API key's spend cap in one period.
 */
export type AccountId = string;

/** The actor and the reason of an operation, as the history shows them. */
export interface Note {
	/** `member:ID`, `key:NAME` (an API key), `operator` or `system`. */
	readonly by: string;
	readonly reason: string;
	readonly taskId?: string;
	readonly mediaType?: string;
	readonly model?: string;
}

export interface Balance {
	/** Everything the account owns, holds included; negative only with an overdraft. */
	readonly postedCredits: Credits;
	/** Reserved by open holds. */
	readonly heldCredits: Credits;
	/** `postedCredits - heldCredits`: available for the next hold, without an overdraft. */
	readonly availableCredits: Credits;
	/** The available credits that expire, soonest first. */
	readonly expiring: readonly { readonly credits: Credits; readonly expiresAtMs: number }[];
}

export type RejectionCode =
	| "exceeds_credits"
	/** The operation or hold exists, with another amount. */
	| "exists_with_different_amount"
	| "hold_not_found"
	| "already_posted"
	| "already_voided"
	/** A hold cannot be posted for more than it reserved. */
	| "exceeds_hold"
	| "too_many_holds"
	/** Of grants that expire. */
	| "too_many_grants"
	/** Only with `alsoWrite`: the operation was already applied, or a stored document differs from the expected one. */
	| "not_new"
	/** An amount, an overdraft or a time of expiry is invalid, or the balance would be too large. */
	| "invalid_amount";

/** An expected rejection. Nothing has changed. */
export class LedgerRejectedError extends Error {
	override readonly name = "LedgerRejectedError";
	readonly code: RejectionCode;
	readonly account: AccountId;
	readonly balance: Balance;

	constructor(code: RejectionCode, account: AccountId, balance: Balance) {
		super(`the ledger rejected the operation: ${code}`);
		this.code = code;
		this.account = account;
		this.balance = balance;
	}
}

export const ENTRY_KINDS = ["grant", "reserve", "post", "void", "expire", "adjust"] as const;
type EntryKind = (typeof ENTRY_KINDS)[number];

/** One entry of an account's journal: a change and the balance after it. */
export interface Entry extends Note {
	/** From 1 without gaps, per account. */
	readonly seq: number;
	/** Unique in this account forever. */
	readonly operationId: string;
	readonly kind: EntryKind;
	/** The amount of the operation; signed for an adjustment. */
	readonly amountCredits: Credits;
	readonly postedAfterCredits: Credits;
	readonly heldAfterCredits: Credits;
	readonly atMs: number;
}

/** A change of a document whose next value depends on the balance that the operation leaves. */
export interface BalanceDependentChange extends Omit<DocumentChange, "next"> {
	readonly nextWith: (balance: Balance) => unknown;
}

interface OperationOptions {
	/**
	 * Documents to change in the same transaction. If the operation was applied before, or a stored document differs from the
	 * expected one, it is rejected with `not_new`.
	 */
	readonly alsoWrite?: readonly (DocumentChange | BalanceDependentChange)[];
}

interface GrantOptions extends OperationOptions {
	/** The time at which unspent credits expire. Expiring credits are spent before others, soonest first. */
	readonly expiresAtMs?: number;
	/** The number of expiring grants of an account is limited, and some places are kept for recurring grants. */
	readonly isRecurring?: boolean;
}

export interface ReserveOptions extends OperationOptions {
	/**
	 * Reserves the same credits in these limit accounts too, in the same transaction: in all or none. A limit is an account that
	 * starts at zero and whose holds may bring it below zero, by `overdraftCredits` at most. The error of a rejection names the first
	 * account that does not suffice, the limits first. The hold id must be new there.
	 */
	readonly limits?: readonly { readonly account: AccountId; readonly overdraftCredits: Credits }[];
	/** The most open holds of the account, this one included; at most the ledger's own limit, which is the default. */
	readonly openHoldsMax?: number;
	/**
	 * Skips the search of the journal for the hold id. Set it only if the id is certainly new, or if `alsoWrite` would be
	 * rejected for a used id.
	 */
	readonly isNewId?: boolean;
}

export interface EndOptions extends OperationOptions {
	/** Ends the hold in these limit accounts too, where it is open, in the same transaction. */
	readonly limits?: readonly AccountId[];
}

export interface OperationResult {
	/** The balance that the operation leaves. */
	readonly balance: Balance;
	/** The stored texts of `alsoWrite`. */
	readonly raws: readonly string[];
}

/**
 * Accounts of whole credits. Every operation is idempotent: the same id moves credits once, forever; the same id with
 * another amount is rejected. Throws `LedgerRejectedError` for a rejection, and `CorruptDocumentError` if a document of
 * the account is unreadable.
 */
export interface Ledger {
	/** Adds credits. `operationId` names the grant, such as `grant:2026-11`. */
	grant(
		account: AccountId,
		operationId: string,
		amountCredits: Credits,
		note: Note,
		options?: GrantOptions,
	): Promise<OperationResult>;
	/** Adjusts the balance by a positive or negative amount, never below the held credits. */
	adjust(account: AccountId, operationId: string, amountCredits: Credits, note: Note): Promise<OperationResult>;
	/** Reserves credits for a hold (hold id = task id). Rejects with `exceeds_credits` if too few are available. */
	reserve(
		account: AccountId,
		holdId: string,
		amountCredits: Credits,
		note: Note,
		options?: ReserveOptions,
	): Promise<OperationResult>;
	/** Posts `amountCredits` of a hold, at most the reserved amount; the rest is available again. */
	post(
		account: AccountId,
		holdId: string,
		amountCredits: Credits,
		note: Note,
		options?: EndOptions,
	): Promise<OperationResult>;
	/**
	 * Voids a hold: all of its credits are available again. Voiding an id that was never reserved succeeds, and blocks a later
	 * reserve with this id.
	 */
	void(account: AccountId, holdId: string, note: Note, options?: EndOptions): Promise<OperationResult>;
	/** Returns the current balance, without expired credits. */
	balance(account: AccountId): Promise<Balance>;
	/** Returns the balance after the last write of this process, if it is cached. Another process may have changed it since. */
	lastWrittenBalance(account: AccountId): Balance | undefined;
	/** Newest first, `limit` entries, optionally before `beforeSeq`. The cost does not depend on the position. */
	history(account: AccountId, page: { limit: number; beforeSeq?: number }): Promise<readonly Entry[]>;
}
