import { expect, test } from "vitest";
import { createOpenTaskStats } from "../../../src/services/tasks/open-task-stats.ts";
import { baseOf, type Task } from "../../../src/services/tasks/task.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { reservedTask, failedTask } from "../../fakes/stored-tasks.ts";

const MINUTE_MS = 60_000;

const submitting = (task: Task): Task => ({ ...baseOf(task), state: "submitting", sentAtMs: 0 });

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
	const [one, two] = [base("1"), base("2", { model: "owl" })];
	for (const task of [one, two, submitting(one)]) openTaskStats.record(task);
	expect(openTaskStats.count().byState).toStrictEqual([
		{ state: "reserved", model: "owl", tasks: 1 },
		{ state: "submitting", model: "fox", tasks: 1 },
	]);
	openTaskStats.record({ ...failedTask, id: "2" });
	expect(openTaskStats.count().byState).toHaveLength(1);
});

test("free tasks have no hold, and the age of the oldest hold is that of its task", async () => {
	const { clock, openTaskStats, base } = setup();
	openTaskStats.record(base("1"));
	await clock.advance(MINUTE_MS);
	openTaskStats.record(base("2"));
	openTaskStats.record(base("3", { costCredits: 0 }));
	expect(openTaskStats.count()).toMatchObject({ openHolds: 2, oldestHoldMs: MINUTE_MS });
	openTaskStats.forget("1");
	expect(openTaskStats.count()).toMatchObject({ oldestHoldMs: 0 });
});

test("a task is overdue two minutes after its deadline, because the poll that ends it may wait", async () => {
	const { clock, openTaskStats, base } = setup();
	openTaskStats.record(base("1"));
	await clock.advance(12 * MINUTE_MS);
	expect(openTaskStats.count()).toMatchObject({ overdueTasks: 0, oldestOverdueTaskMs: 0 });
	await clock.advance(MINUTE_MS);
	expect(openTaskStats.count()).toMatchObject({ overdueTasks: 1, oldestOverdueTaskMs: 3 * MINUTE_MS });
});

test("a task of a shared store, which another process may have continued, is counted for five minutes", async () => {
	for (const isStoreShared of [true, false]) {
		const { clock, openTaskStats, base } = setup({ isStoreShared });
		openTaskStats.record(base("1"));
		await clock.advance(4 * MINUTE_MS);
		openTaskStats.record(base("2"));
		await clock.advance(2 * MINUTE_MS);
		const tasks = openTaskStats.count().byState.map((each) => each.tasks);
		expect(tasks).toStrictEqual(isStoreShared ? [1] : [2]);
	}
});
