import type { AccountId, Entry, Ledger } from "@atelier/ledger/operations";

const PAGE_ENTRIES = 200;

/** A journal backwards, newest first, a page at a time and only as far as somebody reads. */
export async function* entriesBack(
	ledger: Pick<Ledger, "history">,
	account: AccountId,
	beforeSeq?: number,
	pageEntries = PAGE_ENTRIES,
): AsyncGenerator<Entry> {
	let before = beforeSeq;
	while (before === undefined || before > 1) {
		const page = { limit: pageEntries, ...(before !== undefined && { beforeSeq: before }) };
		const entries = await ledger.history(account, page);
		yield* entries;
		const oldest = entries.at(-1);
		if (!oldest) return;
		before = oldest.seq;
	}
}
