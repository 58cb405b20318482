import { expect, test } from "vitest";
import { createOpenTaskStats } from "../../../src/services/tasks/open-task-stats.ts";
import { baseOf, type Task } from "../../../src/services/tasks/task.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { reservedTask, failedTask } from "../../fakes/stored-tasks.ts";

const MINUTE_MS = 60_000;

function setup({ isStoreShared = false } = {}) {
	const clock = createManualClock();
	const openTaskStats = createOpenTaskStats({ clock, isStoreShared });
	const base = (id: string, { model = "fox", costCredits = 4 } = {}): Task => ({
		...reservedTask,
		id,
		request: { ...reservedTask.request, model, costCredits },
		createdAtMs: clock.nowMs(),
		deadlineAtMs: clock.nowMs() + 10 * MINUTE_MS,
	});
	return { clock, openTaskStats, base };
}

test("each open task is counted once until its end, by its current state and model", async () => {
	const { openTaskStats, base } = setup();
	const one = base("1");
	openTaskStats.record(one);
	openTaskStats.record(base("2", { model: "owl" }));
	openTaskStats.record({ ...baseOf(one), state: "submitting", sentAtMs: 0 });
	expect(openTaskStats.count().byState).toStrictEqual([
		{ state: "reserved", model: "owl", tasks: 1 },
		{ state: "submitting", model: "fox", tasks: 1 },
	]);
	openTaskStats.record({ ...failedTask, id: "2" });
	expect(openTaskStats.count().byState).toHaveLength(1);
});

test("tasks that cost credits have a hold, and are overdue two minutes after their deadline, because the poll that ends them may wait", async () => {
	const { clock, openTaskStats, base } = setup();
	openTaskStats.record(base("1"));
	await clock.advance(2 * MINUTE_MS);
	openTaskStats.record(base("2"));
	openTaskStats.record(base("free", { costCredits: 0 }));
	await clock.advance(10 * MINUTE_MS);
	const holds = { openHolds: 2, oldestHoldMs: 12 * MINUTE_MS };
	expect(openTaskStats.count()).toMatchObject({ ...holds, overdueTasks: 0, oldestOverdueTaskMs: 0 });
	await clock.advance(MINUTE_MS);
	expect(openTaskStats.count()).toMatchObject({ overdueTasks: 1, oldestOverdueTaskMs: 3 * MINUTE_MS });
	openTaskStats.forget("1");
	expect(openTaskStats.count()).toMatchObject({ oldestHoldMs: 11 * MINUTE_MS, overdueTasks: 0 });
});

test.each([
	[true, 1],
	[false, 2],
])("a task is counted for five minutes if others may continue it (store shared: %s)", async (isStoreShared, tasks) => {
	const { clock, openTaskStats, base } = setup({ isStoreShared });
	openTaskStats.record(base("1"));
	await clock.advance(4 * MINUTE_MS);
	openTaskStats.record(base("2"));
	await clock.advance(2 * MINUTE_MS);
	expect(openTaskStats.count().byState).toMatchObject([{ tasks }]);
});

test("with a shared store, a task that is not seen after its deadline does not count as overdue: another process may have ended it", async () => {
	const { clock, openTaskStats, base } = setup({ isStoreShared: true });
	const task = base("1");
	await clock.advance(9 * MINUTE_MS);
	openTaskStats.record(task);
	await clock.advance(4 * MINUTE_MS);
	expect(openTaskStats.count()).toMatchObject({ openHolds: 1, overdueTasks: 0 });
	openTaskStats.record(task);
	expect(openTaskStats.count()).toMatchObject({ overdueTasks: 1, oldestOverdueTaskMs: 3 * MINUTE_MS });
});
