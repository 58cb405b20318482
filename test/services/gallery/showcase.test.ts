import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import type { PostOutcome } from "../../../src/services/delivery/channel-post.ts";
import { createShowcase } from "../../../src/services/gallery/showcase.ts";
import { createTaskStore, type LoadedTask } from "../../../src/services/tasks/task-store.ts";
import type { DeliveredResult } from "../../../src/services/tasks/delivered-result.ts";
import { createGuildLanguages } from "../../../src/services/settings/guild-languages.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { contentOf } from "../../fakes/file-content.ts";
import { deliveredTask as task } from "../../fakes/stored-tasks.ts";

const logger = pino({ level: "silent" });
const STARS = 3;
const { guildId, id: taskId } = task;
const userIds = (count: number) => Array.from({ length: count }, (_, index) => String(2_000 + index));

async function setup({ mayRepost = true, areFilesStored = true } = {}) {
	const store = openMemoryStore();
	const galleryStore = createGalleryStore(store);
	const taskStore = createTaskStore(store);
	const created = await taskStore.create(task);
	const posts: string[] = [];
	const deleted: string[] = [];
	const harness: {
		outcome: PostOutcome;
		load: (id: string) => Promise<LoadedTask | undefined>;
		duringRead: () => Promise<void>;
		duringPost: () => Promise<void>;
	} = {
		outcome: { kind: "posted", messageId: "88" },
		load: (id) => taskStore.load(id),
		duringRead: async () => {},
		duringPost: async () => {},
	};
	const settings = storedSettings.parse({ showcase: { channelId: "90", stars: STARS } });
	const showcase = createShowcase({
		galleryStore,
		results: {
			async open() {
				await harness.duringRead();
				return areFilesStored ? contentOf("an image") : undefined;
			},
		},
		taskStore: { load: (id) => harness.load(id) },
		channelVisibility: { mayRepost: async () => mayRepost },
		filePoster: {
			async post(channelId, { text }) {
				posts.push(`${channelId} ${text}`);
				await harness.duringPost();
				return harness.outcome;
			},
		},
		resultMessages: { delete: async (channelId, messageId) => deleted.push(`${channelId} ${messageId}`) > 0 },
		settings: { read: async () => settings },
		languages: createGuildLanguages({ readLocale: async () => undefined }),
	});
	async function star(userId: string, result = task): Promise<void> {
		await galleryStore.setFavorite({ guildId, userId }, taskId, true);
		await showcase.postIfPopular(result, logger);
	}
	const deleteTask = async (): Promise<void> => {
		if (created) await taskStore.move(created, { ...task, messageDeletedAtMs: 1 });
	};
	return { galleryStore, posts, deleted, harness, star, deleteTask };
}

describe("a result with stars", () => {
	test("is posted once, even if hundreds press at the same time", async () => {
		const { galleryStore, posts, star } = await setup();
		await Promise.all(userIds(300).map((userId) => star(userId)));
		expect(posts).toHaveLength(1);
		expect(posts[0]).toContain(`<@${task.userId}>`);
		expect(await galleryStore.showcasePost(taskId)).toStrictEqual({ channelId: "90", messageId: "88" });
	});

	test("is not posted for the star of its author, or for one member who presses often", async () => {
		const { posts, star } = await setup();
		for (const userId of [task.userId, ...userIds(STARS - 1), "2000", "2000"]) await star(userId);
		expect(posts).toStrictEqual([]);
		await star("3000");
		expect(posts).toHaveLength(1);
	});

	test("is posted at the next star if the channel rejected it, and never again if the outcome is unknown", async () => {
		const { posts, harness, star } = await setup();
		harness.outcome = { kind: "rejected" };
		for (const userId of userIds(STARS)) await star(userId);
		harness.outcome = { kind: "unknown", error: new Error("timeout") };
		await star("3000");
		await star("3001");
		expect(posts).toHaveLength(2);
	});

	test("is posted at the next star if it could not be read again", async () => {
		const { posts, harness, star } = await setup();
		const { load } = harness;
		harness.load = () => Promise.reject(new Error("store unavailable"));
		for (const userId of userIds(STARS - 1)) await star(userId);
		await expect(star("3000")).rejects.toThrow("store unavailable");
		harness.load = load;
		await star("3001");
		expect(posts).toHaveLength(1);
	});

	test("is removed again if it was deleted during the post", async () => {
		const { galleryStore, deleted, harness, star } = await setup();
		harness.duringPost = () => galleryStore.removeResult(guildId, taskId);
		for (const userId of userIds(STARS)) await star(userId);
		expect(deleted).toStrictEqual(["90 88"]);
		expect(await galleryStore.showcasePost(taskId)).toBeUndefined();
	});

	test("is not posted if it is deleted while its files are read, and its claim stays free", async () => {
		const { galleryStore, posts, harness, star, deleteTask } = await setup();
		const files = [{ name: "a.png", contentType: "image/png", sizeBytes: 1 }];
		harness.duringRead = deleteTask;
		for (const userId of userIds(STARS)) await star(userId, { ...task, outcome: { ...task.outcome, files } });
		expect(posts).toStrictEqual([]);
		expect(await galleryStore.claimShowcase(taskId)).toBeDefined();
	});

	test.each<[string, DeliveredResult]>([
		[
			"in a direct message",
			{ ...task, shown: { kind: "delivered", route: "directMessage", messageId: "1", withFiles: true } },
		],
		["without files", { ...task, shown: { kind: "delivered", route: "tokenEdit", messageId: "1", withFiles: false } }],
	])("is not posted if it is %s", async (_what, result) => {
		const { posts, star } = await setup();
		for (const userId of userIds(STARS)) await star(userId, result);
		expect(posts).toStrictEqual([]);
	});

	test("is not posted if its files are no longer stored, and its claim stays free", async () => {
		const { galleryStore, posts, star } = await setup({ areFilesStored: false });
		const files = [{ name: "a.png", contentType: "image/png", sizeBytes: 1 }];
		for (const userId of userIds(STARS)) await star(userId, { ...task, outcome: { ...task.outcome, files } });
		expect(posts).toStrictEqual([]);
		expect(await galleryStore.claimShowcase(taskId)).toBeDefined();
	});

	test("is not posted where some readers may not read its own channel", async () => {
		const { posts, star } = await setup({ mayRepost: false });
		for (const userId of userIds(STARS)) await star(userId);
		expect(posts).toStrictEqual([]);
	});
});
