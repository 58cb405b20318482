import { expect, test } from "vitest";
import { createSettingsStore } from "../../../src/services/settings/settings-store.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createReportStore } from "../../../src/services/moderation/report-store.ts";
import { createPrivacyService } from "../../../src/services/privacy/privacy-service.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createRequestDrafts } from "../../../src/services/tasks/request-drafts.ts";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import { createTaskRemoval } from "../../../src/services/tasks/remove-tasks.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createMemoryResultStore } from "../../fakes/memory-result-store.ts";
import { failedTask } from "../../fakes/stored-tasks.ts";
import { submission } from "../tasks/task-setup.ts";

const { guildId, userId } = submission;
const member = { guildId, userId };

function setup(options: { readonly entriesScannedMax?: number } = {}) {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const clock = createManualClock();
	const taskStore = createTaskStore(store);
	const galleryStore = createGalleryStore(store);
	const corrupt: string[] = [];
	const deps = {
		taskStore,
		galleryStore,
		reportStore: createReportStore(store),
		drafts: createRequestDrafts({ store, clock }),
		ledger: createLedger({ store, clock }),
		settings: createSettingsStore(store, { clock }),
	};
	const service = createPrivacyService({
		...deps,
		removeTask: createTaskRemoval({ taskStore, results: createMemoryResultStore(), galleryStore }),
		clock,
		onCorrupt: ({ key }) => void corrupt.push(key),
		retentionDays: 30,
		...options,
	});
	return { ...deps, storage, service, corrupt };
}

test("an unreadable task is reported, and prevents neither the export nor the deletion of others", async () => {
	const { storage, taskStore, drafts, service, corrupt } = setup();
	for (const id of ["1", "2", "3"]) await taskStore.create({ ...failedTask, id });
	await drafts.add({ ...submission, id: "4" });
	await storage.set("task:2", "cut sho");
	expect(await service.exportData(member, 10_000_000)).toMatchObject({ tasks: 2, isComplete: false });
	expect(corrupt).toStrictEqual(["task:2"]);
	await expect(service.remove(member)).rejects.toBeInstanceOf(CorruptDocumentError);
	const left = (await Array.fromAsync(storage.scan(""))).map(({ key }) => key);
	expect(left.filter((key) => /^(task|draft):/.test(key))).toStrictEqual(["task:2"]);
});

test("an export contains all credits of a member and their drafts, and says whether it is complete", async () => {
	const { drafts, ledger, service } = setup();
	const note = { by: `member:${userId}`, reason: "test" };
	for (let n = 0; n < 401; n++) await ledger.grant(`guild:${guildId}`, `grant:${n}`, 1, note);
	await drafts.add(submission, { improvedPrompt: "a better boat" });
	await drafts.add({ ...submission, id: "4", userId: "999" });
	await drafts.add({ ...submission, id: "5", guildId: "998" });
	const read = async (bytesMax: number) => {
		const { text, isComplete } = await service.exportData(member, bytesMax);
		expect(text).not.toContain("token");
		const data = JSON.parse(text) as { about: object; credits: object[]; drafts: object[] };
		expect(data.about).toMatchObject({ isComplete });
		return { ...data, isComplete };
	};
	const all = await read(10_000_000);
	expect(all.credits).toHaveLength(401);
	expect(all.drafts).toMatchObject([{ id: submission.id, improvedPrompt: "a better boat" }]);
	expect(all.isComplete).toBe(true);
	const cut = await read(20_000);
	expect(cut.isComplete).toBe(false);
	expect(cut.credits.length).toBeLessThan(100);
});

test.each([
	[1, false],
	[Number.POSITIVE_INFINITY, true],
])(
	"an export that reads %s entries of a server with two of others is empty: %s",
	async (entriesScannedMax, isEmpty) => {
		const { ledger, service } = setup({ entriesScannedMax });
		for (const id of ["grant:1", "grant:2"])
			await ledger.grant(`guild:${guildId}`, id, 1, { by: "operator", reason: "test" });
		expect(await service.exportData(member, 10_000)).toMatchObject({ isEmpty, isComplete: isEmpty });
	},
);

test("an export contains favorites, reports by the member, and reports about them without the reporters", async () => {
	const { galleryStore, reportStore, service } = setup();
	const reporterIds = ["1000000000000000501", "1000000000000000502"];
	async function report(taskId: string, authorId: string, ...byUserIds: readonly string[]): Promise<void> {
		const reports = Object.fromEntries(byUserIds.map((id) => [id, { reason: `from ${id}`, atMs: 1 }]));
		const message = { taskId, guildId, userId: authorId, channelId: "3", messageId: "4", isMessageDeleted: false };
		const content = { mediaType: "image", modelName: "Paint", prompt: "a boat", chargedCredits: 4, done: {} };
		const result = { ...message, ...content, reports };
		await reportStore.change(
			guildId,
			taskId,
			() => result,
			(first) => first,
		);
	}
	await report("1", userId, ...reporterIds);
	await report("2", "1000000000000000503", userId);
	await galleryStore.setFavorite(member, "3", true);
	const { text, isEmpty } = await service.exportData(member, 10_000_000);
	expect(isEmpty).toBe(false);
	expect(JSON.parse(text)).toMatchObject({
		favorites: ["3"],
		reports: {
			aboutMember: [{ taskId: "1", prompt: "a boat", reports: 2 }],
			byMember: [{ taskId: "2", reason: `from ${userId}` }],
		},
	});
	for (const reporterId of reporterIds) expect(text).not.toContain(reporterId);
});
