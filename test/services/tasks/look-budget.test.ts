import { describe, expect, test } from "vitest";
import { lookBudget, type Demand } from "../../../src/services/tasks/look-budget.ts";

/** Looks a second that all tasks ask for. */
function spent(sample: readonly Demand[], tasks: number, { kappaMs, shareMs }: ReturnType<typeof lookBudget>): number {
	const perMs = sample.map(({ rootMs, patienceMs }) =>
		Math.max(rootMs / Math.sqrt(kappaMs), 1 / Math.max(patienceMs, shareMs)),
	);
	return (1000 * tasks * perMs.reduce((sum, each) => sum + each, 0)) / sample.length;
}

const videos: readonly Demand[] = Array.from({ length: 256 }, (_, n) => ({
	rootMs: n % 2 === 0 ? 0 : 0.003 + n * 1e-5,
	patienceMs: n % 3 === 0 ? 60_000 : 10_000,
}));

describe("one budget for all looks", () => {
	test("is not spent where it is not needed", () => {
		expect(lookBudget([], 0, 20, 250)).toStrictEqual({ kappaMs: 250, shareMs: 0 });
		expect(lookBudget(videos, 10, 20, 250).kappaMs).toBe(250);
	});

	test.each([500, 1_000, 10_000, 100_000])("is kept with %d tasks, and used", (tasks) => {
		const used = spent(videos, tasks, lookBudget(videos, tasks, 20, 250));
		expect(used).toBeLessThanOrEqual(20);
		expect(used).toBeGreaterThan(19);
	});

	test("of which there is more makes looks cheaper", () => {
		const kappas = [10, 20, 40, 80].map((looks) => lookBudget(videos, 2_000, looks, 1).kappaMs);
		expect(kappas).toStrictEqual(kappas.toSorted((a, b) => b - a));
	});

	test("is (Σ √(hazard / 2) / budget)² where no bound asks for more", () => {
		const sample = [0.001, 0.002, 0.003].map((rootMs) => ({ rootMs, patienceMs: 1e12 }));
		const { kappaMs } = lookBudget(sample, 3_000, 1, 1);
		expect(kappaMs / (6 / 0.001) ** 2).toBeCloseTo(1, 1);
	});
});
