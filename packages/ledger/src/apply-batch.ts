/**
 * Decides a batch of operations of one account, with their limits, as pure functions. The operations share one write, in their
 * order. The outcomes are final once the accounts and documents are written.
 */
import assert from "node:assert/strict";
import type { DocumentChange } from "@atelier/store/store";
import { balanceOf, openHold, type Account } from "./account.ts";
import { decide, expire, finalKeyOf, idempotencyKeyOf, type EntryNote, type Operation } from "./apply-operation.ts";
import {
	LedgerRejectedError,
	type AccountId,
	type Balance,
	type BalanceDependentChange,
	type Entry,
	type Note,
	type RejectionCode,
} from "./ledger.ts";

/** An operation with everything that its transaction writes. */
export interface BatchOperation {
	readonly operation: Operation;
	readonly note: Note;
	readonly alsoWrite: readonly (DocumentChange | BalanceDependentChange)[];
	/** The same operation in the limits of the account. */
	readonly limits: readonly LimitOperation[];
}

export interface LimitOperation {
	readonly account: AccountId;
	readonly operation: Extract<Operation, { kind: "reserve" | "post" | "void" }>;
}

/** An unreadable document concerns only the operations that need it. */
export type ReadResult<T> =
	| { readonly kind: "read"; readonly value: T }
	| { readonly kind: "unreadable"; readonly reason: unknown };

/** The documents that decide a batch. */
interface BatchReads {
	readonly account: Account;
	readonly limits: ReadonlyMap<AccountId, ReadResult<{ readonly account: Account }>>;
	/** The final entries in the journal of the operations that may be repeated. */
	readonly finalEntries: ReadonlyMap<BatchOperation, ReadResult<Entry | undefined>>;
	/** True if a document of the operation differs from the expected one. */
	readonly conflicts: ReadonlyMap<BatchOperation, ReadResult<boolean>>;
}

export type Outcome =
	/** Applied, or repeated without documents. */
	| { readonly kind: "fulfilled"; readonly balance: Balance; readonly documents: readonly DocumentChange[] }
	| { readonly kind: "rejected"; readonly reason: unknown }
	/** Left for the next write. */
	| { readonly kind: "deferred" };

interface AppliedBatch<Queued> {
	/** The account, then the limits. */
	readonly accounts: Accounts;
	/** In the order of the operations. */
	readonly outcomes: ReadonlyMap<Queued, Outcome>;
}

type Accounts = ReadonlyMap<AccountId, Account>;

/** Returns the operations that the journal may have a final entry of. It has none for an open hold. */
export function operationsToFind<Queued extends BatchOperation>(
	account: Account,
	operations: readonly Queued[],
): readonly Queued[] {
	return operations.filter(({ operation }) => {
		if ("isNewId" in operation && operation.isNewId) return false;
		return !("holdId" in operation && openHold(account, operation.holdId));
	});
}

export function applyBatch<Queued extends BatchOperation>(
	id: AccountId,
	operations: readonly Queued[],
	{ account: before, limits, finalEntries, conflicts }: BatchReads,
	nowMs: number,
): AppliedBatch<Queued> {
	// Expiries are applied first; they are written even if every operation is rejected.
	const unexpired = new Map([[id, expire(before, nowMs)]]);
	for (const [limitId, limit] of limits)
		if (limit.kind === "read") unexpired.set(limitId, expire(limit.value.account, nowMs));
	const accounts = new Map(unexpired);
	const writtenKeys = new Set<string>();

	function apply(queued: BatchOperation): Outcome {
		const { operation, note, alsoWrite } = queued;
		const found = finalEntries.get(queued);
		const conflict = conflicts.get(queued);
		for (const read of [found, conflict, ...queued.limits.map(({ account }) => limits.get(account))])
			if (read?.kind === "unreadable") return { kind: "rejected", reason: read.reason };
		const storedEntry = found?.kind === "read" ? found.value : undefined;
		const idempotencyKey = idempotencyKeyOf(operation);
		const current = accountIn(accounts, id);
		const finalEntry = current.entries.find((entry) => finalKeyOf(entry) === idempotencyKey) ?? storedEntry;
		const entryNote = { ...note, atMs: nowMs };
		const decided = decideWithLimits(id, queued, accounts, finalEntry, entryNote);
		// A repeated operation does not write documents, so a caller that expects them is rejected.
		const isRepeatWithDocuments = decided.kind === "repeated" && alsoWrite.length > 0;
		const hasConflict = conflict?.kind === "read" && conflict.value;
		const isNotNew = isRepeatWithDocuments || hasConflict || alsoWrite.some(({ key }) => writtenKeys.has(key));
		const decision: Decision = isNotNew ? { kind: "rejected", code: "not_new", id } : decided;
		if (decision.kind === "rejected") {
			const balance = balanceOf(accountIn(accounts, decision.id));
			return { kind: "rejected", reason: new LedgerRejectedError(decision.code, decision.id, balance) };
		}
		if (decision.kind === "repeated") return { kind: "fulfilled", balance: balanceOf(current), documents: [] };
		// A write never combines an operation with another that enables it, such as a reservation with a grant: if a process
		// repeats the reservation while the write is in progress, it reads the account without the grant, and would reject it.
		if (decideWithLimits(id, queued, unexpired, undefined, entryNote).kind !== "applied") return { kind: "deferred" };
		const account = accountIn(decision.accounts, id);
		const balance = balanceOf(account);
		const documents = alsoWrite.map((change) => resolveChange(change, balance));
		for (const [changedId, changed] of decision.accounts) accounts.set(changedId, changed);
		for (const { key } of documents) writtenKeys.add(key);
		return { kind: "fulfilled", balance, documents };
	}

	const outcomes = new Map<Queued, Outcome>();
	for (const queued of operations) {
		// Damage that the schema accepts fails only the operations that it concerns.
		try {
			outcomes.set(queued, apply(queued));
		} catch (reason) {
			outcomes.set(queued, { kind: "rejected", reason });
		}
	}
	return { accounts, outcomes };
}

function resolveChange(change: DocumentChange | BalanceDependentChange, balance: Balance): DocumentChange {
	if (!("nextWith" in change)) return change;
	const { key, expectedRaw, nextWith } = change;
	return { key, expectedRaw, next: nextWith(balance) };
}

type Decision =
	| { readonly kind: "applied"; readonly accounts: Accounts }
	| { readonly kind: "repeated" }
	/** `id`: the account that rejects. */
	| { readonly kind: "rejected"; readonly code: RejectionCode; readonly id: AccountId };

/** Decides an operation in its account and in its limits: it changes all of them or none. */
function decideWithLimits(
	id: AccountId,
	{ operation, limits }: BatchOperation,
	accounts: Accounts,
	finalEntry: Entry | undefined,
	entryNote: EntryNote,
): Decision {
	const verdict = decide(accountIn(accounts, id), operation, finalEntry, entryNote);
	if (verdict.kind === "repeated") return verdict;
	// If the credits of the account and of a limit are too few, the limit is named. The account alone knows if its hold exists.
	if (verdict.kind === "rejected" && verdict.code !== "exceeds_credits") return { ...verdict, id };
	const changed = new Map<AccountId, Account>();
	for (const limit of limits) {
		const account = accountIn(accounts, limit.account);
		// A task whose account or limit could not be read ends its other holds one by one, so some may have ended.
		if (limit.operation.kind !== "reserve" && !openHold(account, limit.operation.holdId)) continue;
		const limitVerdict = decide(account, limit.operation, undefined, entryNote);
		if (limitVerdict.kind === "rejected") return { ...limitVerdict, id: limit.account };
		if (limitVerdict.kind === "applied") changed.set(limit.account, limitVerdict.account);
	}
	return verdict.kind === "rejected"
		? { ...verdict, id }
		: { kind: "applied", accounts: changed.set(id, verdict.account) };
}

function accountIn(accounts: Accounts, id: AccountId): Account {
	const account = accounts.get(id);
	assert(account, `the account ${id} was read`);
	return account;
}
