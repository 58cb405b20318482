import { expect, test } from "vitest";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { createLedger } from "@atelier/ledger/ledger";
import { createReportedResults } from "../../../src/services/moderation/reported-results.ts";
import { createPrivacyService } from "../../../src/services/privacy/privacy-service.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createUnconfirmedRequests } from "../../../src/services/tasks/unconfirmed-requests.ts";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import { createTaskRemoval } from "../../../src/services/tasks/remove-task.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";
import { failedTask } from "../../fakes/stored-tasks.ts";
import { taskRequest } from "../tasks/task-setup.ts";

test("an unreadable task does not prevent the deletion of others, and is reported", async () => {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const clock = createManualClock();
	const tasks = createTaskStore(store);
	const unconfirmedRequests = createUnconfirmedRequests({ store, clock });
	const settings = createGuildSettings(store, { clock });
	const ledger = createLedger({ store, clock });
	const results = createMemoryResultStore();
	const gallery = createGalleryStore(store);
	const service = createPrivacyService({
		reported: createReportedResults(store),
		tasks,
		removeTask: createTaskRemoval({ tasks, results, gallery }),
		gallery,
		unconfirmedRequests,
		ledger,
		settings,
		clock,
		retentionDays: 30,
	});
	for (const id of ["1", "2", "3"]) await tasks.create({ ...failedTask, id });
	await unconfirmedRequests.add({ ...taskRequest, id: "4" });
	await storage.set("task:2", "cut sho");
	await expect(service.remove(taskRequest)).rejects.toBeInstanceOf(CorruptDocumentError);
	const left = (await Array.fromAsync(storage.scan(""))).map(({ key }) => key);
	expect(left.filter((key) => /^(task|confirmation):/.test(key))).toStrictEqual(["task:2"]);
});
