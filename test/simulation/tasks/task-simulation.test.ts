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

test("the simulation detects a service that ignores idempotency keys", async () => {
	await expect(async () => {
		for (let seed = 0; seed < 40; seed++) await simulateTasks({ seed, steps: 600, ignoresKeys: true });
	}).rejects.toBeInstanceOf(InvariantError);
});
