/** Reads an account's journal in pages, optionally of one member. */
import { byMember } from "../access/change-author.ts";
import type { AccountId, Entry, Ledger } from "@atelier/ledger/ledger";

/** The most entries scanned for one page: bounds the search for a member with few entries. */
const SCANNED_MAX = 5_000;

interface HistoryQuery {
	readonly entriesMax: number;
	/** The number of newest matching entries to skip. */
	readonly skip?: number;
	readonly userId?: string | undefined;
	readonly kind?: Entry["kind"] | undefined;
	readonly beforeSeq?: number | undefined;
	/** Only entries of tasks and expiries: no grants and no adjustments. */
	readonly spendingOnly?: boolean;
	/** Only entries with an effect: no reservations, and no entries of 0 credits. */
	readonly effectiveOnly?: boolean;
	readonly scannedMax?: number;
}

export interface HistoryPage {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** Cursor of the next page; `undefined` at the end. */
	readonly nextBeforeSeq: number | undefined;
	/** True if the scan limit ended the page early. */
	readonly isTruncated: boolean;
}

/** Reads one page of the entries that match the query. */
export async function readHistory(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	query: HistoryQuery,
): Promise<HistoryPage> {
	const { entriesMax, skip = 0, beforeSeq, scannedMax = SCANNED_MAX } = query;
	const entries: Entry[] = [];
	let scanned = 0;
	let skipped = 0;
	for await (const entry of readJournalReverse(ledger, account, beforeSeq)) {
		const isFull = entries.length === entriesMax;
		if (scanned === scannedMax) return { entries, nextBeforeSeq: entry.seq + 1, isTruncated: !isFull };
		scanned++;
		if (!matchesQuery(entry, query)) continue;
		if (isFull) return { entries, nextBeforeSeq: entry.seq + 1, isTruncated: false };
		if (skipped < skip) skipped++;
		else entries.push(entry);
	}
	return { entries, nextBeforeSeq: undefined, isTruncated: false };
}

function matchesQuery(
	{ by, kind, amountCredits }: Entry,
	{ userId, kind: queriedKind, spendingOnly = false, effectiveOnly = false }: HistoryQuery,
): boolean {
	if (queriedKind !== undefined && kind !== queriedKind) return false;
	if (userId !== undefined && by !== byMember(userId)) return false;
	if (spendingOnly && (kind === "grant" || kind === "adjust")) return false;
	// A denied task voids a hold of 0.
	return !effectiveOnly || (kind !== "reserve" && amountCredits !== 0);
}

/** Returns by how much an entry changes the posted credits: negative for a charge or an expiry, 0 for holds. */
export function signedCredits({ kind, amountCredits }: Pick<Entry, "kind" | "amountCredits">): number {
	switch (kind) {
		case "grant":
		case "adjust":
			return amountCredits;
		case "post":
		case "expire":
			return -amountCredits;
		case "reserve":
		case "void":
			return 0;
	}
}

/** Returns the reason of a grant or an adjustment; empty for tasks and expiries, whose reasons are ids and keys of messages. */
export function givenReason({ kind, reason }: Pick<Entry, "kind" | "reason">): string {
	return kind === "grant" || kind === "adjust" ? reason : "";
}

const PAGE_ENTRIES = 200;

/** Yields journal entries newest first, loading pages on demand. */
export async function* readJournalReverse(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	beforeSeq?: number,
	firstPageEntries = PAGE_ENTRIES,
): AsyncGenerator<Entry> {
	let before = beforeSeq;
	let limit = firstPageEntries;
	while (before === undefined || before > 1) {
		const page = { limit, ...(before !== undefined && { beforeSeq: before }) };
		limit = PAGE_ENTRIES;
		const entries = await ledger.history(account, page);
		yield* entries;
		const oldest = entries.at(-1);
		if (!oldest) return;
		before = oldest.seq;
	}
}
