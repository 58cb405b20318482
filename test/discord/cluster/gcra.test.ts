import { array, assert, constant, integer, oneof, property } from "fast-check";
import { expect, test } from "vitest";
import { takeGcraSlot, gcraRate } from "../../../src/discord/cluster/gcra.ts";

/** Returns the times at which requests with these arrival times may be sent. */
function sendTimesOf(perSecond: number, arrivalsMs: readonly number[]): readonly number[] {
	const rate = gcraRate(perSecond);
	let nextSlotAtMs = 0;
	return arrivalsMs.map((nowMs) => {
		const slot = takeGcraSlot(nextSlotAtMs, nowMs, rate);
		({ nextSlotAtMs } = slot);
		return nowMs + slot.waitMs;
	});
}

test("no second has more requests than the limit, whenever they arrive", () => {
	const gaps = array(oneof(constant(0), integer({ min: 0, max: 400 })), { minLength: 60, maxLength: 300 });
	const check = property(integer({ min: 1, max: 60 }), gaps, (perSecond, gapsMs) => {
		let nowMs = 1_000;
		const sendTimes = sendTimesOf(
			perSecond,
			gapsMs.map((gapMs) => (nowMs += gapMs)),
		);
		const spans = sendTimes.slice(perSecond).map((sentAtMs, index) => sentAtMs - (sendTimes[index] ?? Number.NaN));
		// The millisecond allows for rounding.
		expect(Math.min(Number.POSITIVE_INFINITY, ...spans)).toBeGreaterThan(1000 - 1);
	});
	expect(() => assert(check, { numRuns: 300 })).not.toThrow();
});

test("single requests and a few at once do not wait", () => {
	expect(sendTimesOf(50, [1_000, 2_000, 3_000])).toStrictEqual([1_000, 2_000, 3_000]);
	expect(sendTimesOf(50, [1_000, 1_000, 1_000])).toStrictEqual([1_000, 1_000, 1_000]);
});
