interface OfAccount {
	readonly account: string;
}

/** A queue in which accounts take turns, with one entry each. */
export interface FairQueue<Entry extends OfAccount> {
	/** An account without an entry gets the last turn. */
	add(entry: Entry): void;
	/** Removes the first entry, and returns it. */
	take(): Entry | undefined;
	/** Returns false if the entry is not in the queue. */
	remove(entry: Entry): boolean;
	/** Returns the position of an entry, from 1; `null` if it is not in the queue. */
	positionOf(entry: Entry): number | null;
}

export function createFairQueue<Entry extends OfAccount>(): FairQueue<Entry> {
	/** The entries of each account, in the order of the accounts' turns. */
	const byAccount = new Map<string, Entry[]>();

	return {
		add(entry) {
			const ofAccount = byAccount.get(entry.account);
			if (ofAccount) ofAccount.push(entry);
			else byAccount.set(entry.account, [entry]);
		},
		take() {
			const [next] = byAccount;
			if (!next) return undefined;
			const [account, entries] = next;
			const entry = entries.shift();
			byAccount.delete(account);
			if (entries.length > 0) byAccount.set(account, entries);
			return entry;
		},
		remove(entry) {
			const { account } = entry;
			const ofAccount = byAccount.get(account) ?? [];
			if (!ofAccount.includes(entry)) return false;
			if (ofAccount.length === 1) byAccount.delete(account);
			else ofAccount.splice(ofAccount.indexOf(entry), 1);
			return true;
		},
		positionOf(entry) {
			const ownEntriesBefore = byAccount.get(entry.account)?.indexOf(entry) ?? -1;
			if (ownEntriesBefore < 0) return null;
			let position = 1;
			// An account has a turn before each of the own entries, and one more if its turn comes before that of the own account.
			let turns = ownEntriesBefore + 1;
			for (const [account, entries] of byAccount) {
				if (account === entry.account) turns -= 1;
				position += Math.min(turns, entries.length);
			}
			return position;
		},
	};
}
