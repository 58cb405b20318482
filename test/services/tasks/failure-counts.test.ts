import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createFailureCounts } from "../../../src/services/tasks/failure-counts.ts";

test("failures are counted over any number of retries, and forgotten once another process must have run the task", async () => {
	const clock = createManualClock();
	const failures = createFailureCounts({ clock });
	const sinceMs = clock.nowMs();
	for (let count = 1; count <= 5; count++) {
		expect(failures.add("1", "unavailable")).toBe(count);
		await clock.advance(66_000);
		expect(failures.of("1")).toStrictEqual({ unavailable: count, latestKind: "unavailable", sinceMs });
		// The next attempt takes long.
		await clock.advance(100_000);
	}
	await clock.advance(30_000);
	expect(failures.of("1")).toStrictEqual({});
});
