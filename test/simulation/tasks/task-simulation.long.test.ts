import { describe, expect, test } from "vitest";
import { addCounts } from "../event-queue.ts";
import { InvariantError } from "../invariants.ts";
import { simulateTasks } from "./task-simulation.ts";

describe("the simulation of tasks with faults of the store, the service and Discord", () => {
	test("ends every task correctly in each of thirty runs", async () => {
		const eventCounts: Record<string, number> = {};
		for (let seed = 0; seed < 30; seed++)
			addCounts(eventCounts, (await simulateTasks({ seed, steps: 1000 })).eventCounts);
		const faults = ["crash", "time jump", "cancel: requested", "cancel: too late"];
		const ends = [
			"succeeded",
			"service.failed",
			"service.contentPolicy",
			"service.timedOut",
			"service.nothingMade",
			"service.canceledByMember",
			"withdrawn",
			"limit.serverCredits",
		];
		const routes = ["tokenEdit", "botEdit", "botPost", "undelivered"];
		const sent = ["streaming upload", "streaming upload completed", "card rejected"];
		expect([...faults, ...ends, ...routes, ...sent].filter((what) => (eventCounts[what] ?? 0) < 2)).toStrictEqual([]);
	}, 120_000);

	test("is deterministic for a seed", async () => {
		expect(await simulateTasks({ seed: 7, steps: 500 })).toStrictEqual(await simulateTasks({ seed: 7, steps: 500 }));
	});
});

describe("the simulation detects this injected bug:", () => {
	test.each(["get then set", "lost writes", "ignored idempotency keys"] as const)("%s", async (sabotage) => {
		const runs = async (): Promise<void> => {
			for (let seed = 0; seed < 40; seed++) await simulateTasks({ seed, steps: 1000, sabotage });
		};
		await expect(runs()).rejects.toBeInstanceOf(InvariantError);
	});
});
