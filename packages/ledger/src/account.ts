/**
 * The account and its arithmetic, as pure functions. `postedCredits` is everything that the account owns. Open holds
 * reserve a part of it; the rest is available. Shares divide the expiring credits by grant, available ones in the account and held
 * ones in their hold, so a voided hold returns its credits to the same grants.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { storedObject } from "@atelier/store/stored-object";
import { ENTRY_KINDS, type Balance, type Credits } from "./ledger.ts";

/** The most open holds per account: a larger document would slow down every change. */
export const OPEN_HOLDS_MAX = 200;
/** The most expiring grants with available credits per account. Voided holds may return the credits of more. */
export const EXPIRING_GRANTS_MAX = 50;
/** Slots among them for recurring grants only: the current one and the next. */
export const RECURRING_GRANTS_MAX = 2;
/** Far below 2^53, so that sums stay exact. */
export const CREDITS_MAX = 1_000_000_000_000;

const wholeCredits = z.int().min(-CREDITS_MAX).max(CREDITS_MAX);

/** Unspent credits of one expiring grant, either available or in one hold. */
const shareSchema = storedObject({
	grantId: z.string(),
	credits: wholeCredits.min(1),
	expiresAtMs: z.number(),
});
export type Share = z.infer<typeof shareSchema>;

const holdSchema = storedObject({ id: z.string(), credits: wholeCredits.min(1), shares: z.array(shareSchema) });
export type Hold = z.infer<typeof holdSchema>;

export const entrySchema = storedObject({
	seq: z.int().min(1),
	operationId: z.string(),
	kind: z.enum(ENTRY_KINDS),
	amountCredits: wholeCredits,
	postedAfterCredits: wholeCredits,
	heldAfterCredits: wholeCredits.min(0),
	atMs: z.number(),
	by: z.string(),
	reason: z.string(),
	taskId: z.string().exactOptional(),
	mediaType: z.string().exactOptional(),
	model: z.string().exactOptional(),
});

export const accountSchema = storedObject({
	postedCredits: wholeCredits,
	/** Free expiring credits, soonest first. */
	shares: z.array(shareSchema),
	/** Open holds with unique ids, oldest first. */
	holds: z.array(holdSchema),
	/** The sequence number of the newest entry. */
	seq: z.int().min(0),
	/** The newest entries: a change and its entry are one write. Full pages of entries are in the journal. */
	entries: z.array(entrySchema),
})
	.refine(({ holds }) => sharesFit(holds), "the shares of a hold never exceed its credits")
	.refine(({ holds }) => new Set(holds.map(({ id }) => id)).size === holds.length, "hold ids are unique");

export type Account = z.infer<typeof accountSchema>;

export const EMPTY_ACCOUNT: Account = { postedCredits: 0, shares: [], holds: [], seq: 0, entries: [] };

export function heldCredits(account: Pick<Account, "holds">): Credits {
	return account.holds.reduce((sum, { credits }) => sum + credits, 0);
}

export function openHold({ holds }: Pick<Account, "holds">, holdId: string): Hold | undefined {
	return holds.find(({ id }) => id === holdId);
}

export function availableCredits(account: Account): Credits {
	return account.postedCredits - heldCredits(account);
}

export function balanceOf(account: Account): Balance {
	return {
		postedCredits: account.postedCredits,
		heldCredits: heldCredits(account),
		availableCredits: availableCredits(account),
		expiring: account.shares.map(({ credits, expiresAtMs }) => ({ credits, expiresAtMs })),
	};
}

/** Takes up to this number of credits from the shares, soonest expiry first. */
export function takeShares(shares: readonly Share[], credits: Credits): { taken: Share[]; left: Share[] } {
	let missing = credits;
	const taken: Share[] = [];
	const left: Share[] = [];
	for (const share of shares) {
		const part = Math.min(missing, share.credits);
		missing -= part;
		if (part > 0) taken.push({ ...share, credits: part });
		if (part < share.credits) left.push({ ...share, credits: share.credits - part });
	}
	return { taken, left };
}

/** Merges shares of the same grant, and sorts by expiry. */
export function mergeShares(...lists: readonly (readonly Share[])[]): Share[] {
	const byGrant = new Map<string, Share>();
	for (const share of lists.flat()) {
		const merged = byGrant.get(share.grantId);
		byGrant.set(share.grantId, { ...share, credits: share.credits + (merged?.credits ?? 0) });
	}
	return [...byGrant.values()].toSorted((a, b) => a.expiresAtMs - b.expiresAtMs);
}

export function sumShares(shares: readonly Share[]): Credits {
	return shares.reduce((sum, { credits }) => sum + credits, 0);
}

/**
 * Asserts the invariants of an account after a reservation. The balance may be below zero only with an overdraft. Checks the newest
 * hold only: the others were checked when they were created or read.
 */
export function assertReservation(account: Account, overdraftCredits: Credits): void {
	const available = availableCredits(account);
	assert(available + overdraftCredits >= 0, "holds never exceed the balance and its overdraft");
	assert(sumShares(account.shares) <= Math.max(available, 0), "expiring credits are part of the available ones");
	assert(sharesFit(account.holds.slice(-1)), "the shares of a hold never exceed its credits");
}

function sharesFit(holds: readonly Hold[]): boolean {
	return holds.every(({ credits, shares }) => sumShares(shares) <= credits);
}
