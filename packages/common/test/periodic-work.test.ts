import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startDaily } from "../src/periodic-work.ts";
import { createManualClock } from "../testing/manual-clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function setup(options: { readonly firstAfterMs?: number } = {}) {
	const clock = createManualClock();
	const runs: number[] = [];
	const work = async (): Promise<void> => void runs.push(clock.nowMs());
	const stop = startDaily({ name: "work", work, ...options, clock, logger: pino({ level: "silent" }) });
	onTestFinished(stop);
	return { clock, runs, stop };
}

test.each([
	["after five minutes", {}, 5 * 60_000],
	["after its first delay", { firstAfterMs: 1000 }, 1000],
])("daily work runs once a day, first %s, until it is stopped", async (_when, options, firstAfterMs) => {
	const { clock, runs, stop } = setup(options);
	await clock.advance(firstAfterMs - 1);
	expect(runs).toHaveLength(0);
	await clock.advance(1);
	expect(runs).toHaveLength(1);
	await clock.advance(2 * DAY_MS);
	expect(runs).toHaveLength(3);
	await stop();
	await clock.advance(2 * DAY_MS);
	expect(runs).toHaveLength(3);
});
