/**
 * What an account is, and how its parts add up: pure.
 *
 * `postedCredits` is everything the account owns. Some of it is set aside by holds; of the rest, some belongs to grants
 * that expire. A hold remembers from which of those it took, so that what it gives back goes where it came from.
 */
import assert from "node:assert/strict";
import { z } from "zod";
import { ENTRY_KINDS, type Balance, type Credits } from "./operations.ts";

/** Open holds one account may have: a larger document would make every change of it slow. */
export const OPEN_HOLDS_MAX = 200;
/** Unused grants with an end that one account may have. */
export const EXPIRING_GRANTS_MAX = 50;
/** Places among them that only grants which come again may take: the running one, and the one after it. */
export const RECURRING_GRANTS_MAX = 2;
/** Far beyond any use, and far enough below 2^53 that no sum is ever inexact. */
export const CREDITS_MAX = 1_000_000_000_000;

const wholeCredits = z.int().min(-CREDITS_MAX).max(CREDITS_MAX);

/** Credits of one grant that expires: those that are free, or those that a hold took of it. */
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
		/** Free credits that expire, soonest first. */
		shares: z.array(shareSchema),
		/** Open holds, oldest first; no id twice. */
		holds: z.array(holdSchema),
		/** The seq of the newest entry. */
		seq: z.int().min(0),
		/** The newest entries, until they are copied to the journal: so that a change and its entry are one write. */
		entries: z.array(entrySchema),
	})
	.refine(({ holds }) => holdsAddUp(holds), "a hold has more in its parts than in all")
	.refine(({ holds }) => new Set(holds.map(({ id }) => id)).size === holds.length, "a hold is open twice");

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

/** Takes credits from shares, soonest first: what is taken, and what stays. Takes less where the shares hold less. */
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

/** Puts shares together, one for each grant, soonest first. */
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
 * Holds after every change. The balance may be below zero only where an overdraft was asked for. Of the holds the newest is
 * looked at: the others were when they were made, and when they were read.
 */
export function assertSound(account: Account, overdraftCredits: Credits): void {
	const free = freeCredits(account);
	assert(free + overdraftCredits >= 0, "an account never holds more than it has");
	assert(sumOf(account.shares) <= Math.max(free, 0), "what expires is part of what is free");
	assert(holdsAddUp(account.holds.slice(-1)), "a hold is made of its parts");
}

function holdsAddUp(holds: readonly Hold[]): boolean {
	return holds.every(({ credits, shares }) => shares.length === 0 || sumOf(shares) <= credits);
}
