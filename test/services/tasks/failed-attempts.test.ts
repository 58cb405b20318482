import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createAttemptCounter } from "../../../src/services/tasks/failed-attempts.ts";

test("failures are counted over any number of long attempts, and forgotten once another process must have run the task", async () => {
	const clock = createManualClock();
	const failures = createAttemptCounter({ clock });
	const sinceMs = clock.nowMs();
	for (let count = 1; count <= 5; count++) {
		failures.beginRun("1");
		await clock.advance(8 * 60_000);
		expect(failures.add("1", "unavailable")).toBe(count);
		expect(failures.of("1")).toMatchObject({ counts: { unavailable: count }, latestKind: "unavailable" });
		await clock.advance(66_000);
	}
	expect(failures.of("1").sinceMs).toBe(sinceMs + 8 * 60_000);
	await clock.advance(60_000);
	failures.beginRun("1");
	expect(failures.of("1")).toStrictEqual({ counts: {} });
});
