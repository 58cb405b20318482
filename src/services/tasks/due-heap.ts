/** A scheduled poll. The heap maintains `index`, its position. */
export interface DuePoll {
	readonly taskId: string;
	/** The time at which it may start. */
	readonly dueAtMs: number;
	/** Orders the heap, then `sequence` does: `dueAtMs`, less the priority of a poll that a member waits for. */
	readonly rankMs: number;
	readonly sequence: number;
	index: number;
}

/** A binary heap with the index of each entry, so that rescheduling leaves no stale entry. */
export interface DueHeap {
	readonly size: () => number;
	peek(): DuePoll | undefined;
	pop(): DuePoll | undefined;
	push(due: DuePoll): void;
	remove(due: DuePoll): void;
}

export function createDueHeap(): DueHeap {
	const items: DuePoll[] = [];

	function place(due: DuePoll, index: number): void {
		items[index] = due;
		due.index = index;
	}

	function siftUp(due: DuePoll, from: number): number {
		let index = from;
		while (index > 0) {
			const above = (index - 1) >> 1;
			const parent = items[above];
			if (!parent || !isBefore(due, parent)) break;
			place(parent, index);
			index = above;
		}
		return index;
	}

	function siftDown(due: DuePoll, from: number): number {
		let index = from;
		for (;;) {
			const left = items[index * 2 + 1];
			const right = items[index * 2 + 2];
			const child = left && right && isBefore(right, left) ? right : left;
			if (!child || !isBefore(child, due)) return index;
			const below = child.index;
			place(child, index);
			index = below;
		}
	}

	function remove(due: DuePoll): void {
		const { index } = due;
		const last = items.pop();
		if (!last || last === due) return;
		const risen = siftUp(last, index);
		place(last, risen === index ? siftDown(last, index) : risen);
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
			place(due, siftUp(due, items.length - 1));
		},
		remove,
	};
}

function isBefore(one: DuePoll, other: DuePoll): boolean {
	return one.rankMs === other.rankMs ? one.sequence < other.sequence : one.rankMs < other.rankMs;
}
