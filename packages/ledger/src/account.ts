/**
 * The account and its arithmetic. Pure. * `postedCredits` is everything the account owns. Holds reserve a part of it;
 * of the free rest, a part belongs to grants that expire. A hold remembers which grants it took from, so that voiding
 * returns credits to the same grants.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { ENTRY_KINDS, type Balance, type Credits } from "./operations.ts";

/** The most open holds per account: a larger document would slow down every change. */
export const OPEN_HOLDS_MAX = 200;
/** The most unspent expiring grants per account. */
export const EXPIRING_GRANTS_MAX = 50;
/** Slots among them for recurring grants only: the current one and the next. */
export const RECURRING_GRANTS_MAX = 2;
/** Far beyond any use, and far below 2^53, so that sums stay exact. */
export const CREDITS_MAX = 1_000_000_000_000;

const wholeCredits = z.int().min(-CREDITS_MAX).max(CREDITS_MAX);

/** Credits of one expiring grant, either free or inside a hold. */
const shareSchema = z.object({
	grantId: z.string(),
	credits: wholeCredits.min(1),
	expiresAtMs: z.number(),
});
export type Share = z.infer<typeof shareSchema>;

const holdSchema = z.object({ id: z.string(), credits: wholeCredits.min(1), shares: z.array(shareSchema) });
export type Hold = z.infer<typeof holdSchema>;

export const entrySchema = z.object({
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

export const accountSchema = z
	.object({
		postedCredits: wholeCredits,
		/** Free expiring credits, soonest first. */
		shares: z.array(shareSchema),
		/** Open holds with unique ids, oldest first. */
		holds: z.array(holdSchema),
		/** The sequence number of the newest entry. */
		seq: z.int().min(0),
		/** The newest entries, until they are copied to the journal, so that a change and its entry are one write. */
		entries: z.array(entrySchema),
	})
	.refine(({ holds }) => holdsAddUp(holds), "the parts of a hold never exceed its total")
	.refine(({ holds }) => new Set(holds.map(({ id }) => id)).size === holds.length, "a hold is opened once");

export type Account = z.infer<typeof accountSchema>;

export const EMPTY_ACCOUNT: Account = { postedCredits: 0, shares: [], holds: [], seq: 0, entries: [] };

export function heldCredits(account: Pick<Account, "holds">): Credits {
	return account.holds.reduce((sum, { credits }) => sum + credits, 0);
}

export function openHold({ holds }: Pick<Account, "holds">, holdId: string): Hold | undefined {
	return holds.find(({ id }) => id === holdId);
}

export function freeCredits(account: Account): Credits {
	return account.postedCredits - heldCredits(account);
}

export function balanceOf(account: Account): Balance {
	const held = heldCredits(account);
	return {
		postedCredits: account.postedCredits,
		heldCredits: held,
		availableCredits: account.postedCredits - held,
		expiring: account.shares.map(({ credits, expiresAtMs }) => ({ credits, expiresAtMs })),
	};
}

/**
 * Takes credits from shares, soonest first. Returns the taken and the remaining shares; takes less if there are fewer.
 */
export function takeFrom(shares: readonly Share[], credits: Credits): { taken: Share[]; left: Share[] } {
	let wanted = credits;
	const taken: Share[] = [];
	const left: Share[] = [];
	for (const share of shares) {
		const part = Math.min(wanted, share.credits);
		wanted -= part;
		if (part > 0) taken.push({ ...share, credits: part });
		if (part < share.credits) left.push({ ...share, credits: share.credits - part });
	}
	return { taken, left };
}

/** Merges shares of the same grant, soonest first. */
export function mergeShares(...lists: readonly (readonly Share[])[]): Share[] {
	const byGrant = new Map<string, Share>();
	for (const share of lists.flat()) {
		const known = byGrant.get(share.grantId);
		byGrant.set(share.grantId, { ...share, credits: share.credits + (known?.credits ?? 0) });
	}
	return [...byGrant.values()].toSorted((a, b) => a.expiresAtMs - b.expiresAtMs);
}

export function sumOf(shares: readonly Share[]): Credits {
	return shares.reduce((sum, { credits }) => sum + credits, 0);
}

/**
 * Asserts the invariants after every change. The balance may be below zero only with an overdraft. Checks the newest
 * hold only: the others were checked when they were created or read.
 */
export function assertSound(account: Account, overdraftCredits: Credits): void {
	const free = freeCredits(account);
	assert(free + overdraftCredits >= 0, "an account never holds more than it has");
	assert(sumOf(account.shares) <= Math.max(free, 0), "expiring credits are part of the available ones");
	assert(holdsAddUp(account.holds.slice(-1)), "the parts of a hold add up to its total");
}

function holdsAddUp(holds: readonly Hold[]): boolean {
	return holds.every(({ credits, shares }) => shares.length === 0 || sumOf(shares) <= credits);
}
