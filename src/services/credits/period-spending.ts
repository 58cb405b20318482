/** Counts a guild's charges since the start of a period, from the account's journal. */
import { LRUCache } from "lru-cache";
import type { AccountId, Credits, Entry, Ledger } from "@atelier/ledger/operations";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import { readJournalReverse } from "./history.ts";

/** Cached periods; others are counted again. */
const SUMS_MAX = 500;
/** Page sizes: a whole period first, then the entries of one or two tasks. */
const FIRST_PAGE_ENTRIES = 200;
const NEXT_PAGE_ENTRIES = 8;

interface Spender {
	/** `member:ID`; absent for all members. */
	readonly by?: string;
	readonly mediaType?: string;
}

export interface PeriodUsage {
	/** Credits charged for tasks reserved since `startsAtMs`. A corrupt journal counts as 0. */
	spent(account: AccountId, startsAtMs: number, spender: Spender): Promise<Credits>;
}

interface Sums {
	/** Newest counted entry. */
	seq: number;
	/** By member and media type, and by each alone. */
	readonly credits: Map<string, Credits>;
	/** Open holds of the period. */
	readonly open: Set<string>;
	/** Running count, shared by concurrent callers. */
	counting?: Promise<void>;
}

export function createPeriodUsage(ledger: Pick<Ledger, "history">): PeriodUsage {
	const known = new LRUCache<string, Sums>({ max: SUMS_MAX });

	function sumsOf(account: AccountId, startsAtMs: number): Sums {
		const key = `${account} ${startsAtMs}`;
		const sums = known.get(key) ?? { seq: 0, credits: new Map(), open: new Set() };
		known.set(key, sums);
		return sums;
	}

	/** Adds the entries after `sums.seq`. */
	async function count(sums: Sums, account: AccountId, startsAtMs: number): Promise<void> {
		const ended = new Map<string, Entry>();
		const begun = new Set<string>();
		const spent: Entry[] = [];
		let newestSeq = sums.seq;
		const pageEntries = sums.seq === 0 ? FIRST_PAGE_ENTRIES : NEXT_PAGE_ENTRIES;
		for await (const entry of readJournalReverse(ledger, account, undefined, pageEntries)) {
			if (entry.seq <= sums.seq || entry.atMs < startsAtMs) break;
			newestSeq = Math.max(newestSeq, entry.seq);
			const { kind, operationId } = entry;
			const holdId = operationId.slice(kind.length + 1);
			if (kind === "post" || kind === "void") ended.set(holdId, entry);
			if (kind !== "reserve") continue;
			const end = ended.get(holdId);
			if (!end) begun.add(holdId);
			else if (end.kind === "post") spent.push(end);
			ended.delete(holdId);
		}
		// Holds without a reservation in this read: already open in this period, or from an earlier one.
		for (const [holdId, end] of ended) if (sums.open.delete(holdId) && end.kind === "post") spent.push(end);
		for (const holdId of begun) sums.open.add(holdId);
		for (const { by, mediaType = "", amountCredits } of spent) {
			// Without a media type some keys are equal.
			for (const key of new Set([keyOf({}), keyOf({ by }), keyOf({ mediaType }), keyOf({ by, mediaType })]))
				sums.credits.set(key, (sums.credits.get(key) ?? 0) + amountCredits);
		}
		sums.seq = newestSeq;
	}

	return {
		async spent(account, startsAtMs, spender) {
			const sums = sumsOf(account, startsAtMs);
			sums.counting ??= count(sums, account, startsAtMs).finally(() => delete sums.counting);
			try {
				await sums.counting;
			} catch (error) {
				// The audit reports a corrupt journal; limits continue with their own accounts.
				if (!(error instanceof CorruptDocumentError)) throw error;
			}
			return sums.credits.get(keyOf(spender)) ?? 0;
		},
	};
}

function keyOf({ by = "", mediaType = "" }: Spender): string {
	return `${by} ${mediaType}`;
}
