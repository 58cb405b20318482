import { expect, test } from "vitest";
import { addCounts } from "../event-queue.ts";
import { InvariantError } from "../invariants.ts";
import { simulateTasks } from "./task-simulation.ts";

test("the simulation of tasks is deterministic for a seed", async () => {
	expect(await simulateTasks({ seed: 7, steps: 500 })).toStrictEqual(await simulateTasks({ seed: 7, steps: 500 }));
});

test("with faults and crashes at any call, each task ends once, is seen once and paid for once", async () => {
	const runs = await Promise.all(Array.from({ length: 20 }, (_, seed) => simulateTasks({ seed, steps: 600 })));
	const eventCounts: Record<string, number> = {};
	for (const run of runs) addCounts(eventCounts, run.eventCounts);
	for (const event of ["crash", "stop", "cut off", "succeeded", "limit.member", "withdrawn"]) {
		expect.soft(eventCounts[event], event).toBeGreaterThan(0);
	}
});

test.each(["get then set", "lost writes", "ignored idempotency keys"] as const)(
	"the simulation detects this injected bug: %s",
	async (sabotage) => {
		const runs = async (): Promise<void> => {
			for (let seed = 0; seed < 40; seed++) await simulateTasks({ seed, steps: 600, sabotage });
		};
		await expect(runs()).rejects.toBeInstanceOf(InvariantError);
	},
);
