import { describe, expect, test } from "vitest";
import { addCounts } from "./event-queue.ts";
import { simulateLedger } from "./ledger-simulation.ts";
import { InvariantError } from "./invariants.ts";

describe("the simulation of the ledger with faults", () => {
	test("keeps the invariants in each of thirty runs, in which every kind of event occurs", async () => {
		const eventCounts: Record<string, number> = {};
		for (let seed = 0; seed < 30; seed++)
			addCounts(eventCounts, (await simulateLedger({ seed, steps: 1000 })).eventCounts);
		const events = ["crash", "fault", "time jump", "grant", "reserve", "post", "void", "adjust", "history"];
		const rejections = [
			"exceeds_credits",
			"already_posted",
			"already_voided",
			"exists_with_different_amount",
			"exceeds_hold",
			"too_many_holds",
			"too_many_grants",
		];
		const charges = ["charge reserved", "charge rejected", "charge post", "charge void"];
		expect([...events, ...rejections, ...charges].filter((what) => (eventCounts[what] ?? 0) < 3)).toStrictEqual([]);
		expect(eventCounts).toHaveProperty(["a full write"]);
	});

	test("is deterministic for a seed", async () => {
		expect(await simulateLedger({ seed: 7, steps: 500 })).toStrictEqual(await simulateLedger({ seed: 7, steps: 500 }));
	});
});

describe("the simulation detects a store with this fault:", () => {
	test.each(["get then set", "lost index writes", "lost writes"] as const)("%s", async (sabotage) => {
		const runs = async (): Promise<void> => {
			for (let seed = 0; seed < 30; seed++) await simulateLedger({ seed, steps: 1000, sabotage });
		};
		await expect(runs()).rejects.toBeInstanceOf(InvariantError);
	});
});
