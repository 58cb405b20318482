/** An entry of the heap, which maintains `place`. */
export interface DueItem {
	readonly taskId: string;
	readonly dueAtMs: number;
	/** The lowest comes first; equal entries keep their insertion order. */
	readonly rankMs: number;
	readonly turn: number;
	index: number;
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

	function put(due: DueItem, index: number): void {
		items[index] = due;
		due.index = index;
	}

	function rise(due: DueItem, from: number): number {
		let index = from;
		while (index > 0) {
			const above = (index - 1) >> 1;
			const parent = items[above];
			if (!parent || !isBefore(due, parent)) break;
			put(parent, index);
			index = above;
		}
		return index;
	}

	function sink(due: DueItem, from: number): number {
		let index = from;
		for (;;) {
			const left = items[index * 2 + 1];
			const right = items[index * 2 + 2];
			const child = left && right && isBefore(right, left) ? right : left;
			if (!child || !isBefore(child, due)) return index;
			const below = child.index;
			put(child, index);
			index = below;
		}
	}

	function remove(due: DueItem): void {
		const { index } = due;
		const last = items.pop();
		if (!last || last === due) return;
		const risen = rise(last, index);
		put(last, risen === index ? sink(last, index) : risen);
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
