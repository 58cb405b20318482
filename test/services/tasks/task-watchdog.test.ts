import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startTaskWatchdog } from "../../../src/services/tasks/task-watchdog.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const MINUTE_MS = 60_000;

const RUNS_LATE = { overdueMs: 40_000 };
const TASKS_OVERDUE = { overdueTasks: 3, oldestOverdueTaskMs: 200_000 };

test.each([
	["runs are overdue by half a minute", RUNS_LATE, ["task runs are late", "task runs are on time again"]],
	["tasks stay open", TASKS_OVERDUE, ["tasks open past their deadline", "no task open past its deadline"]],
])("a message is logged once when %s, and recovery once", async (_when, trouble, logged) => {
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const onTime = { overdueMs: 20_000, overdueTasks: 0, oldestOverdueTaskMs: 0 };
	let now = onTime;
	const queue = { oldestOverdueRunMs: async () => now.overdueMs };
	const watchdog = startTaskWatchdog({ queue, countOverdueTasks: () => now, clock, logger });
	onTestFinished(() => watchdog.stop());
	await clock.advance(MINUTE_MS);
	expect(lines).toStrictEqual([]);
	now = { ...onTime, ...trouble };
	await clock.advance(10 * MINUTE_MS);
	expect(watchdog.oldestOverdueRunMs()).toBe(now.overdueMs);
	now = onTime;
	await clock.advance(10 * MINUTE_MS);
	expect(lines).toStrictEqual(logged);
});
