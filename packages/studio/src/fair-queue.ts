interface Waiting {
	readonly account: string;
}

/** Who waits, account by account: each gets its turn, however many others have lined up before. */
export interface FairQueue<T extends Waiting> {
	push(entry: T): void;
	/** The first of the account whose turn it is. */
	shift(): T | undefined;
	remove(entry: T): void;
	/** 1 is next, as long as nobody else comes; `null` where it does not wait here. */
	positionOf(entry: T): number | null;
}

/** Who waits of one account, in the order of asking. */
interface Line<T> {
	readonly entries: T[];
	/** The account with the lowest number is next; whoever has had its turn gets the highest. */
	turn: number;
}

export function createFairQueue<T extends Waiting>(): FairQueue<T> {
	const lines = new Map<string, Line<T>>();
	/** Who is served in each round from now on, by turn: an account is in as many of the first ones as it has waiting. */
	const rounds: Line<T>[][] = [];
	let turns = 0;

	function leaveLastRound(line: Line<T>): void {
		const last = rounds[line.entries.length - 1] ?? [];
		last.splice(placeIn(last, line.turn), 1);
		// A round has nobody who is not in those before it.
		if (last.length === 0) rounds.pop();
	}

	return {
		push(entry) {
			const line = lines.get(entry.account) ?? { entries: [], turn: turns++ };
			lines.set(entry.account, line);
			line.entries.push(entry);
			const round = (rounds[line.entries.length - 1] ??= []);
			round.splice(placeIn(round, line.turn), 0, line);
		},
		shift() {
			const line = rounds[0]?.[0];
			const next = line?.entries[0];
			if (!line || !next) return undefined;
			leaveLastRound(line);
			line.entries.shift();
			line.turn = turns++;
			// Being next, it was the first of every round that it was in.
			for (const round of rounds.slice(0, line.entries.length)) round.push(...round.splice(0, 1));
			if (line.entries.length === 0) lines.delete(next.account);
			return next;
		},
		remove(entry) {
			const line = lines.get(entry.account);
			const place = line?.entries.indexOf(entry) ?? -1;
			if (!line || place < 0) return;
			leaveLastRound(line);
			line.entries.splice(place, 1);
			if (line.entries.length === 0) lines.delete(entry.account);
		},
		positionOf(entry) {
			const line = lines.get(entry.account);
			const place = line?.entries.indexOf(entry) ?? -1;
			const round = rounds[place];
			if (!line || !round) return null;
			let before = placeIn(round, line.turn);
			for (let earlier = 0; earlier < place; earlier++) before += rounds[earlier]?.length ?? 0;
			return before + 1;
		},
	};
}

/** How many of a round come before a turn. */
function placeIn(round: readonly { readonly turn: number }[], turn: number): number {
	let [from, to] = [0, round.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if ((round[middle]?.turn ?? turn) < turn) from = middle + 1;
		else to = middle;
	}
	return from;
}
