import type { Account } from "./account.ts";
import { PAGE_ENTRIES, type Journal } from "./journal.ts";
import type { AccountId, Entry } from "./operations.ts";

/**
 * Copies the whole pages that accounts carry to the journal, while the next operations are already under way. Only of what
 * is written: an entry of a written account is final, so that a copy of it is one for ever.
 */
export interface PageCopies {
	/** Entries up to this one certainly stand in the journal. */
	copiedSeq(id: AccountId): number;
	/** Begins to copy, unless that is under way. A copy that fails is begun again after the next write. */
	begin(id: AccountId, written: Account): void;
	/** Copies at once what a written account carries. */
	complete(id: AccountId, written: Account): Promise<void>;
}

interface Copy {
	copiedSeq: number;
	underWay: boolean;
}

/** Remembers the accounts that were copied last; of others it knows nothing, and copies them again. */
export function createPageCopies(journal: Journal, accountsMax: number): PageCopies {
	const copies = new Map<AccountId, Copy>();

	function copyOf(id: AccountId): Copy {
		const copy = copies.get(id) ?? { copiedSeq: 0, underWay: false };
		copies.delete(id);
		copies.set(id, copy);
		const [oldest] = copies.keys();
		if (copies.size > accountsMax && oldest !== undefined) copies.delete(oldest);
		return copy;
	}

	async function append(id: AccountId, copy: Copy, entries: readonly Entry[]): Promise<void> {
		await journal.append(id, entries);
		copy.copiedSeq = Math.max(copy.copiedSeq, entries.at(-1)?.seq ?? 0);
	}

	return {
		copiedSeq: (id) => copies.get(id)?.copiedSeq ?? 0,
		begin(id, written) {
			const pages = wholePages(written);
			if (pages.length === 0) return;
			const copy = copyOf(id);
			const rest = pages.filter(({ seq }) => seq > copy.copiedSeq);
			if (copy.underWay || rest.length === 0) return;
			copy.underWay = true;
			const over = (): void => {
				copy.underWay = false;
			};
			append(id, copy, rest).then(over, over);
		},
		complete: (id, written) => append(id, copyOf(id), wholePages(written)),
	};
}

function wholePages({ entries, seq }: Account): readonly Entry[] {
	return entries.slice(0, Math.max(0, entries.length - (seq % PAGE_ENTRIES)));
}
