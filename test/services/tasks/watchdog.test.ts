import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startWatchdog } from "../../../src/services/tasks/watchdog.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const MINUTE_MS = 60_000;

function setup() {
	const clock = createManualClock();
	const lines: string[] = [];
	const logger = pino({}, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) });
	const queue = { overdueMs: 0 as number | Error };
	const oldestOverdueMs = async (): Promise<number> => {
		if (queue.overdueMs instanceof Error) throw queue.overdueMs;
		return queue.overdueMs;
	};
	const tasks = { overdueTasks: 0, oldestOverdueMs: 0 };
	const watchdog = startWatchdog({ queue: { oldestOverdueMs }, overdueTasks: () => tasks, clock, logger });
	onTestFinished(() => watchdog.stop());
	return { clock, lines, queue, tasks, watchdog };
}

test("polls that are overdue by half a minute are logged as an error once, and their recovery once", async () => {
	const { clock, lines, queue, watchdog } = setup();
	queue.overdueMs = 20_000;
	await clock.advance(MINUTE_MS);
	expect(lines).toStrictEqual([]);
	queue.overdueMs = 40_000;
	await clock.advance(10 * MINUTE_MS);
	expect(watchdog.oldestOverdueMs()).toBe(40_000);
	queue.overdueMs = 0;
	await clock.advance(10 * MINUTE_MS);
	expect(lines).toStrictEqual(["polls are late", "polls are on time again"]);
});

test("an unavailable queue is reported as neither overdue nor on time", async () => {
	const { clock, lines, queue, watchdog } = setup();
	queue.overdueMs = 40_000;
	await clock.advance(MINUTE_MS);
	queue.overdueMs = new Error("away");
	await clock.advance(10 * MINUTE_MS);
	expect(watchdog.oldestOverdueMs()).toBeUndefined();
	expect(lines).toStrictEqual(["polls are late"]);
});

test("tasks that stay open after their deadline are logged as an error once, and their end once", async () => {
	const { clock, lines, tasks } = setup();
	await clock.advance(MINUTE_MS);
	Object.assign(tasks, { overdueTasks: 3, oldestOverdueMs: 200_000 });
	await clock.advance(10 * MINUTE_MS);
	Object.assign(tasks, { overdueTasks: 0, oldestOverdueMs: 0 });
	await clock.advance(10 * MINUTE_MS);
	expect(lines).toStrictEqual(["tasks open past their deadline", "no task open past its deadline"]);
});
