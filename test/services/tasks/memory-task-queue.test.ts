import { pino } from "pino";
import { expect, test } from "vitest";
import { systemClock, type Clock } from "@atelier/common/clock";
import { createMemoryTaskQueue } from "../../../src/services/tasks/memory-task-queue.ts";
import { taskQueueContract, recordRuns, schedule } from "./task-queue-contract.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const logger = pino({ level: "silent" });

taskQueueContract("in process", async (options) => createMemoryTaskQueue({ clock: systemClock, logger, ...options }));

/** A queue on a manual clock that a test may set back. */
function setup({ runsAtOnceMax = 256 } = {}) {
	const time = createManualClock();
	let setBackMs = 0;
	const clock: Clock = {
		nowMs: () => time.nowMs() - setBackMs,
		// Like `setTimeout`, which fires at once for a delay that it does not support.
		sleep: (delayMs, signal) => time.sleep(delayMs < 2 ** 31 ? delayMs : 1, signal),
	};
	const queue = createMemoryTaskQueue({ clock, logger, runsAtOnceMax });
	const setBack = (byMs: number): void => void (setBackMs += byMs);
	return { queue, clock, advance: (byMs: number) => time.advance(byMs), setBack };
}

test("a woken task precedes due tasks, but not those that have waited long", async () => {
	const { queue, clock, advance } = setup({ runsAtOnceMax: 1 });
	const { runTask, ranIds } = recordRuns();
	await schedule(queue, "long overdue", clock.nowMs());
	await advance(20 * SECOND_MS);
	await schedule(queue, "due", clock.nowMs() - SECOND_MS);
	queue.wake("woken");
	queue.start(runTask);
	await advance(SECOND_MS);
	expect(ranIds).toStrictEqual(["long overdue", "woken", "due"]);
});

test("a clock that goes back delays no run", async () => {
	const { queue, clock, advance, setBack } = setup();
	const { runTask, ranIds } = recordRuns(async () => clock.nowMs() + 10 * SECOND_MS);
	queue.start(runTask);
	await schedule(queue, "1", clock.nowMs() + 10 * SECOND_MS);
	await schedule(queue, "2", clock.nowMs() + 20 * SECOND_MS);
	setBack(HOUR_MS);
	await advance(10 * SECOND_MS);
	expect(ranIds).toStrictEqual(["1"]);
	await advance(10 * SECOND_MS);
	expect(ranIds.toSorted()).toStrictEqual(["1", "1", "2"]);
});

test("a run that is further ahead than a timer supports starts on time", async () => {
	const { queue, clock, advance } = setup();
	const { runTask, ranIds } = recordRuns();
	queue.start(runTask);
	await schedule(queue, "1", clock.nowMs() + 1_000 * HOUR_MS);
	await advance(999 * HOUR_MS);
	expect(ranIds).toStrictEqual([]);
	await advance(HOUR_MS);
	expect(ranIds).toStrictEqual(["1"]);
});

test("a task that is woken at the end of its run runs again, also if it has to wait for its turn", async () => {
	for (let turns = 0; turns < 20; turns++) {
		const { queue, clock, advance } = setup({ runsAtOnceMax: 1 });
		const end = Promise.withResolvers<number>();
		const { runTask, ranIds } = recordRuns(async (_, count) => (count === 1 ? await end.promise : undefined));
		queue.start(runTask);
		queue.wake("woken");
		await advance(0);
		await schedule(queue, "overdue", clock.nowMs() - 20 * SECOND_MS);
		await schedule(queue, "overdue too", clock.nowMs() - 20 * SECOND_MS);
		end.resolve(clock.nowMs() + HOUR_MS);
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		queue.wake("woken");
		await advance(SECOND_MS);
		expect(ranIds).toStrictEqual(["woken", "overdue", "overdue too", "woken"]);
	}
});

test("runs without waits yield to other work", async () => {
	const { queue, clock } = setup();
	const { runTask, ranIds } = recordRuns();
	for (let n = 0; n < 1_000; n++) await schedule(queue, String(n), clock.nowMs());
	queue.start(runTask);
	await new Promise(setImmediate);
	expect(ranIds.length).toBeLessThan(100);
});
