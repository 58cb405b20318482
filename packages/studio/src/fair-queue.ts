interface Waiting {
	readonly account: string;
}

/** A queue in which accounts take turns, however many entries each has. */
export interface FairQueue<T extends Waiting> {
	push(entry: T): void;
	/** Takes the first entry of the next account. */
	shift(): T | undefined;
	remove(entry: T): void;
	/** 1 is next; `null` if the entry is not in this queue. */
	positionOf(entry: T): number | null;
}

export function createFairQueue<T extends Waiting>(): FairQueue<T> {
	/** Waiting entries by account, in the order of turns. */
	const lines = new Map<string, T[]>();

	return {
		push(entry) {
			const line = lines.get(entry.account);
			if (line) line.push(entry);
			else lines.set(entry.account, [entry]);
		},
		shift() {
			for (const [account, line] of lines) {
				const next = line.shift();
				lines.delete(account);
				if (line.length > 0) lines.set(account, line);
				return next;
			}
			return undefined;
		},
		remove(entry) {
			const line = lines.get(entry.account)?.filter((each) => each !== entry) ?? [];
			if (line.length > 0) lines.set(entry.account, line);
			else lines.delete(entry.account);
		},
		positionOf(entry) {
			const index = lines.get(entry.account)?.indexOf(entry) ?? -1;
			if (index < 0) return null;
			let before = index;
			// Earlier accounts have one more turn before the entry.
			let turns = index + 1;
			for (const [account, line] of lines) {
				if (account === entry.account) turns = index;
				else before += Math.min(line.length, turns);
			}
			return before + 1;
		},
	};
}
