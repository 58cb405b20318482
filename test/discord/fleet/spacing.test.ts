import fc from "fast-check";
import { expect, test } from "vitest";
import { nextTurn, spacingOf } from "../../../src/discord/fleet/spacing.ts";

/** When those who ask at these times have their turn. */
function turnsOf(perSecond: number, askedAtMs: readonly number[]): readonly number[] {
	const spacing = spacingOf(perSecond);
	let freeAtMs = 0;
	return askedAtMs.map((nowMs) => {
		const turn = nextTurn(freeAtMs, nowMs, spacing);
		({ freeAtMs } = turn);
		return nowMs + turn.waitMs;
	});
}

test("whenever they ask, no second has more of them than it may", () => {
	const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })), { minLength: 60, maxLength: 300 });
	const check = fc.property(fc.integer({ min: 1, max: 60 }), gaps, (perSecond, gapsMs) => {
		let nowMs = 1_000;
		const turns = turnsOf(
			perSecond,
			gapsMs.map((gapMs) => (nowMs += gapMs)),
		);
		for (const [index, startMs] of turns.entries()) {
			const after = turns[index + perSecond];
			// A thousandth for what adding up fractions loses.
			if (after !== undefined) expect(after - startMs).toBeGreaterThan(1000 - 1);
		}
	});
	fc.assert(check, { numRuns: 300 });
});

test("who asks alone does not wait", () => {
	expect(turnsOf(50, [1_000, 2_000, 3_000])).toStrictEqual([1_000, 2_000, 3_000]);
	expect(turnsOf(50, [1_000, 1_000, 1_000])).toStrictEqual([1_000, 1_000, 1_000]);
});
