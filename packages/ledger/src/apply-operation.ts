/**
 * Decides what an operation does to an account, as pure functions. A hold is reserved, then posted (at most its reserved
 * amount) or voided, once. Every change adds a journal entry; a repeated operation adds none. Expired credits are removed
 * before the operation.
 */
import {
	CREDITS_MAX,
	EXPIRING_GRANTS_MAX,
	RECURRING_GRANTS_MAX,
	OPEN_HOLDS_MAX,
	assertReservation,
	availableCredits,
	heldCredits,
	mergeShares,
	openHold,
	sumShares,
	takeShares,
	type Account,
	type Share,
} from "./account.ts";
import type { Credits, Entry, Note, RejectionCode } from "./ledger.ts";

export type Operation =
	| {
			readonly kind: "grant";
			readonly operationId: string;
			readonly amountCredits: Credits;
			readonly expiresAtMs?: number;
			readonly isRecurring?: boolean;
	  }
	| { readonly kind: "adjust"; readonly operationId: string; readonly amountCredits: Credits }
	| {
			readonly kind: "reserve";
			readonly holdId: string;
			readonly amountCredits: Credits;
			readonly overdraftCredits: Credits;
			/** At most `OPEN_HOLDS_MAX`, the default. */
			readonly openHoldsMax?: number;
			/** True if the hold id is certainly new: the journal is not searched for it. */
			readonly isNewId?: boolean;
	  }
	| { readonly kind: "post"; readonly holdId: string; readonly amountCredits: Credits }
	| { readonly kind: "void"; readonly holdId: string };

export type Verdict =
	| { readonly kind: "applied"; readonly account: Account }
	/** The same operation was applied before. */
	| { readonly kind: "repeated" }
	| { readonly kind: "rejected"; readonly code: RejectionCode };

export type EntryNote = Note & { readonly atMs: number };

export function operationIdOf(operation: Operation): string {
	return "operationId" in operation ? operation.operationId : `${operation.kind}:${operation.holdId}`;
}

/**
 * Returns the idempotency key of an operation or entry. The operations of one hold share a key, because one final entry
 * excludes the others. An expiry has none.
 */
export function idempotencyKeyOf(operation: Operation): string;
export function idempotencyKeyOf(operation: Operation | Entry): string | undefined;
export function idempotencyKeyOf(operation: Operation | Entry): string | undefined {
	switch (operation.kind) {
		case "grant":
		case "adjust":
			return `operation:${operation.operationId}`;
		case "reserve":
		case "post":
		case "void":
			return `hold:${holdIdOf(operation)}`;
		case "expire":
			return undefined;
	}
}

/** Returns the key of an entry that excludes later operations with this key: a resolved hold never reopens. */
export function finalKeyOf(entry: Entry): string | undefined {
	return entry.kind === "reserve" ? undefined : idempotencyKeyOf(entry);
}

function holdIdOf(operation: Operation | Entry): string {
	return "holdId" in operation ? operation.holdId : operation.operationId.slice(operation.kind.length + 1);
}

/** `finalEntry`: the final entry with the same idempotency key, if there is one. */
export function decide(
	account: Account,
	operation: Operation,
	finalEntry: Entry | undefined,
	entryNote: EntryNote,
): Verdict {
	if (finalEntry) return decideRepeat(operation, finalEntry);
	// `reserve` checks its amount itself: an open hold with another amount has a code of its own.
	if (operation.kind !== "reserve" && !hasValidAmount(operation)) return rejected("invalid_amount");
	const current = expire(account, entryNote.atMs);
	switch (operation.kind) {
		case "grant":
			return grant(current, operation, entryNote);
		case "adjust":
			return adjust(current, operation, entryNote);
		case "reserve":
			return reserve(current, operation, entryNote);
		case "post":
			return post(current, operation, entryNote);
		case "void":
			return voidHold(current, operation, entryNote);
	}
}

/** Removes credits that have expired by `nowMs`, with an entry for each affected grant. */
export function expire(account: Account, nowMs: number): Account {
	const expired = account.shares.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
	if (expired.length === 0) return account;
	const shares = account.shares.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
	return expireShares({ ...account, shares }, expired, nowMs);
}

function grant(account: Account, operation: Extract<Operation, { kind: "grant" }>, entryNote: EntryNote): Verdict {
	const { amountCredits, operationId, expiresAtMs } = operation;
	if (account.postedCredits + amountCredits > CREDITS_MAX) return rejected("invalid_amount");
	const postedCredits = account.postedCredits + amountCredits;
	if (expiresAtMs === undefined)
		return applied(record({ ...account, postedCredits }, operation, amountCredits, entryNote));

	const grantsMax = EXPIRING_GRANTS_MAX - (operation.isRecurring ? 0 : RECURRING_GRANTS_MAX);
	if (account.shares.length >= grantsMax) return rejected("too_many_grants");
	// A negative account first repays its debt; only the rest can expire.
	const credits = Math.min(amountCredits, Math.max(0, availableCredits(account) + amountCredits));
	const added: Share[] = credits > 0 ? [{ grantId: operationId, credits, expiresAtMs }] : [];
	const shares = mergeShares(account.shares, added);
	const granted = record({ ...account, postedCredits, shares }, operation, amountCredits, entryNote);
	// A grant that has already expired is granted and expires: both are in the journal.
	return applied(expire(granted, entryNote.atMs));
}

function adjust(account: Account, operation: Extract<Operation, { kind: "adjust" }>, entryNote: EntryNote): Verdict {
	const { amountCredits } = operation;
	const postedCredits = account.postedCredits + amountCredits;
	if (postedCredits > CREDITS_MAX) return rejected("invalid_amount");
	if (amountCredits < 0 && availableCredits(account) + amountCredits < 0) return rejected("exceeds_credits");
	const { left } = takeShares(account.shares, Math.max(0, -amountCredits));
	return applied(record({ ...account, postedCredits, shares: left }, operation, amountCredits, entryNote));
}

function reserve(account: Account, operation: Extract<Operation, { kind: "reserve" }>, entryNote: EntryNote): Verdict {
	const { holdId, amountCredits, overdraftCredits, openHoldsMax = OPEN_HOLDS_MAX } = operation;
	const open = openHold(account, holdId);
	if (open) return open.credits === amountCredits ? { kind: "repeated" } : rejected("exists_with_different_amount");
	if (!hasValidAmount(operation)) return rejected("invalid_amount");
	if (account.holds.length >= Math.min(openHoldsMax, OPEN_HOLDS_MAX)) return rejected("too_many_holds");
	const held = heldCredits(account) + amountCredits;
	if (held > account.postedCredits + overdraftCredits || held > CREDITS_MAX) return rejected("exceeds_credits");
	const { taken, left } = takeShares(account.shares, amountCredits);
	const holds = [...account.holds, { id: holdId, credits: amountCredits, shares: taken }];
	const reserved = record({ ...account, holds, shares: left }, operation, amountCredits, entryNote);
	assertReservation(reserved, overdraftCredits);
	return applied(reserved);
}

function post(account: Account, operation: Extract<Operation, { kind: "post" }>, entryNote: EntryNote): Verdict {
	const { holdId, amountCredits } = operation;
	const hold = openHold(account, holdId);
	if (!hold) return rejected("hold_not_found");
	if (amountCredits > hold.credits) return rejected("exceeds_hold");
	const { left: unused } = takeShares(hold.shares, amountCredits);
	const postedCredits = account.postedCredits - amountCredits;
	const posted = record({ ...withoutHold(account, holdId), postedCredits }, operation, amountCredits, entryNote);
	return applied(returnShares(posted, unused, entryNote.atMs));
}

function voidHold(account: Account, operation: Extract<Operation, { kind: "void" }>, entryNote: EntryNote): Verdict {
	const hold = openHold(account, operation.holdId);
	const voided = record(withoutHold(account, operation.holdId), operation, hold?.credits ?? 0, entryNote);
	return applied(hold ? returnShares(voided, hold.shares, entryNote.atMs) : voided);
}

/** Returns the shares of a resolved hold to the account, after its debt is repaid. Expired ones are removed. */
function returnShares(account: Account, shares: readonly Share[], nowMs: number): Account {
	const returnableCredits = Math.max(0, availableCredits(account)) - sumShares(account.shares);
	const { left: returned } = takeShares(shares, Math.max(0, sumShares(shares) - returnableCredits));
	return expire({ ...account, shares: mergeShares(account.shares, returned) }, nowMs);
}

/** Adds one entry per share. A grant can expire in several parts: with each hold, or by different clocks. */
function expireShares(account: Account, expired: readonly Share[], nowMs: number): Account {
	return expired.reduce((current, { grantId, credits }) => {
		const next = { ...current, postedCredits: current.postedCredits - credits };
		return withEntry(next, {
			kind: "expire",
			operationId: `expire:${next.seq + 1}:${grantId}`,
			amountCredits: credits,
			atMs: nowMs,
			by: "system",
			reason: grantId,
		});
	}, account);
}

function decideRepeat(operation: Operation, finalEntry: Entry): Verdict {
	if (finalEntry.operationId !== operationIdOf(operation)) {
		return rejected(finalEntry.kind === "post" ? "already_posted" : "already_voided");
	}
	const isSameAmount = operation.kind === "void" || operation.amountCredits === finalEntry.amountCredits;
	return isSameAmount && operation.kind === finalEntry.kind
		? { kind: "repeated" }
		: rejected("exists_with_different_amount");
}

/** Adds the entry of an operation to an account that it has changed. */
function record(account: Account, operation: Operation, amountCredits: Credits, entryNote: EntryNote): Account {
	return withEntry(account, {
		...entryNote,
		kind: operation.kind,
		operationId: operationIdOf(operation),
		amountCredits,
	});
}

function withEntry(account: Account, entry: Omit<Entry, "seq" | "postedAfterCredits" | "heldAfterCredits">): Account {
	const seq = account.seq + 1;
	const after = { postedAfterCredits: account.postedCredits, heldAfterCredits: heldCredits(account) };
	return { ...account, seq, entries: [...account.entries, { ...entry, seq, ...after }] };
}

function hasValidAmount(operation: Operation): boolean {
	if (operation.kind === "void") return true;
	const { kind, amountCredits } = operation;
	if (!isWholeCredits(amountCredits)) return false;
	if (kind === "reserve" && !(isWholeCredits(operation.overdraftCredits) && operation.overdraftCredits >= 0))
		return false;
	if (kind === "grant" && !Number.isSafeInteger(operation.expiresAtMs ?? 0)) return false;
	if (kind === "adjust") return amountCredits !== 0;
	return amountCredits >= (kind === "post" ? 0 : 1);
}

function isWholeCredits(credits: number): boolean {
	return Number.isSafeInteger(credits) && Math.abs(credits) <= CREDITS_MAX;
}

const applied = (account: Account): Verdict => ({ kind: "applied", account });
const rejected = (code: RejectionCode): Verdict => ({ kind: "rejected", code });

function withoutHold(account: Account, holdId: string): Account {
	return { ...account, holds: account.holds.filter(({ id }) => id !== holdId) };
}
