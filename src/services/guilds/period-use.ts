/** What a server's credits were spent on since a period began: counted from the journal of its account. */
import { LRUCache } from "lru-cache";
import type { AccountId, Credits, Entry, Ledger } from "@atelier/ledger/operations";
import { CorruptDocument } from "@atelier/store/keyv-store";
import { entriesBack } from "./entries-back.ts";

/** Periods whose sums are kept; the others are counted anew when they are asked for. */
const SUMS_MAX = 500;
/** Entries read at a time: a whole period at first, afterwards what one or two tasks add. */
const FIRST_PAGE_ENTRIES = 200;
const NEXT_PAGE_ENTRIES = 8;

interface Spender {
	/** `member:ID`; everything that the account paid for where absent. */
	readonly by?: string;
	readonly mediaType?: string;
}

export interface PeriodUse {
	/** Credits charged for tasks that were reserved since `startsAtMs`. What cannot be read counts as nothing. */
	spent(account: AccountId, startsAtMs: number, spender: Spender): Promise<Credits>;
}

interface Sums {
	/** The newest entry that is counted. */
	seq: number;
	/** By spender and medium, each also alone. */
	readonly credits: Map<string, Credits>;
	/** Holds of the period that have not ended. */
	readonly open: Set<string>;
	/** A count under way: requests of the same moment share it. */
	counting?: Promise<void>;
}

export function createPeriodUse(ledger: Pick<Ledger, "history">): PeriodUse {
	const known = new LRUCache<string, Sums>({ max: SUMS_MAX });

	function sumsOf(account: AccountId, startsAtMs: number): Sums {
		const key = `${account} ${startsAtMs}`;
		const sums = known.get(key) ?? { seq: 0, credits: new Map(), open: new Set() };
		known.set(key, sums);
		return sums;
	}

	/** Adds what the journal has beyond the newest entry that is counted. */
	async function count(sums: Sums, account: AccountId, startsAtMs: number): Promise<void> {
		const ended = new Map<string, Entry>();
		const begun = new Set<string>();
		const spent: Entry[] = [];
		let newestSeq = sums.seq;
		const pageEntries = sums.seq === 0 ? FIRST_PAGE_ENTRIES : NEXT_PAGE_ENTRIES;
		for await (const entry of entriesBack(ledger, account, undefined, pageEntries)) {
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
		// The rest began before: in this period and counted as open then, or in an earlier one.
		for (const [holdId, end] of ended) if (sums.open.delete(holdId) && end.kind === "post") spent.push(end);
		for (const holdId of begun) sums.open.add(holdId);
		for (const { by, mediaType = "", amountCredits } of spent) {
			// Without a medium some of these are the same.
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
				// The audit reports a damaged journal; limits go on with what their own accounts count.
				if (!(error instanceof CorruptDocument)) throw error;
			}
			return sums.credits.get(keyOf(spender)) ?? 0;
		},
	};
}

function keyOf({ by = "", mediaType = "" }: Spender): string {
	return `${by} ${mediaType}`;
}
