/** A scheduled run. */
export interface DueRun {
	readonly taskId: string;
	/** The time at which the run may start. */
	readonly dueAtMs: number;
	/** The heap's order, lowest first: `dueAtMs`, less the priority of a run that a member waits for. */
	readonly rankMs: number;
	/** The order of runs with the same rank. */
	readonly sequence: number;
	/** The position in the heap, which the heap maintains. */
	index: number;
}

/** A binary heap with the index of each entry, so that rescheduling leaves no stale entry. */
export interface DueHeap {
	readonly size: () => number;
	/** Returns the first run; `undefined` if there is none. */
	peek(): DueRun | undefined;
	/** Removes and returns the first run; `undefined` if there is none. */
	pop(): DueRun | undefined;
	push(due: DueRun): void;
	remove(due: DueRun): void;
}

export function createDueHeap(): DueHeap {
	const items: DueRun[] = [];

	function place(due: DueRun, index: number): void {
		items[index] = due;
		due.index = index;
	}

	/** Moves parents that come after `due` down, from the gap at `from`. Returns the new position of the gap. */
	function siftUp(due: DueRun, from: number): number {
		let index = from;
		while (index > 0) {
			const parentIndex = Math.floor((index - 1) / 2);
			const parent = items[parentIndex];
			if (!parent || !isBefore(due, parent)) break;
			place(parent, index);
			index = parentIndex;
		}
		return index;
	}

	/** Moves children that come before `due` up, from the gap at `from`. Returns the new position of the gap. */
	function siftDown(due: DueRun, from: number): number {
		let index = from;
		for (;;) {
			const left = items[index * 2 + 1];
			const right = items[index * 2 + 2];
			const child = left && right && isBefore(right, left) ? right : left;
			if (!child || !isBefore(child, due)) return index;
			const childIndex = child.index;
			place(child, index);
			index = childIndex;
		}
	}

	function remove(due: DueRun): void {
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

function isBefore(one: DueRun, other: DueRun): boolean {
	return one.rankMs === other.rankMs ? one.sequence < other.sequence : one.rankMs < other.rankMs;
}
