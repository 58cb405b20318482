import { describe, expect, test } from "vitest";
import { InvariantError } from "../invariants.ts";
import { simulateTasks } from "./task-simulation.ts";

test("the simulation of tasks is deterministic for a seed", async () => {
	expect(await simulateTasks({ seed: 7, steps: 500 })).toStrictEqual(await simulateTasks({ seed: 7, steps: 500 }));
});

test("with faults and crashes at any call, each task ends once, is seen once and paid for once", async () => {
	const runs = Array.from({ length: 12 }, (_, seed) => simulateTasks({ seed, steps: 600 }));
	await expect(Promise.all(runs)).resolves.toHaveLength(12);
});

describe("the simulation detects this injected bug:", () => {
	test.each(["get then set", "lost writes", "ignored idempotency keys"] as const)("%s", async (sabotage) => {
		const runs = async (): Promise<void> => {
			for (let seed = 0; seed < 40; seed++) await simulateTasks({ seed, steps: 1000, sabotage });
		};
		await expect(runs()).rejects.toBeInstanceOf(InvariantError);
	});
});
