/** Counts a server's charges since the start of a period, from the account's journal. */
import { LRUCache } from "lru-cache";
import type { AccountId, Credits, Entry, Ledger } from "@atelier/ledger/ledger";
import type { MediaType } from "@atelier/media-protocol/model";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { readJournalReverse } from "./history.ts";

/** The most periods whose sums are kept. Others are counted again when they are needed. */
const CACHED_PERIODS_MAX = 500;
/** Size of the first page of a later count, which mostly reads the entries of one or two tasks. */
const NEXT_COUNT_ENTRIES = 8;

/** Selects charges by member and media type. */
export interface Spender {
	/** `member:ID`; absent for all members. */
	readonly by?: string;
	/** Absent for all media types. */
	readonly mediaType?: MediaType;
}

/** The credits charged for tasks that were reserved in a period. */
export interface Spending {
	/** The members who were charged, as `member:ID`. */
	readonly members: ReadonlySet<string>;
	readonly spentCredits: (spender: Spender) => Credits;
}

/** The counted sums of one account and period. */
interface Sums {
	/** Sequence number of the newest counted entry; 0 before the first count. */
	newestSeq: number;
	/** Charged credits by member and media type, by each alone, and in total. See `keyOf`. */
	readonly spentCredits: Map<string, Credits>;
	readonly members: Set<string>;
	/** Holds that were reserved in the period and have not ended. */
	readonly openHoldIds: Set<string>;
	/** The running count, which concurrent callers share. */
	running?: Promise<void>;
}

export function createPeriodSpending(ledger: Pick<Ledger, "history">) {
	const sumsByPeriod = new LRUCache<string, Sums>({ max: CACHED_PERIODS_MAX });

	function sumsOf(account: AccountId, startsAtMs: number): Sums {
		const key = `${account} ${startsAtMs}`;
		const sums = sumsByPeriod.get(key) ?? {
			newestSeq: 0,
			spentCredits: new Map(),
			members: new Set(),
			openHoldIds: new Set(),
		};
		sumsByPeriod.set(key, sums);
		return sums;
	}

	/** Adds the entries after `sums.newestSeq`. */
	async function countNewEntries(sums: Sums, account: AccountId, startsAtMs: number): Promise<void> {
		const endEntries = new Map<string, Entry>();
		const openedHoldIds = new Set<string>();
		const charges: Entry[] = [];
		let newestSeq = sums.newestSeq;
		const firstPageEntries = sums.newestSeq === 0 ? undefined : NEXT_COUNT_ENTRIES;
		for await (const entry of readJournalReverse(ledger, account, undefined, firstPageEntries)) {
			if (entry.seq <= sums.newestSeq || entry.atMs < startsAtMs) break;
			newestSeq = Math.max(newestSeq, entry.seq);
			const { kind, operationId } = entry;
			const holdId = operationId.slice(kind.length + 1);
			if (kind === "post" || kind === "void") endEntries.set(holdId, entry);
			if (kind !== "reserve") continue;
			const endEntry = endEntries.get(holdId);
			if (!endEntry) openedHoldIds.add(holdId);
			else if (endEntry.kind === "post") charges.push(endEntry);
			endEntries.delete(holdId);
		}
		// The other holds that ended were reserved before the entries of this read. Of them, count those of this period.
		for (const [holdId, endEntry] of endEntries)
			if (sums.openHoldIds.delete(holdId) && endEntry.kind === "post") charges.push(endEntry);
		for (const holdId of openedHoldIds) sums.openHoldIds.add(holdId);
		for (const { by, mediaType = "", amountCredits } of charges) {
			sums.members.add(by);
			// A set, because without a media type some keys are equal.
			for (const key of new Set([keyOf({}), keyOf({ by }), keyOf({ mediaType }), keyOf({ by, mediaType })]))
				sums.spentCredits.set(key, (sums.spentCredits.get(key) ?? 0) + amountCredits);
		}
		sums.newestSeq = newestSeq;
	}

	return {
		/** Counts the charges since `startsAtMs`. If the journal is corrupt, returns the last successful count, which may be empty. */
		async read(account: AccountId, startsAtMs: number): Promise<Spending> {
			const sums = sumsOf(account, startsAtMs);
			sums.running ??= countNewEntries(sums, account, startsAtMs).finally(() => delete sums.running);
			try {
				await sums.running;
			} catch (error) {
				// The audit reports a corrupt journal. Limits still apply, because each has a limit account with its own balance.
				if (!(error instanceof CorruptDocumentError)) throw error;
			}
			return { members: sums.members, spentCredits: (spender) => sums.spentCredits.get(keyOf(spender)) ?? 0 };
		},
	};
}

function keyOf({ by = "", mediaType = "" }: { readonly by?: string; readonly mediaType?: string }): string {
	return `${by} ${mediaType}`;
}
