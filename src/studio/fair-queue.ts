interface Waiting {
	readonly account: string;
}

/** Who waits, account by account: each gets its turn, however many others have lined up before. */
export interface FairQueue<T extends Waiting> {
	push(entry: T): void;
	/** The first of the account whose turn it is. */
	shift(): T | undefined;
	remove(entry: T): void;
	/** Takes out everything that this is true of. */
	removeWhere(isGone: (entry: T) => boolean): readonly T[];
	/** 1 is next, as long as nobody else comes; `null` where it does not wait here. */
	positionOf(entry: T): number | null;
}

export function createFairQueue<T extends Waiting>(): FairQueue<T> {
	/** In the order of their turns: a map keeps the order in which keys came. */
	const lines = new Map<string, T[]>();

	function removeWhere(isGone: (entry: T) => boolean): readonly T[] {
		const gone: T[] = [];
		for (const [account, line] of lines) {
			const left = line.filter((entry) => !isGone(entry));
			if (left.length === line.length) continue;
			gone.push(...line.filter(isGone));
			if (left.length > 0) lines.set(account, left);
			else lines.delete(account);
		}
		return gone;
	}

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
		remove: (entry) => void removeWhere((each) => each === entry),
		removeWhere,
		positionOf(entry) {
			const own = lines.get(entry.account);
			const place = own?.indexOf(entry) ?? -1;
			if (place < 0) return null;
			let before = place;
			let hasHadItsTurn = true;
			for (const line of lines.values()) {
				if (line === own) hasHadItsTurn = false;
				// One of every other account for each of its own that is before it, and one more of those whose turn is sooner.
				else before += Math.min(line.length, place + (hasHadItsTurn ? 1 : 0));
			}
			return before + 1;
		},
	};
}
