import type { Clock } from "@atelier/common/clock";

/** Beyond this number, the runs of this process start late, at the next check for due tasks. */
const WAKE_TIMES_MAX = 10_000;
/** Timers are limited to 2^31 ms. */
const SLEEP_MS_MAX = 24 * 60 * 60_000;

/** Calls a function at each of several times, with one timer. */
export function createWakeTimes({ clock, onDue }: { readonly clock: Clock; readonly onDue: () => void }) {
	/** Ascending. */
	const timesMs: number[] = [];
	let timer = new AbortController();
	let timerAtMs = Number.POSITIVE_INFINITY;
	let isStopped = false;

	/** Sets the timer for the next time. An earlier timer stays: it sets the next one when it fires. */
	function setTimer(): void {
		const [nextMs] = timesMs;
		if (nextMs === undefined || timerAtMs <= nextMs || isStopped) return;
		timer.abort();
		timer = new AbortController();
		timerAtMs = nextMs;
		const sleepMs = Math.min(SLEEP_MS_MAX, Math.max(0, nextMs - clock.nowMs()));
		clock.sleep(sleepMs, timer.signal).then(onTimer, () => {});
	}

	function onTimer(): void {
		timerAtMs = Number.POSITIVE_INFINITY;
		const nowMs = clock.nowMs();
		const firstLater = timesMs.findIndex((timeMs) => timeMs > nowMs);
		const passedMs = timesMs.splice(0, firstLater === -1 ? timesMs.length : firstLater);
		if (passedMs.length > 0) onDue();
		setTimer();
	}

	return {
		/** Adds a time after a delay. */
		add(delayMs: number): void {
			if (timesMs.length >= WAKE_TIMES_MAX) return;
			const wakeAtMs = clock.nowMs() + delayMs;
			timesMs.splice(timesMs.findLastIndex((timeMs) => timeMs <= wakeAtMs) + 1, 0, wakeAtMs);
			setTimer();
		},
		stop(): void {
			isStopped = true;
			timer.abort();
		},
	};
}
