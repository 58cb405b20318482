import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryTaskQueue } from "../../../src/services/tasks/memory-task-queue.ts";
import type { TaskQueue } from "../../../src/services/tasks/task-queue.ts";
import { startOpenTaskSweeper, scheduleOpenTasks } from "../../../src/services/tasks/open-task-sweeper.ts";
import { recordRuns } from "./task-queue-contract.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;

function setup(openIds: readonly string[]) {
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const queue = createMemoryTaskQueue({ clock, logger });
	const taskStore = {
		async *openIds() {
			yield* openIds;
		},
	};
	const startSweeping = (into: TaskQueue = queue): void => {
		const sweep = () => scheduleOpenTasks({ taskStore, queue: into, clock });
		onTestFinished(startOpenTaskSweeper({ sweep, clock, logger }));
	};
	return { clock, lines, queue, taskStore, startSweeping };
}

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => String(n));

test("open tasks without a run are scheduled, spread over time", async () => {
	const { clock, queue, taskStore } = setup(ids(3_000));
	const { runTask, ranIds } = recordRuns(async () => clock.nowMs() + HOUR_MS);
	expect(await scheduleOpenTasks({ taskStore, queue, clock })).toBe(3_000);
	queue.start(runTask);
	await clock.advance(SECOND_MS);
	expect(ranIds.length).toBeGreaterThan(100);
	expect(ranIds.length).toBeLessThan(1_000);
	await clock.advance(6 * SECOND_MS);
	expect(ranIds).toStrictEqual(ids(3_000));
});

test("a lost schedule is restored within a minute", async () => {
	const { clock, queue, startSweeping } = setup(["1"]);
	const { runTask, ranIds } = recordRuns();
	queue.start(runTask);
	startSweeping();
	await clock.advance(60 * SECOND_MS);
	expect(ranIds).toContain("1");
});

test("an unavailable queue is logged once a minute, and swept again when it is back", async () => {
	const { clock, lines, queue, startSweeping } = setup(["1"]);
	const { runTask, ranIds } = recordRuns();
	queue.start(runTask);
	let isDown = true;
	const addMissing: TaskQueue["addMissing"] = async (runs) =>
		isDown ? await Promise.reject(new Error("down")) : await queue.addMissing(runs);
	startSweeping({ ...queue, addMissing });
	await clock.advance(150 * SECOND_MS);
	expect(lines).toStrictEqual([
		"sweep of open tasks failed",
		"sweep of open tasks failed",
		"sweep of open tasks failed",
	]);
	isDown = false;
	await clock.advance(60 * SECOND_MS);
	expect([lines.length, ranIds.includes("1")]).toStrictEqual([3, true]);
});
