import { expect, test } from "vitest";
import { createInteractionDedupe } from "../../../src/discord/cluster/interaction-dedupe.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

test("an interaction that is received twice is handled once", async () => {
	const dedupe = createInteractionDedupe({ clock: createManualClock() });
	expect(await Promise.all([dedupe.claim("1"), dedupe.claim("1"), dedupe.claim("2")])).toStrictEqual([
		true,
		false,
		true,
	]);
});

test("an interaction is left to the process that claimed it", async () => {
	const dedupe = createInteractionDedupe({ clock: createManualClock(), claimShared: async () => false });
	expect(await dedupe.claim("1")).toBe(false);
});

test("while the coordinator is unreachable, every process handles an interaction, because Discord accepts one response only", async () => {
	const dedupe = createInteractionDedupe({
		clock: createManualClock(),
		claimShared: () => Promise.reject(new Error("away")),
	});
	expect(await dedupe.claim("1")).toBe(true);
});

test("a silent coordinator delays a command only briefly", async () => {
	const clock = createManualClock();
	const dedupe = createInteractionDedupe({ clock, claimShared: () => new Promise(() => {}) });
	const claiming = dedupe.claim("1");
	await clock.advance(500);
	expect(await claiming).toBe(true);
});
