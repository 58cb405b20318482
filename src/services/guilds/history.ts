/** What an account's journal says, a page at a time, of everybody or of one member. */
import type { AccountId, Entry, Ledger } from "@atelier/ledger/operations";
import { entriesBack } from "./entries-back.ts";

/** Entries that one look goes through: a member who rarely does anything is not searched for through years at once. */
const LOOKED_AT_MAX = 5_000;

interface HistoryQuery {
	readonly entriesMax: number;
	/** Only what this member did. */
	readonly userId?: string | undefined;
	/** Only what is older than this entry. */
	readonly beforeSeq?: number | undefined;
	/** Only what credits went to, and nothing that was granted or taken. */
	readonly usesOnly?: boolean;
	/** Only what moved credits for good, or gave them back. */
	readonly endsOnly?: boolean;
	readonly lookedAtMax?: number;
}

export interface HistoryPage {
	/** Newest first. */
	readonly entries: readonly Entry[];
	/** From where to go on; `undefined` at the beginning of the journal. */
	readonly nextBeforeSeq: number | undefined;
	/** The page is shorter than asked for because the look went far enough back, not because there is no more. */
	readonly isCutShort: boolean;
}

export async function readHistory(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	query: HistoryQuery,
): Promise<HistoryPage> {
	const { entriesMax, beforeSeq, lookedAtMax = LOOKED_AT_MAX } = query;
	const entries: Entry[] = [];
	let lookedAt = 0;
	for await (const entry of entriesBack(ledger, account, beforeSeq)) {
		if (entries.length === entriesMax || lookedAt === lookedAtMax) {
			return { entries, nextBeforeSeq: entry.seq + 1, isCutShort: entries.length < entriesMax };
		}
		lookedAt++;
		if (isWanted(entry, query)) entries.push(entry);
	}
	return { entries, nextBeforeSeq: undefined, isCutShort: false };
}

function isWanted(
	{ by, kind, amountCredits }: Entry,
	{ userId, usesOnly = false, endsOnly = false }: HistoryQuery,
): boolean {
	if (userId !== undefined && by !== `member:${userId}`) return false;
	if (usesOnly && (kind === "grant" || kind === "adjust")) return false;
	// A refused task gives back nothing, because nothing was set aside.
	return !endsOnly || (kind !== "reserve" && amountCredits !== 0);
}

/** What an entry did to what the account owns, with its sign. */
export function movedCredits({ kind, amountCredits }: Pick<Entry, "kind" | "amountCredits">): number {
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
