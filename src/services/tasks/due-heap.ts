/** An entry of the heap, which maintains `place`. */
export interface DueItem {
	readonly taskId: string;
	readonly dueAtMs: number;
	/** The lowest comes first; equal entries keep their insertion order. */
	readonly rankMs: number;
	readonly turn: number;
	place: number;
}

/** A binary heap with the index of each entry, so that rescheduling leaves no stale entry. */
export interface DueHeap {
	readonly size: () => number;
	peek(): DueItem | undefined;
	pop(): DueItem | undefined;
	push(due: DueItem): void;
	remove(due: DueItem): void;
}

export function createDueHeap(): DueHeap {
	const items: DueItem[] = [];

	function put(due: DueItem, place: number): void {
		items[place] = due;
		due.place = place;
	}

	function rise(due: DueItem, from: number): number {
		let place = from;
		while (place > 0) {
			const above = (place - 1) >> 1;
			const parent = items[above];
			if (!parent || !isBefore(due, parent)) break;
			put(parent, place);
			place = above;
		}
		return place;
	}

	function sink(due: DueItem, from: number): number {
		let place = from;
		for (;;) {
			const left = items[place * 2 + 1];
			const right = items[place * 2 + 2];
			const child = left && right && isBefore(right, left) ? right : left;
			if (!child || !isBefore(child, due)) return place;
			const below = child.place;
			put(child, place);
			place = below;
		}
	}

	function remove(due: DueItem): void {
		const { place } = due;
		const last = items.pop();
		if (!last || last === due) return;
		const risen = rise(last, place);
		put(last, risen === place ? sink(last, place) : risen);
	}

	return {
		size: () => items.length,
		peek: () => items[0],
		pop() {
			const [top] = items;
			if (top) remove(top);
			return top;
		},
		push(due) {
			items.push(due);
			put(due, rise(due, items.length - 1));
		},
		remove,
	};
}

function isBefore(one: DueItem, other: DueItem): boolean {
	return one.rankMs === other.rankMs ? one.turn < other.turn : one.rankMs < other.rankMs;
}
