import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startTaskWatchdog } from "../../../src/services/tasks/task-watchdog.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const MINUTE_MS = 60_000;
const TASKS_OVERDUE = "tasks open past their deadline";

function setup() {
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const queue = { overdueMs: 0 as number | Error };
	const oldestOverdueRunMs = async (): Promise<number> => {
		if (queue.overdueMs instanceof Error) throw queue.overdueMs;
		return queue.overdueMs;
	};
	const tasks = { overdueTasks: 0, oldestOverdueTaskMs: 0 };
	const watchdog = startTaskWatchdog({ queue: { oldestOverdueRunMs }, countOverdueTasks: () => tasks, clock, logger });
	onTestFinished(() => watchdog.stop());
	return { clock, lines, queue, tasks, watchdog };
}

test.each([
	["runs are overdue by half a minute", 40_000, 0, 0, ["task runs are late", "task runs are on time again"]],
	["tasks stay open after their deadline", 0, 3, 200_000, [TASKS_OVERDUE, "no task open past its deadline"]],
])("a message is logged once when %s, and recovery once", async (_when, overdueMs, overdueTasks, taskMs, logged) => {
	const { clock, lines, queue, tasks, watchdog } = setup();
	queue.overdueMs = 20_000;
	await clock.advance(MINUTE_MS);
	expect(lines).toStrictEqual([]);
	queue.overdueMs = overdueMs;
	Object.assign(tasks, { overdueTasks, oldestOverdueTaskMs: taskMs });
	await clock.advance(10 * MINUTE_MS);
	expect(watchdog.oldestOverdueRunMs()).toBe(overdueMs);
	queue.overdueMs = 0;
	Object.assign(tasks, { overdueTasks: 0, oldestOverdueTaskMs: 0 });
	await clock.advance(10 * MINUTE_MS);
	expect(lines).toStrictEqual(logged);
});
