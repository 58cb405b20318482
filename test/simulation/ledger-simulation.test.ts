import { expect, test } from "vitest";
import { simulateLedger } from "./ledger-simulation.ts";
import { InvariantError } from "./invariants.ts";

test("the simulation of the ledger is deterministic for a seed", async () => {
	expect(await simulateLedger({ seed: 7, steps: 500 })).toStrictEqual(await simulateLedger({ seed: 7, steps: 500 }));
});

test("with faults and crashes at any call, acknowledged operations happen once, and the audit finds nothing", async () => {
	// Seed 9 has bursts.
	const runs = [1, 2, 3, 9].map((seed) => simulateLedger({ seed, steps: 500 }));
	await expect(Promise.all(runs)).resolves.toHaveLength(4);
});

test.each(["get then set", "lost writes"] as const)(
	"the simulation detects a store with this fault: %s",
	async (sabotage) => {
		const runs = async (): Promise<void> => {
			for (let seed = 0; seed < 30; seed++) await simulateLedger({ seed, steps: 1000, sabotage });
		};
		await expect(runs()).rejects.toBeInstanceOf(InvariantError);
	},
);
