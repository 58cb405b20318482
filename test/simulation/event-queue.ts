interface Event {
	readonly atMs: number;
	readonly run: () => void;
}

/** Virtual time: planned events run one after the other, and the time jumps from event to event. */
export interface EventQueue {
	readonly nowMs: number;
	/** Plans an event after a delay. */
	plan(delayMs: number, run: () => void): void;
	/** Takes the next event and advances the time to it; `undefined` if the queue is empty. */
	next(): (() => void) | undefined;
}

export function createEventQueue(): EventQueue {
	/** Ordered by time; events of the same time in the order of their planning. */
	const events: Event[] = [];
	let nowMs = 0;
	return {
		get nowMs() {
			return nowMs;
		},
		plan(delayMs, run) {
			const atMs = nowMs + delayMs;
			events.splice(events.findLastIndex((each) => each.atMs <= atMs) + 1, 0, { atMs, run });
		},
		next() {
			const event = events.shift();
			if (event) nowMs = event.atMs;
			return event?.run;
		},
	};
}

/** Runs one event and all promise callbacks that follow from it. */
export async function runEvent(event: () => void): Promise<void> {
	event();
	await new Promise((resolve) => setImmediate(resolve));
}

/** Adds the counts of one run to `total`. */
export function addCounts(total: Record<string, number>, counts: Readonly<Record<string, number>>): void {
	for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
}
