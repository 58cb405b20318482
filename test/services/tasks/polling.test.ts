import { describe, expect, test } from "vitest";
import type { OpenRemoteTask } from "../../../src/services/generation/media-api.ts";
import { open } from "../../fakes/fake-media-api.ts";
import { KIND, logNormal, mean, setupPolling } from "./polling-setup.ts";

const done = { state: "success", outputs: [], startedAtMs: null, finishedAtMs: null } as const;
const prior = { medianMs: 30_000, medianLogSd: 1 };
const queued: OpenRemoteTask = { ...open, phase: "queued" };

/** What it takes in truth, in ms, and what the catalogue says, in seconds. */
const KINDS = [
	[90_000, 30],
	[90_000, 270],
	[8_000, 3],
	[8_000, 60],
] as const;

async function learned(
	seed: number,
	medianMs: number,
	typicalSeconds: number,
	says?: (elapsedMs: number, endMs: number) => Partial<OpenRemoteTask>,
	wokenAfterMs?: number,
): Promise<{ logError: number; logSd: number; looks: number }> {
	const { follow, random, runTimes } = setupPolling({ seed, typicalSeconds });
	let looks = 0;
	for (let n = 0; n < 100; n++) {
		const endMs = logNormal(random, medianMs, 0.35);
		looks = (await follow(endMs, says ? (elapsedMs) => says(elapsedMs, endMs) : undefined, wokenAfterMs)).looks;
	}
	const { logMean, logSd } = runTimes.estimate(KIND, "whole", prior);
	return { logError: logMean - Math.log(medianMs), logSd, looks };
}

describe("what the schedule learns from its own looks", () => {
	const seeds = [1, 2, 3, 4, 5, 6];

	const ways = [
		["nothing is said", undefined, undefined],
		[
			"progress is told",
			(elapsedMs: number, endMs: number) => ({ progressPercent: Math.floor((100 * elapsedMs) / endMs) }),
			undefined,
		],
		[
			"the time that is left is told",
			(elapsedMs: number, endMs: number) => ({ estimatedSeconds: Math.ceil((endMs - elapsedMs) / 1000) }),
			undefined,
		],
		["the service calls back at once", undefined, 20],
	] as const;

	test.each(ways.flatMap((way) => KINDS.map((kind) => [...kind, ...way] as const)))(
		"is the truth, for %d ms as %d s in the catalogue, when %s",
		async (medianMs, typicalSeconds, _way, says, wokenAfterMs) => {
			const all = await Promise.all(seeds.map((seed) => learned(seed, medianMs, typicalSeconds, says, wokenAfterMs)));
			expect(Math.abs(mean(all.map(({ logError }) => logError)))).toBeLessThan(0.06);
			expect(mean(all.map(({ logSd }) => logSd))).toBeGreaterThan(0.27);
			expect(mean(all.map(({ logSd }) => logSd))).toBeLessThan(0.45);
		},
	);

	test("is learned apart for the queue and for the making", async () => {
		const { follow, random, runTimes } = setupPolling();
		for (let n = 0; n < 120; n++) {
			const queueMs = logNormal(random, 60_000, 0.5);
			const runMs = logNormal(random, 20_000, 0.3);
			const phase = (elapsedMs: number) => ({ phase: elapsedMs < queueMs ? "queued" : "running" }) as const;
			await follow(queueMs + runMs, phase);
		}
		expect(Math.exp(runTimes.estimate(KIND, "queued", prior).logMean) / 60_000).toBeCloseTo(1, 0.7);
		expect(Math.exp(runTimes.estimate(KIND, "running", prior).logMean) / 20_000).toBeCloseTo(1, 0.7);
	});

	test("is nothing where a task is canceled, taken up from the store, or told to have ended twice", async () => {
		const { polling, runTimes, submit, clock } = setupPolling();
		const task = submit();
		polling.notBeforeMs(task);
		await clock.advance(5_000);
		polling.forget(task.id);
		polling.afterEnd(task, done);
		expect(runTimes.estimate(KIND, "whole", prior).observations).toBe(0);
		const other = submit();
		polling.notBeforeMs(other);
		await clock.advance(5_000);
		polling.afterEnd(other, done);
		polling.afterEnd(other, done);
		expect(runTimes.estimate(KIND, "whole", prior).observations).toBe(1);
	});

	test("is exact where the service tells when it began and ended, whatever its clock says", () => {
		const { polling, runTimes, submit } = setupPolling();
		for (let n = 0; n < 40; n++) {
			const task = submit();
			polling.notBeforeMs(task);
			polling.afterEnd(task, { ...done, startedAtMs: 5e12, finishedAtMs: 5e12 + 12_000 });
		}
		const { logMean, logSd } = runTimes.estimate(KIND, "running", prior);
		expect(Math.exp(logMean)).toBeCloseTo(12_000, -3);
		expect(logSd).toBeLessThan(0.25);
	});
});

describe("with hints", () => {
	test("a making of a minute and a half takes four looks at most, with progress or with estimates", async () => {
		const { follow, random } = setupPolling();
		const looks: number[] = [];
		for (let n = 0; n < 100; n++) {
			const endMs = logNormal(random, 90_000, 0.35);
			const byProgress = (ms: number) => ({ progressPercent: Math.floor((100 * ms) / endMs) });
			const byEstimate = (ms: number) => ({ estimatedSeconds: Math.ceil((endMs - ms) / 1000) });
			const found = await follow(endMs, n % 2 === 0 ? byProgress : byEstimate);
			if (n >= 20) looks.push(found.looks);
		}
		expect(mean(looks)).toBeLessThanOrEqual(4);
	});

	test("a task whose end is always thirty seconds away is looked at as if nothing had been said", async () => {
		const { polling, submit, clock } = setupPolling();
		const task = submit();
		polling.notBeforeMs(task);
		const first = polling.afterOpen(task, { ...open, estimatedSeconds: 30 }).untilMs;
		expect(first).toBeGreaterThan(24_000);
		await clock.advance(31_000);
		const next = polling.afterOpen(task, { ...open, estimatedSeconds: 30 }).untilMs - clock.nowMs();
		expect(next).toBeLessThan(11_000);
	});
});

describe("the start of the making", () => {
	test("is told once, when a task that waited for its turn no longer does", async () => {
		const { polling, submit, clock } = setupPolling();
		const task = submit();
		polling.notBeforeMs(task);
		await clock.advance(10_000);
		expect(polling.afterOpen(task, queued)).not.toHaveProperty("runningSinceMs");
		await clock.advance(4_000);
		expect(polling.afterOpen(task, open)).toMatchObject({ runningSinceMs: 12_000 });
		await clock.advance(4_000);
		expect(polling.afterOpen(task, open)).not.toHaveProperty("runningSinceMs");
	});

	test("is what the service says, where that can be true", async () => {
		const { polling, submit, clock } = setupPolling();
		const [believed, absurd] = [submit(), submit()];
		for (const task of [believed, absurd]) polling.notBeforeMs(task);
		await clock.advance(10_000);
		expect(polling.afterOpen(believed, { ...open, startedAtMs: 7_500 })).toMatchObject({ runningSinceMs: 7_500 });
		expect(polling.afterOpen(absurd, { ...open, startedAtMs: 4e12 })).not.toHaveProperty("runningSinceMs");
	});
});

describe("a process that starts", () => {
	test("looks at what it finds overdue in turn, with half of the budget, and at nothing twice", () => {
		const { polling, submit } = setupPolling({ looksPerSecond: 20 });
		const found = Array.from({ length: 100 }, () => submit({ submittedAtMs: -600_000 }));
		const turns = found.map((task) => polling.notBeforeMs(task));
		expect(turns).toStrictEqual(found.map((_, n) => n * 100));
		// Due, or woken: then nobody keeps it waiting.
		expect(polling.notBeforeMs(found[99] ?? submit())).toBe(0);
	});

	test("leaves what was submitted a moment before to its first look", () => {
		const { polling, submit } = setupPolling({ looksPerSecond: 20, typicalSeconds: 60 });
		expect(polling.notBeforeMs(submit({ submittedAtMs: -100 }))).toBeGreaterThan(1_000);
	});

	test("goes on with what the one before it had learned", async () => {
		const { follow, runTimes, boot, random } = setupPolling({ typicalSeconds: 10 });
		for (let n = 0; n < 40; n++) await follow(logNormal(random, 90_000, 0.35));
		await runTimes.stop();
		const next = boot();
		await next.runTimes.load();
		const [before, after] = [runTimes, next.runTimes].map((each) => each.estimate(KIND, "whole", prior).logMean);
		expect(after).toBeCloseTo(before ?? 0, 2);
	});
});

test("ten thousand tasks share the budget", async () => {
	const { polling, submit, clock } = setupPolling({ looksPerSecond: 100, typicalSeconds: 60 });
	const tasks = Array.from({ length: 10_000 }, () => submit());
	for (const task of tasks) polling.notBeforeMs(task);
	await clock.advance(30_000);
	const waits = tasks.map((task) => polling.afterOpen(task, { ...open, phase: "unknown" }).untilMs - clock.nowMs());
	expect(waits.reduce((sum, ms) => sum + 1000 / ms, 0)).toBeLessThan(150);
});

test("a task is looked at right after its deadline, so that its person is told in time", () => {
	const { polling, submit } = setupPolling();
	const task = submit({ deadlineAtMs: 700 });
	polling.notBeforeMs(task);
	expect(polling.afterOpen(task, open).untilMs).toBe(701);
});

describe("a process that shares its queue with others", () => {
	test("forgets tasks that others have looked at since, and leaves them their part of the budget", async () => {
		const { polling, submit, clock } = setupPolling({ looksPerSecond: 10, typicalSeconds: 60, isQueueShared: true });
		const waitOf = (): number => {
			const task = submit();
			polling.notBeforeMs(task);
			return polling.afterOpen(task, { ...open, phase: "unknown" }).untilMs - clock.nowMs();
		};
		const alone = waitOf();
		for (let n = 0; n < 20_000; n++) polling.notBeforeMs(submit());
		await clock.advance(5_000);
		expect(waitOf()).toBeGreaterThan(4 * alone);
		await clock.advance(24 * 60 * 60_000);
		expect(waitOf()).toBeLessThan(2 * alone);
	});

	test("learns nothing from a task that others have looked at since", async () => {
		const { polling, submit, clock, runTimes } = setupPolling({ isQueueShared: true });
		const task = submit();
		polling.notBeforeMs(task);
		await clock.advance(10 * 60_000);
		polling.afterEnd(task, done);
		expect(runTimes.estimate(KIND, "whole", prior).observations).toBe(0);
	});

	test("looks at a task that another has submitted when the queue says so", async () => {
		const { polling, submit, clock } = setupPolling({ looksPerSecond: 1, isQueueShared: true });
		await clock.advance(120_000);
		const tasks = Array.from({ length: 10 }, () => submit({ submittedAtMs: clock.nowMs() - 30_000 }));
		expect(tasks.map((task) => polling.notBeforeMs(task) - clock.nowMs())).toStrictEqual(tasks.map(() => 0));
	});
});
