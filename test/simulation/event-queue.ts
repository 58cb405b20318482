interface Event {
	readonly atMs: number;
	readonly run: () => void;
}

/** Virtual time: nothing happens but what was planned, one event after the other. */
export interface EventQueue {
	readonly nowMs: number;
	plan(delayMs: number, run: () => void): void;
	/** Takes the next event and advances the time to it; `undefined` if the queue is empty. */
	next(): (() => void) | undefined;
}

export function createEventQueue(): EventQueue {
	/** In the order of their time; those of the same time in the order in which they were planned. */
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
