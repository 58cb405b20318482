import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryTaskQueue } from "../../../src/services/tasks/memory-task-queue.ts";
import { startOpenTaskSweeper, sweepOpenTasks } from "../../../src/services/tasks/open-task-sweeper.ts";
import { recordRuns } from "./task-queue-contract.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/** A started queue without runs, and a sweep for this number of open tasks. */
function setup(count: number) {
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const queue = createMemoryTaskQueue({ clock, logger });
	const { runTask, ranIds } = recordRuns(async () => clock.nowMs() + HOUR_MS);
	queue.start(runTask);
	const ids = Array.from({ length: count }, (_, n) => String(n));
	const taskStore = {
		async *openIds() {
			yield* ids;
		},
	};
	const sweep = () => sweepOpenTasks({ taskStore, queue, clock });
	return { clock, logger, lines, queue, ids, ranIds, sweep };
}

test("open tasks without a run are scheduled, spread over time", async () => {
	const { clock, ids, ranIds, sweep } = setup(3_000);
	expect(await sweep()).toBe(3_000);
	await clock.advance(SECOND_MS);
	expect(ranIds.length).toBeGreaterThan(100);
	expect(ranIds.length).toBeLessThan(1_000);
	await clock.advance(6 * SECOND_MS);
	expect(ranIds).toStrictEqual(ids);
});

test("a lost schedule is restored within a minute, and an unavailable queue is logged once a minute", async () => {
	const { clock, logger, lines, queue, ranIds, sweep } = setup(1);
	const addMissing = queue.addMissing.bind(queue);
	queue.addMissing = () => Promise.reject(new Error("down"));
	onTestFinished(startOpenTaskSweeper({ sweep, clock, logger }));
	await clock.advance(150 * SECOND_MS);
	queue.addMissing = addMissing;
	await clock.advance(60 * SECOND_MS);
	expect(lines).toStrictEqual(Array.from({ length: 3 }, () => "sweep of open tasks failed"));
	expect(ranIds).toStrictEqual(["0"]);
});
