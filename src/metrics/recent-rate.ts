import type { Clock } from "@atelier/common/clock";

const SPAN_SECONDS = 60;

/** How often something happened in the last minute, counted by the second. */
export interface RecentRate {
	add(): void;
	perSecond(): number;
}

export function createRecentRate(clock: Clock): RecentRate {
	const counts = Array.from({ length: SPAN_SECONDS }, () => 0);
	let newestS = Math.floor(clock.nowMs() / 1000);

	/** Empties the seconds that have passed since; a clock that was set back begins anew. */
	function turnTo(nowS: number): void {
		const passed = nowS - newestS;
		if (passed < 0 || passed >= SPAN_SECONDS) counts.fill(0);
		else for (let second = newestS + 1; second <= nowS; second++) counts[second % SPAN_SECONDS] = 0;
		newestS = nowS;
	}

	return {
		add() {
			turnTo(Math.floor(clock.nowMs() / 1000));
			const place = newestS % SPAN_SECONDS;
			counts[place] = (counts[place] ?? 0) + 1;
		},
		perSecond() {
			turnTo(Math.floor(clock.nowMs() / 1000));
			return counts.reduce((sum, count) => sum + count, 0) / SPAN_SECONDS;
		},
	};
}
