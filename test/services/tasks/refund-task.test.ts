import { expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openStore } from "@atelier/store/open-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createCreditService } from "../../../src/services/credits/credit-service.ts";
import { createRefundTask } from "../../../src/services/tasks/refund-task.ts";
import { guildAccount } from "../../../src/services/credits/guild-accounts.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import type { Task } from "../../../src/services/tasks/task.ts";
import { deliveredTask } from "../../fakes/stored-tasks.ts";

const { id: taskId, guildId } = deliveredTask;
const refund = { guildId, taskId, by: "member:7" };

async function setup(task: Task = deliveredTask) {
	const clock = createManualClock();
	const store = await openStore("memory:");
	const ledger = createLedger({ store, clock });
	const taskStore = createTaskStore(store);
	await taskStore.create(task);
	/** Runs after each read of the task, like another process. */
	const other = { afterLoad: async (_loaded: Awaited<ReturnType<typeof taskStore.load>>) => {} };
	const refundTask = createRefundTask({
		accounts: { grantMonthlyCredits: async () => {} },
		creditService: createCreditService({ ledger, mayManagersGrant: true }),
		taskStore: {
			async load(id) {
				const loaded = await taskStore.load(id);
				await other.afterLoad(loaded);
				return loaded;
			},
			move: (...args) => taskStore.move(...args),
		},
		settings: { read: async () => storedSettingsSchema.parse({}) },
		languages: { localeOf: async () => "de" },
		clock,
	});
	const history = async () => await ledger.history(guildAccount(guildId), { limit: 9 });
	return { clock, taskStore, other, refundTask, history };
}

test("a refund is recorded in a task that another process changes at the same time", async () => {
	const { clock, taskStore, other, refundTask, history } = await setup();
	other.afterLoad = async (loaded) => {
		other.afterLoad = async () => {};
		if (loaded) await taskStore.move(loaded, { ...deliveredTask, messageDeletedAtMs: 1 });
	};
	expect(await refundTask(refund)).toMatchObject({ amountCredits: 4 });
	expect((await taskStore.load(taskId))?.task).toMatchObject({ refundedAtMs: clock.nowMs(), messageDeletedAtMs: 1 });
	// The journal is public, and uses the language of the server.
	const reason = t("de", { key: "report.refundReason", params: { taskId } });
	expect(await history()).toMatchObject([{ by: "member:7", reason }]);
	expect(await refundTask(refund)).toMatchObject({ refundedBeforeAtMs: clock.nowMs() });
});

test("concurrent refunds, also of a removed task that was reported, move credits once", async () => {
	const { refundTask, history } = await setup();
	await Promise.all(["61", "62", "63"].map((id) => refundTask({ ...refund, by: `member:${id}` })));
	const removed = { ...refund, taskId: "1", reportedCredits: 5 };
	await Promise.all([refundTask(removed), refundTask(removed)]);
	expect((await history()).map(({ amountCredits }) => amountCredits)).toStrictEqual([5, 4]);
});

test.each([
	["a task of another server", {}, { guildId: "2" }, "job.notFound"],
	["an unknown task without a report", {}, { taskId: "1" }, "job.notFound"],
	["a free task", { chargedCredits: 0 }, {}, "report.nothingCharged"],
])("%s is not refunded", async (_what, change, by, key) => {
	const { refundTask, history } = await setup({ ...deliveredTask, ...change });
	await expect(refundTask({ ...refund, ...by })).rejects.toThrow(key);
	expect(await history()).toStrictEqual([]);
});
