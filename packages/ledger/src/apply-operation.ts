/**
 * Decides what an operation does to an account. Pure, so that every rule is one line of a table in its tests. A hold
 * is reserved, then posted (at most its reserved amount) or voided, once. Every change adds a journal entry; a repeated
 * operation adds none and returns the same result. Expired credits are removed first.
 */
import {
	CREDITS_MAX,
	EXPIRING_GRANTS_MAX,
	RECURRING_GRANTS_MAX,
	OPEN_HOLDS_MAX,
	assertSound,
	freeCredits,
	heldCredits,
	mergeShares,
	openHold,
	sumOf,
	takeFrom,
	type Account,
	type Share,
} from "./account.ts";
import type { Credits, Entry, Note, RefusalCode } from "./operations.ts";

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
			/** The operation id is new, so the journal is not searched. */
			readonly isNewId?: boolean;
	  }
	| { readonly kind: "post"; readonly holdId: string; readonly amountCredits: Credits }
	| { readonly kind: "void"; readonly holdId: string };

export type Verdict =
	| { readonly kind: "moved"; readonly account: Account }
	/** The operation was executed before, with the same amount. */
	| { readonly kind: "already" }
	| { readonly kind: "refused"; readonly code: RefusalCode };

type Stamp = Note & { readonly atMs: number };

export function operationIdOf(operation: Operation): string {
	return "operationId" in operation ? operation.operationId : `${operation.kind}:${operation.holdId}`;
}

/**
 * Returns the idempotency key of an operation, which it shares with operations that exclude it. An open hold identifies
 * its own start.
 */
export function markOf(made: Operation): string;
export function markOf(made: Operation | Entry): string | undefined;
export function markOf(made: Operation | Entry): string | undefined {
	switch (made.kind) {
		case "grant":
		case "adjust":
			return `operation:${made.operationId}`;
		case "reserve":
		case "post":
		case "void":
			return `hold:${holdIdOf(made)}`;
		case "expire":
			return undefined;
	}
}

/** Returns whether the entry is final for its key: a resolved hold never reopens, and a grant happens once. */
export function isFinal(entry: Entry): boolean {
	return entry.kind !== "reserve" && entry.kind !== "expire";
}

function holdIdOf(made: Operation | Entry): string {
	return "holdId" in made ? made.holdId : made.operationId.slice(made.kind.length + 1);
}

/** Decides the change of the account. `past` is the final entry with the same key, if there is one. */
export function decide(account: Account, operation: Operation, past: Entry | undefined, stamp: Stamp): Verdict {
	if (past) return decideAgain(operation, past);
	// Distinguishes another amount from an invalid one.
	if (operation.kind !== "reserve" && !isAmount(operation)) return refused("invalid_amount");
	const current = expire(account, stamp.atMs);
	switch (operation.kind) {
		case "grant":
			return grant(current, operation, stamp);
		case "adjust":
			return adjust(current, operation, stamp);
		case "reserve":
			return reserve(current, operation, stamp);
		case "post":
			return post(current, operation, stamp);
		case "void":
			return voidHold(current, operation, stamp);
	}
}

/**
 * Returns whether `decide` would change this account, without expired credits, for new operations. Computes what is
 * shared by many operations once, and creates no account in clear cases.
 */
export function movesOf(account: Account): (operation: Operation, stamp: Stamp) => boolean {
	const holds = new Map(account.holds.map(({ id, credits }) => [id, credits]));
	const held = heldCredits(account);

	function isPlain(operation: Operation): boolean {
		if (operation.kind === "void") return true;
		if (!isAmount(operation)) return false;
		if (operation.kind === "post") return operation.amountCredits <= (holds.get(operation.holdId) ?? -1);
		if (operation.kind !== "reserve" || holds.size >= OPEN_HOLDS_MAX || holds.has(operation.holdId)) return false;
		const { amountCredits, overdraftCredits } = operation;
		return held + amountCredits <= Math.min(CREDITS_MAX, account.postedCredits + overdraftCredits);
	}

	return (operation, stamp) => isPlain(operation) || decide(account, operation, undefined, stamp).kind === "moved";
}

/** Removes credits that have expired by `nowMs`, with an entry for each affected grant. */
export function expire(account: Account, nowMs: number): Account {
	const gone = account.shares.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
	if (gone.length === 0) return account;
	const shares = account.shares.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
	return writeOff({ ...account, shares }, gone, nowMs);
}

function grant(account: Account, operation: Extract<Operation, { kind: "grant" }>, stamp: Stamp): Verdict {
	const { amountCredits, operationId, expiresAtMs } = operation;
	if (account.postedCredits + amountCredits > CREDITS_MAX) return refused("invalid_amount");
	const postedCredits = account.postedCredits + amountCredits;
	if (expiresAtMs === undefined) return moved({ ...account, postedCredits }, operation, amountCredits, stamp);

	const placesMax = EXPIRING_GRANTS_MAX - (operation.isRecurring ? 0 : RECURRING_GRANTS_MAX);
	if (account.shares.length >= placesMax) return refused("too_many_grants");
	// A negative account first repays its debt; only the rest can expire.
	const credits = Math.min(amountCredits, Math.max(0, freeCredits(account) + amountCredits));
	const added: Share[] = credits > 0 ? [{ grantId: operationId, credits, expiresAtMs }] : [];
	const shares = mergeShares(account.shares, added);
	const next = moved({ ...account, postedCredits, shares }, operation, amountCredits, stamp);
	// A grant that has already expired is granted and expires: both are in the journal.
	return next.kind === "moved" ? { ...next, account: expire(next.account, stamp.atMs) } : next;
}

function adjust(account: Account, operation: Extract<Operation, { kind: "adjust" }>, stamp: Stamp): Verdict {
	const { amountCredits } = operation;
	const postedCredits = account.postedCredits + amountCredits;
	if (postedCredits > CREDITS_MAX) return refused("invalid_amount");
	if (amountCredits < 0 && freeCredits(account) + amountCredits < 0) return refused("exceeds_credits");
	const { left } = takeFrom(account.shares, Math.max(0, -amountCredits));
	return moved({ ...account, postedCredits, shares: left }, operation, amountCredits, stamp);
}

function reserve(account: Account, operation: Extract<Operation, { kind: "reserve" }>, stamp: Stamp): Verdict {
	const { holdId, amountCredits, overdraftCredits, isNewId } = operation;
	const open = isNewId ? undefined : openHold(account, holdId);
	if (open) return open.credits === amountCredits ? { kind: "already" } : refused("exists_with_different_amount");
	if (!isAmount(operation)) return refused("invalid_amount");
	if (account.holds.length >= OPEN_HOLDS_MAX) return refused("too_many_holds");
	const held = heldCredits(account) + amountCredits;
	if (held > account.postedCredits + overdraftCredits || held > CREDITS_MAX) return refused("exceeds_credits");
	const { taken, left } = takeFrom(account.shares, amountCredits);
	const holds = [...account.holds, { id: holdId, credits: amountCredits, shares: taken }];
	return moved({ ...account, holds, shares: left }, operation, amountCredits, stamp, overdraftCredits);
}

function post(account: Account, operation: Extract<Operation, { kind: "post" }>, stamp: Stamp): Verdict {
	const { holdId, amountCredits } = operation;
	const hold = openHold(account, holdId);
	if (!hold) return refused("hold_not_found");
	if (amountCredits > hold.credits) return refused("exceeds_hold");
	const { left: unused } = takeFrom(hold.shares, amountCredits);
	const postedCredits = account.postedCredits - amountCredits;
	const next = moved({ ...withoutHold(account, holdId), postedCredits }, operation, amountCredits, stamp, CREDITS_MAX);
	return next.kind === "moved" ? { ...next, account: giveBack(next.account, unused, stamp.atMs) } : next;
}

function voidHold(account: Account, operation: Extract<Operation, { kind: "void" }>, stamp: Stamp): Verdict {
	const hold = openHold(account, operation.holdId);
	const rest = withoutHold(account, operation.holdId);
	const next = moved(rest, operation, hold?.credits ?? 0, stamp, CREDITS_MAX);
	if (!hold || next.kind !== "moved") return next;
	return { ...next, account: giveBack(next.account, hold.shares, stamp.atMs) };
}

/**
 * Returns credits of a hold to their expiring grants, after debts are repaid. Credits that expired meanwhile are lost.
 */
function giveBack(account: Account, shares: readonly Share[], nowMs: number): Account {
	const roomCredits = Math.max(0, freeCredits(account)) - sumOf(account.shares);
	const { left: back } = takeFrom(shares, Math.max(0, sumOf(shares) - roomCredits));
	const alive = back.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
	const dead = back.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
	return writeOff({ ...account, shares: mergeShares(account.shares, alive) }, dead, nowMs);
}

/** A grant may expire in several parts: with each hold, or when another process's clock is behind. */
function writeOff(account: Account, gone: readonly Share[], nowMs: number): Account {
	return gone.reduce((current, { grantId, credits }) => {
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

function decideAgain(operation: Operation, past: Entry): Verdict {
	if (past.operationId !== operationIdOf(operation)) {
		return refused(past.kind === "post" ? "already_posted" : "already_voided");
	}
	const sameAmount = operation.kind === "void" || operation.amountCredits === past.amountCredits;
	return sameAmount && operation.kind === past.kind ? { kind: "already" } : refused("exists_with_different_amount");
}

function moved(
	account: Account,
	operation: Operation,
	amountCredits: Credits,
	stamp: Stamp,
	overdraftCredits: Credits = 0,
): Verdict {
	const operationId = operationIdOf(operation);
	const next = withEntry(account, { ...stamp, kind: operation.kind, operationId, amountCredits });
	if (operation.kind === "reserve") assertSound(next, overdraftCredits);
	return { kind: "moved", account: next };
}

function withEntry(account: Account, entry: Omit<Entry, "seq" | "postedAfterCredits" | "heldAfterCredits">): Account {
	const seq = account.seq + 1;
	const after = { postedAfterCredits: account.postedCredits, heldAfterCredits: heldCredits(account) };
	return { ...account, seq, entries: [...account.entries, { ...entry, seq, ...after }] };
}

function isAmount(operation: Operation): boolean {
	if (operation.kind === "void") return true;
	const { kind, amountCredits } = operation;
	if (!isWhole(amountCredits)) return false;
	if (kind === "reserve" && !(isWhole(operation.overdraftCredits) && operation.overdraftCredits >= 0)) return false;
	if (kind === "grant" && !Number.isSafeInteger(operation.expiresAtMs ?? 0)) return false;
	if (kind === "adjust") return amountCredits !== 0;
	return amountCredits >= (kind === "post" ? 0 : 1);
}

function isWhole(credits: number): boolean {
	return Number.isSafeInteger(credits) && Math.abs(credits) <= CREDITS_MAX;
}

const refused = (code: RefusalCode): Verdict => ({ kind: "refused", code });

function withoutHold(account: Account, holdId: string): Account {
	return { ...account, holds: account.holds.filter(({ id }) => id !== holdId) };
}
