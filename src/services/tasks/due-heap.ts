/** A scheduled run. */
export interface DueRun {
	readonly taskId: string;
	/** The time at which the run may start. */
	readonly dueAtMs: number;
	/** The heap's order, lowest first: `dueAtMs`, less the priority of a run that a member waits for. */
	readonly rankMs: number;
	/** The order of runs with the same rank. */
	readonly sequence: number;
}

/** A binary heap. */
export interface DueHeap {
	/** Returns the first run; `undefined` if there is none. */
	peek(): DueRun | undefined;
	/** Removes and returns the first run; `undefined` if there is none. */
	pop(): DueRun | undefined;
	push(due: DueRun): void;
}

export function createDueHeap(): DueHeap {
	const items: DueRun[] = [];

	/** Moves parents that come after `due` down, from the gap at the end, and fills the gap. */
	function siftUp(due: DueRun): void {
		let index = items.length;
		while (index > 0) {
			const parentIndex = Math.floor((index - 1) / 2);
			const parent = items[parentIndex];
			if (!parent || !isBefore(due, parent)) break;
			items[index] = parent;
			index = parentIndex;
		}
		items[index] = due;
	}

	/** Moves children that come before `due` up, from the gap at the root, and fills the gap. */
	function siftDown(due: DueRun): void {
		let index = 0;
		for (;;) {
			const leftIndex = index * 2 + 1;
			const [left, right] = [items[leftIndex], items[leftIndex + 1]];
			const isRightFirst = left !== undefined && right !== undefined && isBefore(right, left);
			const child = isRightFirst ? right : left;
			if (!child || !isBefore(child, due)) break;
			items[index] = child;
			index = isRightFirst ? leftIndex + 1 : leftIndex;
		}
		items[index] = due;
	}

	return {
		peek: () => items[0],
		pop() {
			const [top] = items;
			const last = items.pop();
			if (last && items.length > 0) siftDown(last);
			return top;
		},
		push: siftUp,
	};
}

function isBefore(one: DueRun, other: DueRun): boolean {
	return one.rankMs === other.rankMs ? one.sequence < other.sequence : one.rankMs < other.rankMs;
}
