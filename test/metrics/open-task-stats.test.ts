import { expect, test } from "vitest";
import { createOpenTaskStats } from "../../src/metrics/open-task-stats.ts";
import { baseOf, type Task } from "../../src/services/tasks/task.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

/** Counts are cached for this long. */
const COUNT_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;

const reserved = (task: Task): Task => ({ ...baseOf(task), state: "reserved" });

function setup({ isStoreShared = false } = {}) {
	const clock = createManualClock();
	const openTaskStats = createOpenTaskStats({ clock, isStoreShared });
	const base = (id: string, { model = "fox", costCredits = 4 } = {}): Task => ({
		id,
		request: {
			mediaType: "image",
			model,
			modelName: model,
			scene: "text-to-image",
			prompt: "a fox",
			options: {},
			costCredits,
			typicalSeconds: 10,
		},
		payment: { account: "guild:1", limits: [], refillsAtMs: null, monthlyCredits: 0 },
		guildId: "1",
		userId: "1",
		locale: "en-US",
		userLocale: "en-US",
		reply: {
			applicationId: "1",
			token: "none",
			tokenExpiresAtMs: 0,
			channelId: "1",
			messageId: "1",
			ephemeral: false,
			botInGuild: true,
			attachmentBytesMax: 1024,
		},
		createdAtMs: clock.nowMs(),
		deadlineAtMs: clock.nowMs() + 10 * MINUTE_MS,
		state: "created",
	});
	return { clock, openTaskStats, base };
}

test("each open task is counted once, by its current state and model", () => {
	const { openTaskStats, base } = setup();
	const [one, two] = [base("1"), base("2", { model: "owl" })];
	for (const task of [one, two, reserved(one)]) openTaskStats.record(task);
	expect(openTaskStats.count().byState).toStrictEqual([
		{ state: "created", model: "owl", tasks: 1 },
		{ state: "reserved", model: "fox", tasks: 1 },
	]);
});

test("an ended task is no longer counted", async () => {
	const { clock, openTaskStats, base } = setup();
	const task = base("1");
	openTaskStats.record(task);
	expect(openTaskStats.count().byState).toHaveLength(1);
	// No delivery route is left: the delivery has ended too.
	const shown = { kind: "undelivered" } as const;
	const outcome = { kind: "failed", why: { key: "service.timedOut" } } as const;
	const settlement = { outcome, chargedCredits: 0, leftCredits: 0 };
	openTaskStats.record({ ...baseOf(task), state: "delivered", ...settlement, shown, deliveredAtMs: 0 });
	await clock.advance(COUNT_EVERY_MS);
	expect(openTaskStats.count().byState).toHaveLength(0);
});

test("free tasks have no hold, and the age of the oldest hold is that of its task", async () => {
	const { clock, openTaskStats, base } = setup();
	openTaskStats.record(reserved(base("1")));
	await clock.advance(MINUTE_MS);
	openTaskStats.record(reserved(base("2")));
	openTaskStats.record(reserved(base("3", { costCredits: 0 })));
	openTaskStats.record(base("4"));
	expect(openTaskStats.count()).toMatchObject({ openHolds: 2, oldestHoldMs: MINUTE_MS });
	openTaskStats.forget("1");
	await clock.advance(COUNT_EVERY_MS);
	expect(openTaskStats.count()).toMatchObject({ openHolds: 1, oldestHoldMs: COUNT_EVERY_MS });
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
