import { expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openStore } from "@atelier/store/open-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createCreditService } from "../../../src/services/credits/credit-service.ts";
import { createRefundTask } from "../../../src/services/credits/refunds.ts";
import { guildAccount } from "../../../src/services/credits/guild-accounts.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";
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
		settings: createGuildSettings(store, { clock }),
		languages: { localeOf: async () => "de" },
		clock,
	});
	const { id: taskId, guildId } = deliveredTask;
	expect(await refundTask({ guildId, taskId, by: "member:7" })).toMatchObject({ amountCredits: 4 });
	expect((await taskStore.load(taskId))?.task).toMatchObject({ refundedAtMs: clock.nowMs(), messageDeletedAtMs: 1 });
	// The journal is public, and uses the language of the server.
	const [entry] = await ledger.history(guildAccount(guildId), { limit: 1 });
	expect(entry).toMatchObject({ by: "member:7", reason: t("de", { key: "report.refundReason", params: { taskId } }) });
	expect(await refundTask({ guildId, taskId, by: "member:8" })).toMatchObject({ refundedBeforeAtMs: clock.nowMs() });
	await expect(refundTask({ guildId: "2", taskId, by: "member:8" })).rejects.toThrow("job.notFound");
	await expect(refundTask({ guildId, taskId: "1", by: "member:8" })).rejects.toThrow("job.notFound");
});
