import { expect, test } from "vitest";
import { createInteractionDedupe } from "../../../src/discord/cluster/interaction-dedupe.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

test("an interaction that is received twice is handled once", async () => {
	const claims = createInteractionDedupe({ clock: createManualClock() });
	expect(await Promise.all([claims.take("1"), claims.take("1"), claims.take("2")])).toStrictEqual([true, false, true]);
});

test("an interaction is left to the process that claimed it", async () => {
	const claims = createInteractionDedupe({ clock: createManualClock(), askOthers: async () => false });
	expect(await claims.take("1")).toBe(false);
});

test("while the coordinator is unreachable, Discord's first response decides", async () => {
	const refusing = createInteractionDedupe({
		clock: createManualClock(),
		askOthers: () => Promise.reject(new Error("away")),
	});
	expect(await refusing.take("1")).toBe(true);
});

test("a silent coordinator delays a command only briefly", async () => {
	const clock = createManualClock();
	const claims = createInteractionDedupe({ clock, askOthers: () => new Promise(() => {}) });
	const taking = claims.take("1");
	await clock.advance(500);
	expect(await taking).toBe(true);
});

test("the latest ten thousand interactions are remembered", async () => {
	const claims = createInteractionDedupe({ clock: createManualClock() });
	for (let n = 0; n <= 10_000; n++) await claims.take(String(n));
	expect([await claims.take("10000"), await claims.take("0")]).toStrictEqual([false, true]);
});
