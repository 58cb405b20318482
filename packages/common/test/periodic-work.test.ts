import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startDaily } from "../src/periodic-work.ts";
import { createManualClock } from "../testing/manual-clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

function setup(work: () => Promise<void> = async () => {}, options: { readonly firstAfterMs?: number } = {}) {
	const clock = createManualClock();
	const runs: number[] = [];
	const countedWork = async (): Promise<void> => {
		runs.push(clock.nowMs());
		await work();
	};
	const stop = startDaily({ name: "work", work: countedWork, ...options, clock, logger: pino({ level: "silent" }) });
	onTestFinished(stop);
	return { clock, runs, stop };
}

test("daily work runs once a day, first after a day", async () => {
	const { clock, runs } = setup();
	await clock.advance(DAY_MS - 1);
	expect(runs).toHaveLength(0);
	await clock.advance(2 * DAY_MS + 1);
	expect(runs).toHaveLength(3);
});

test("daily work with a first delay runs after it, and then once a day", async () => {
	const { clock, runs } = setup(undefined, { firstAfterMs: 1000 });
	await clock.advance(1000);
	expect(runs).toHaveLength(1);
	await clock.advance(DAY_MS);
	expect(runs).toHaveLength(2);
});

test("stopped daily work does not run", async () => {
	const { clock, runs, stop } = setup();
	await stop();
	await clock.advance(2 * DAY_MS);
	expect(runs).toHaveLength(0);
});
