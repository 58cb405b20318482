import { describe, expect, test } from "vitest";
import { InvariantError } from "../invariants.ts";
import { simulateSaga } from "./saga.ts";

describe("whole tasks, simulated with every fault of the store, the service and Discord", () => {
	test("come to their one end in each of thirty stories", async () => {
		const seen: Record<string, number> = {};
		for (let seed = 0; seed < 30; seed++) {
			const result = await simulateSaga({ seed, steps: 1000 });
			for (const [what, times] of Object.entries(result.seen)) seen[what] = (seen[what] ?? 0) + times;
		}
		const faults = ["crash", "time jump", "cancel: asked", "cancel: tooLate"];
		const ends = [
			"succeeded",
			"makingFailed",
			"contentPolicy",
			"timedOut",
			"nothingMade",
			"canceledByMember",
			"withdrawn",
			"creditsShort",
		];
		const routes = ["tokenEdit", "botEdit", "botPost", "undelivered"];
		const sent = ["streaming upload", "streaming upload completed"];
		expect([...faults, ...ends, ...routes, ...sent].filter((what) => (seen[what] ?? 0) < 2)).toStrictEqual([]);
	}, 120_000);

	test("are the same story for the same seed", async () => {
		expect(await simulateSaga({ seed: 7, steps: 500 })).toStrictEqual(await simulateSaga({ seed: 7, steps: 500 }));
	});
});

describe("finds each injected fault:", () => {
	test.each(["get then set", "lost writes", "forgotten keys"] as const)("%s", async (sabotage) => {
		const stories = async (): Promise<void> => {
			for (let seed = 0; seed < 40; seed++) await simulateSaga({ seed, steps: 1000, sabotage });
		};
		await expect(stories()).rejects.toBeInstanceOf(InvariantError);
	});
});
