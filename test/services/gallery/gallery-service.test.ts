import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import type { Store } from "@atelier/store/store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createResultAccess } from "../../../src/services/gallery/result-access.ts";
import { createGalleryService, type GalleryKind } from "../../../src/services/gallery/gallery-service.ts";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";
import type { GalleryViewer } from "../../../src/services/access/member.ts";
import type { ResultMessage } from "../../../src/services/gallery/result-messages.ts";
import type { Task } from "../../../src/services/tasks/task.ts";
import { createResultDeletion } from "../../../src/services/gallery/result-deletion.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import { deliveredTask as task } from "../../fakes/stored-tasks.ts";

const logger = pino({ level: "silent" });
const { id: taskId, guildId, reply } = task;
const viewer = { guildId, userId: "7", roleIds: [], isModerator: false, isAdministrator: false, channelId: "9" };
const author = { ...viewer, userId: task.userId };
const moderator = { ...viewer, isModerator: true };

/** Lists a result whose message was deleted in Discord. The services of the process use `storeOf(store)`. */
async function setup(storeOf: (store: Store) => Store = (store) => store, stored: Task = task) {
	const store = openMemoryStore();
	const galleryStore = createGalleryStore(store);
	const taskStore = createTaskStore(store);
	const deleted: string[] = [];
	await taskStore.create(stored);
	await store.compareAndSetAll([], [galleryStore.listingOf({ taskId, guildId, channelId: reply.channelId })]);
	const claim = await galleryStore.claimShowcase(taskId);
	const recordPost = async () => await claim?.recordPost({ channelId: "90", messageId: "88" });
	const discord = {
		canRead: async () => true,
		delete: async (channelId: string, messageId: string) => deleted.push(`${channelId} ${messageId}`) > 0,
	};
	const channelVisibility = { canRead: () => discord.canRead() };
	const shared = {
		clock: createManualClock(),
		taskStore,
		galleryStore: createGalleryStore(storeOf(store)),
		resultAccess: createResultAccess({ taskStore, channelVisibility }),
	};
	const removedFilesOf: string[] = [];
	const resultDeletion = createResultDeletion({
		...shared,
		resultMessages: { delete: (...message) => discord.delete(...message) },
		results: { remove: async (id) => void removedFilesOf.push(id) },
	});
	const galleryOf = (message: ResultMessage) =>
		createGalleryService({
			...shared,
			channelVisibility,
			resultMessages: { read: async () => message },
			resultDeletion,
			showcase: { postIfPopular: async () => {} },
			logger,
		});
	/** Views the list of the server, and waits for the results that are being unlisted. */
	async function view(
		member: GalleryViewer = viewer,
		kind: GalleryKind = "server",
		message: ResultMessage = { kind: "gone" },
	) {
		const gallery = galleryOf(message);
		const page = await gallery.page(member, kind, 0);
		await gallery.stop();
		return page;
	}
	const listed = async () => await Array.fromAsync(galleryStore.listedResults(guildId));
	return {
		taskStore,
		galleryStore,
		deleted,
		discord,
		recordPost,
		resultDeletion,
		removedFilesOf,
		galleryOf,
		view,
		listed,
	};
}

test.each([
	["the author", author, true],
	["a moderator", moderator, true],
	["another member", viewer, false],
])("%s sees a result", async (_who, member, isDeletable) => {
	const { view } = await setup();
	const imageUrl = "https://cdn.example/1.png";
	const { items } = await view(member, "server", { kind: "found", imageUrl, previewUrl: undefined });
	expect(items).toMatchObject([{ task: { id: taskId }, imageUrl, isInChannel: true, isDeletable }]);
});

test.each([
	["another member opens its message", { ...viewer, channelId: reply.channelId }, true],
	["its member has the files shown", author, false],
])("of a favorite whose files Discord rejected, %s", async (_what, member, isInChannel) => {
	const rejected = { ...task.shown, withFiles: false } as typeof task.shown;
	const { galleryStore, view } = await setup(undefined, { ...task, shown: rejected });
	await galleryStore.setFavorite(member, taskId, true);
	const { items } = await view(member, "favorites", { kind: "unknown" });
	expect(items).toMatchObject([{ task: { id: taskId }, isInChannel }]);
});

test("a result whose message was deleted in Discord stays in the author's own list", async () => {
	const { view, listed } = await setup();
	const { items } = await view(author, "mine");
	expect(items).toMatchObject([{ task: { id: taskId }, isInChannel: false, isDeletable: false }]);
	expect(await listed()).toHaveLength(1);
});

test("a result whose message cannot be read is listed without its image", async () => {
	const { view } = await setup();
	const { items } = await view(viewer, "server", { kind: "unknown" });
	expect(items).toMatchObject([{ task: { id: taskId }, imageUrl: undefined }]);
});

test("while Discord gives no permissions, a list has no image, and a preview is an error", async () => {
	const { discord, galleryOf } = await setup();
	const url = "https://cdn.example/1.png";
	const gallery = galleryOf({ kind: "found", imageUrl: url, previewUrl: url });
	expect(await gallery.imageOf(author, task)).toBe(url);
	discord.canRead = () => Promise.reject(new DirectoryUnavailableError());
	expect(await gallery.imageOf(author, task)).toBeUndefined();
	await expect(gallery.previewOf(author, taskId)).rejects.toThrow(DirectoryUnavailableError);
});

test.each([
	["keeps the files of their own result", author, []],
	["removes the files of a member's result", moderator, [taskId]],
])("a deletion %s", async (_what, member, removed) => {
	const { resultDeletion, deleted, removedFilesOf } = await setup();
	await resultDeletion.deleteResult(member, taskId, logger);
	expect(deleted).toStrictEqual([`${reply.channelId} 77`]);
	expect(removedFilesOf).toStrictEqual(removed);
});

test("a deletion by a moderator of one channel keeps the files", async () => {
	const { resultDeletion, removedFilesOf, listed } = await setup();
	await resultDeletion.completeDeletion(viewer, task, logger);
	expect(removedFilesOf).toStrictEqual([]);
	expect(await listed()).toStrictEqual([]);
});

test("a result without a message in the channel cannot be deleted", async () => {
	const { resultDeletion } = await setup(undefined, { ...task, shown: { kind: "undelivered" } });
	await expect(resultDeletion.deleteResult(author, taskId, logger)).rejects.toThrow("report.nothingToDelete");
});

test("a result whose message was deleted in Discord leaves the gallery and the showcase", async () => {
	const { taskStore, deleted, recordPost, view, listed } = await setup();
	await recordPost();
	expect(await view()).toStrictEqual({ items: [], hasMore: false });
	expect(deleted).toStrictEqual(["90 88"]);
	expect(await listed()).toStrictEqual([]);
	expect((await taskStore.load(taskId))?.task).toHaveProperty("messageDeletedAtMs");
});

test("a post that is recorded while its result is deleted leaves the showcase", async () => {
	const { deleted, recordPost, view } = await setup((store) => ({
		...store,
		async get<T>(key: string) {
			const stored = await store.get<T>(key);
			if (key.startsWith("showcase:")) await recordPost();
			return stored;
		},
	}));
	await view();
	expect(deleted).toStrictEqual(["90 88"]);
});

test.each([
	["the author", author],
	["another member", viewer],
])("the list of the server hides a deleted result that it still has from %s", async (_who, member) => {
	const { view, listed } = await setup(undefined, { ...task, messageDeletedAtMs: 1 });
	expect(await view(member)).toMatchObject({ items: [] });
	expect(await listed()).toStrictEqual([]);
});

test("a view of the list repeats an unlisting that failed halfway", async () => {
	let failures = 1;
	const { deleted, recordPost, view, listed } = await setup((store) => ({
		...store,
		delete: async (key) =>
			failures-- > 0 ? await Promise.reject(new StoreUnavailableError("away")) : await store.delete(key),
	}));
	await recordPost();
	await view();
	expect(await listed()).toHaveLength(1);
	await view();
	expect(await listed()).toStrictEqual([]);
	expect(deleted).toContain("90 88");
});

test.each([
	["the author", author],
	["a moderator", moderator],
])("a second deletion by %s deletes the showcase post that the first one left", async (_who, member) => {
	const { deleted, discord, recordPost, resultDeletion, listed } = await setup();
	await recordPost();
	const deleteMessage = discord.delete;
	discord.delete = (channelId, messageId) =>
		channelId === "90" ? Promise.reject(new Error("Discord is away")) : deleteMessage(channelId, messageId);
	await expect(resultDeletion.deleteResult(member, taskId, logger)).rejects.toThrow("Discord is away");
	discord.delete = deleteMessage;
	await resultDeletion.deleteResult(member, taskId, logger);
	expect(deleted).toStrictEqual([`${reply.channelId} 77`, "90 88"]);
	expect(await listed()).toStrictEqual([]);
});
