interface Event {
	readonly atMs: number;
	/** Events of the same time run in the order in which they were planned. */
	readonly number: number;
	readonly run: () => void;
}

/** Virtual time: nothing happens but what was planned, one event after the other. */
export interface EventQueue {
	readonly nowMs: number;
	plan(delayMs: number, run: () => void): void;
	/** Takes the next event and moves time to it; undefined when nothing is planned. */
	next(): (() => void) | undefined;
}

export function createEventQueue(): EventQueue {
	/** A binary heap: each event is due no later than its two children, at 2n + 1 and 2n + 2. */
	const heap: Event[] = [];
	let nowMs = 0;
	let planned = 0;

	function isBefore(a: Event, b: Event): boolean {
		return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
	}

	function add(event: Event): void {
		let index = heap.push(event) - 1;
		while (index > 0) {
			const parentIndex = (index - 1) >> 1;
			const parent = heap[parentIndex];
			if (!parent || !isBefore(event, parent)) break;
			heap[index] = parent;
			index = parentIndex;
		}
		heap[index] = event;
	}

	function takeFirst(): Event | undefined {
		const first = heap[0];
		const last = heap.pop();
		if (!first || !last || heap.length === 0) return first;
		let index = 0;
		for (;;) {
			const left = heap[2 * index + 1];
			const right = heap[2 * index + 2];
			if (!left) break;
			const childIndex = right && isBefore(right, left) ? 2 * index + 2 : 2 * index + 1;
			const child = heap[childIndex];
			if (!child || !isBefore(child, last)) break;
			heap[index] = child;
			index = childIndex;
		}
		heap[index] = last;
		return first;
	}

	return {
		get nowMs() {
			return nowMs;
		},
		plan(delayMs, run) {
			planned += 1;
			add({ atMs: nowMs + delayMs, number: planned, run });
		},
		next() {
			const event = takeFirst();
			if (event) nowMs = event.atMs;
			return event?.run;
		},
	};
}
