import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createGalleryStore } from "../../../src/services/gallery/gallery-store.ts";
import type { PostOutcome } from "../../../src/services/delivery/file-poster.ts";
import { createShowcase } from "../../../src/services/gallery/showcase.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import type { DeliveredResult } from "../../../src/services/tasks/delivered-result.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { contentOf } from "../../fakes/file-content.ts";
import { deliveredTask as task } from "../../fakes/stored-tasks.ts";

const STARS = 3;
const { guildId, id: taskId } = task;
const userIds = (count: number) => Array.from({ length: count }, (_, index) => String(2_000 + index));
const files = [{ name: "a.png", contentType: "image/png", sizeBytes: 1 }];
const withFiles: DeliveredResult = { ...task, outcome: { ...task.outcome, files } };

async function setup() {
	const store = openMemoryStore();
	const galleryStore = createGalleryStore(store);
	const taskStore = createTaskStore(store);
	const created = await taskStore.create(task);
	const posts: string[] = [];
	const deleted: string[] = [];
	const posted: PostOutcome = { kind: "posted", messageId: "88" };
	/** The dependencies of the showcase; tests replace them. */
	const discord = {
		mayRepost: async () => true,
		load: (id: string) => taskStore.load(id),
		readFile: async () => contentOf("an image") as ReturnType<typeof contentOf> | undefined,
		post: async () => posted as PostOutcome,
	};
	const settings = storedSettingsSchema.parse({ showcase: { channelId: "90", stars: STARS } });
	const showcase = createShowcase({
		galleryStore,
		results: { open: () => discord.readFile() },
		taskStore: { load: (id) => discord.load(id) },
		channelVisibility: { mayRepost: () => discord.mayRepost() },
		filePoster: {
			async post(channelId, { text }) {
				posts.push(`${channelId} ${text}`);
				return await discord.post();
			},
		},
		resultMessages: { delete: async (channelId, messageId) => deleted.push(`${channelId} ${messageId}`) > 0 },
		settings: { read: async () => settings },
		languages: { localeOf: async () => "en" },
	});
	async function star(userId: string, result = task): Promise<void> {
		await galleryStore.setFavorite({ guildId, userId }, taskId, true);
		await showcase.postIfPopular(result, pino({ level: "silent" }));
	}
	const starOften = async (result = task): Promise<void> => {
		for (const userId of userIds(STARS)) await star(userId, result);
	};
	const deleteTask = async (): Promise<void> => {
		if (created) await taskStore.move(created, { ...task, messageDeletedAtMs: 1 });
	};
	return { galleryStore, posts, posted, deleted, discord, star, starOften, deleteTask };
}

describe("a result with stars", () => {
	test("is posted once, even if hundreds press at the same time", async () => {
		const { galleryStore, posts, star } = await setup();
		await Promise.all(userIds(300).map((userId) => star(userId)));
		expect(posts).toStrictEqual([expect.stringMatching(new RegExp(`^90 .*<@${task.userId}>`))]);
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
		const { posts, discord, star, starOften } = await setup();
		discord.post = async () => ({ kind: "rejected" });
		await starOften();
		discord.post = async () => ({ kind: "unknown", error: new Error("timeout") });
		await star("3000");
		await star("3001");
		expect(posts).toHaveLength(2);
	});

	test("is posted at the next star if it could not be read again", async () => {
		const { posts, discord, star, starOften } = await setup();
		const { load } = discord;
		discord.load = () => Promise.reject(new Error("store unavailable"));
		await expect(starOften()).rejects.toThrow("store unavailable");
		discord.load = load;
		await star("3001");
		expect(posts).toHaveLength(1);
	});

	test("is removed again if it was deleted during the post", async () => {
		const { galleryStore, posted, deleted, discord, starOften } = await setup();
		discord.post = () => galleryStore.removeResult(guildId, taskId).then(() => posted);
		await starOften();
		expect(deleted).toStrictEqual(["90 88"]);
		expect(await galleryStore.showcasePost(taskId)).toBeUndefined();
	});

	const shown = { kind: "delivered", messageId: "1" } as const;
	type Change = (fixture: Awaited<ReturnType<typeof setup>>) => unknown;
	test.each<[string, DeliveredResult, Change?]>([
		["it is in a direct message", { ...task, shown: { ...shown, route: "directMessage", withFiles: true } }],
		["it has no files in its message", { ...task, shown: { ...shown, route: "tokenEdit", withFiles: false } }],
		["its files are no longer stored", withFiles, ({ discord }) => (discord.readFile = async () => undefined)],
		[
			"it is deleted while its files are read",
			withFiles,
			({ discord, deleteTask }) => (discord.readFile = () => deleteTask().then(() => contentOf("an image"))),
		],
		["some readers may not read its own channel", task, ({ discord }) => (discord.mayRepost = async () => false)],
	])("is not posted if %s, and its claim stays free", async (_why, result, change) => {
		const fixture = await setup();
		change?.(fixture);
		await fixture.starOften(result);
		expect(fixture.posts).toStrictEqual([]);
		expect(await fixture.galleryStore.claimShowcase(taskId)).toBeDefined();
	});
});
