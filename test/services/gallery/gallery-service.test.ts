import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createGalleryService } from "../../../src/services/gallery/gallery-service.ts";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { deliveredTask as task } from "../../fakes/stored-tasks.ts";

test("a result whose message was deleted in Discord leaves the gallery and the showcase", async () => {
	const store = openMemoryStore();
	const galleryStore = createGalleryStore(store);
	const taskStore = createTaskStore(store);
	const deleted: string[] = [];
	const gallery = createGalleryService({
		clock: createManualClock(),
		taskStore,
		galleryStore,
		channelVisibility: { canRead: async () => true },
		messages: {
			read: async () => ({ kind: "gone" }),
			delete: async (channelId, messageId) => deleted.push(`${channelId} ${messageId}`) > 0,
		},
		showcase: { postIfPopular: async () => {} },
		logger: pino({ level: "silent" }),
	});
	const { id: taskId, guildId, reply } = task;
	await taskStore.create(task);
	await store.compareAndSetAll([], [galleryStore.listingOf({ taskId, guildId, channelId: reply.channelId })]);
	await (await galleryStore.claimShowcase(taskId))?.recordPost({ channelId: "90", messageId: "88" });
	const viewer = { guildId, userId: "7", roleIds: [], isModerator: false, isAdministrator: false, channelId: "9" };
	expect(await gallery.page(viewer, "server", 0)).toStrictEqual({ items: [], hasMore: false });
	await gallery.stop();
	expect(deleted).toStrictEqual(["90 88"]);
	expect(await Array.fromAsync(galleryStore.listedResults(guildId))).toStrictEqual([]);
	expect((await taskStore.load(taskId))?.task).toHaveProperty("messageDeletedAtMs");
});
