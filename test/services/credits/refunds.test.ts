import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openStore } from "@atelier/store/open-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createCreditService } from "../../../src/services/credits/credit-service.ts";
import { createRefundTask } from "../../../src/services/credits/refunds.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { deliveredTask } from "../../fakes/stored-tasks.ts";

test("a refund is recorded in a task that another process changes at the same time", async () => {
	const clock = createManualClock();
	const store = await openStore("memory:");
	const ledger = createLedger({ store, clock });
	const taskStore = createTaskStore(store);
	await taskStore.create(deliveredTask);
	let hasChanged = false;
	const refundTask = createRefundTask({
		accounts: { grantMonthlyCredits: async () => {} },
		creditService: createCreditService({ ledger, mayManagersGrant: true }),
		taskStore: {
			async load(taskId) {
				const loaded = await taskStore.load(taskId);
				if (loaded && !hasChanged) await taskStore.move(loaded, { ...deliveredTask, messageDeletedAtMs: 1 });
				hasChanged = true;
				return loaded;
			},
			move: (...args) => taskStore.move(...args),
		},
		clock,
	});
	const { id: taskId, guildId } = deliveredTask;
	await refundTask({ guildId, taskId, amountCredits: 4, by: "member:7", reason: "a refund" });
	expect((await taskStore.load(taskId))?.task).toMatchObject({ refundedAtMs: clock.nowMs(), messageDeletedAtMs: 1 });
});
