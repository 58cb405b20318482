/** Whole credits: a safe integer. */
export type Credits = number;

/** `guild:ID`, `use:…`, `studio:ACCOUNT`, `studio-cap:…`: the words of the house, then the ids. */
export type AccountId = string;

/** Why an operation happens and who wants it: what an admin reads in the history. */
export interface Note {
	/** `member:ID`, `operator`, `system`. */
	readonly by: string;
	readonly reason: string;
	/** What it was for, where it was for a generation. */
	readonly taskId?: string;
	readonly mediaType?: string;
	readonly model?: string;
}

export interface Balance {
	/** What the account owns, reservations included; below zero only where an overdraft allows it. */
	readonly postedCredits: Credits;
	/** What open holds have set aside. */
	readonly heldCredits: Credits;
	/** `postedCredits - heldCredits`: what the next hold may take, an overdraft aside. */
	readonly availableCredits: Credits;
	/** The part of what is available that is lost at a certain time, soonest first. */
	readonly expiring: readonly { readonly credits: Credits; readonly expiresAtMs: number }[];
}

const REFUSAL_CODES = [
	"exceeds_credits",
	"exists_with_different_amount",
	"hold_not_found",
	"already_posted",
	"already_voided",
	"exceeds_hold",
	"too_many_holds",
	"too_many_grants",
	"not_new",
	"invalid_amount",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The ledger's expected no. Nothing has moved. */
export class LedgerRefusalError extends Error {
	override readonly name = "LedgerRefusalError";
	readonly code: RefusalCode;
	readonly account: AccountId;
	readonly balance: Balance;

	constructor(code: RefusalCode, account: AccountId, balance: Balance) {
		super(`the ledger refused: ${code}`);
		this.code = code;
		this.account = account;
		this.balance = balance;
	}
}

export const ENTRY_KINDS = ["grant", "reserve", "post", "void", "expire", "adjust"] as const;
type EntryKind = (typeof ENTRY_KINDS)[number];

/** One line of an account's journal: what happened, and what the account held afterwards. */
export interface Entry extends Note {
	/** Gapless, from 1, per account. */
	readonly seq: number;
	/** The operation's id, unique for ever in this account. */
	readonly operationId: string;
	readonly kind: EntryKind;
	/** Granted, reserved, posted, given back or expired; of an adjustment with its sign. */
	readonly amountCredits: Credits;
	readonly postedAfterCredits: Credits;
	readonly heldAfterCredits: Credits;
	readonly atMs: number;
}

interface GrantOptions {
	/** When what is left of it is lost; credits that expire are spent before those that do not, soonest first. */
	readonly expiresAtMs?: number;
	/** Comes again and again, and so keeps places of its own among the grants that expire: others never crowd it out. */
	readonly isRecurring?: boolean;
}

/** What is written in one step with a hold. */
export interface NewDocument {
	readonly key: string;
	readonly value: unknown;
}

/** What is written in one step with the end of a hold. */
export interface ChangedDocument {
	readonly key: string;
	/** What stands there until then: `undefined` where nothing does. */
	readonly expectedRaw: string | undefined;
	/** What stands there from then on, with what is left in the account. */
	readonly valueWith: (balance: Balance) => unknown;
}

interface ReserveOptions {
	/** How far below zero the account may go with this hold: a limit on use is an account that starts at zero. */
	readonly overdraftCredits?: Credits;
	/**
	 * Documents that come to be with the hold, or not at all. Where the hold is open already, or one of their keys is taken, the
	 * answer is `not_new`, and nothing has moved.
	 */
	readonly beside?: readonly NewDocument[];
	/** The id was drawn at random for this hold, and nobody else has heard of it: the journal need not be asked for it. */
	readonly isUnheardOf?: boolean;
}

/**
 * Accounts of whole credits. Every operation may be repeated: the same id moves credits once, for ever; the same id with
 * another amount is refused. Throws `LedgerRefusalError` for a no, `CorruptDocumentError` where an account cannot be read.
 */
export interface Ledger {
	/** Adds credits. `operationId` names the grant, for instance `grant:2026-11`. */
	grant(
		account: AccountId,
		operationId: string,
		amountCredits: Credits,
		note: Note,
		options?: GrantOptions,
	): Promise<Balance>;
	/** Corrects the books by a positive or negative amount; never takes what is held or not there. */
	adjust(account: AccountId, operationId: string, amountCredits: Credits, note: Note): Promise<Balance>;
	/** Sets credits aside for a hold (hold id = task id). Refuses with `exceeds_credits` where they are not there. */
	reserve(
		account: AccountId,
		holdId: string,
		amountCredits: Credits,
		note: Note,
		options?: ReserveOptions,
	): Promise<Balance>;
	/**
	 * Ends a hold by charging `amountCredits`, at most what was reserved; the rest is free again. `beside` is written with that,
	 * or not at all: where it has ended already, or something else stands there, the answer is `not_new`, and nothing has moved.
	 */
	post(
		account: AccountId,
		holdId: string,
		amountCredits: Credits,
		note: Note,
		beside?: ChangedDocument,
	): Promise<Balance>;
	/** Ends a hold by giving everything back, like `post`. A hold that never began cannot begin afterwards. */
	void(account: AccountId, holdId: string, note: Note, beside?: ChangedDocument): Promise<Balance>;
	/** As it is now: what has expired is no longer in it. */
	balance(account: AccountId): Promise<Balance>;
	/** Newest first, `limit` entries, from before `beforeSeq` where given: a page costs the same wherever it lies. */
	history(account: AccountId, page: { limit: number; beforeSeq?: number }): Promise<readonly Entry[]>;
}
