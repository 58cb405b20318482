import { openMemoryStore } from "@atelier/store/testing/memory-store";
import type { Store } from "@atelier/store/store";
import { systemClock as clock } from "@atelier/common/clock";
import { expect, test } from "vitest";
import { createGalleryStore } from "../../src/services/gallery/gallery-store.ts";
import { createRequestDrafts } from "../../src/services/tasks/request-drafts.ts";
import { createTaskStore } from "../../src/services/tasks/task-store.ts";
import { deliveredTask } from "../fakes/stored-tasks.ts";
import { submission } from "../fakes/submission.ts";
import { runCli } from "./run-cli.ts";

const { id: taskId, guildId, userId } = submission;
const result = { taskId, guildId, userId, channelId: "3", messageId: "4", isMessageDeleted: false };
const content = { mediaType: "image", modelName: "Paint", prompt: "a boat", chargedCredits: 4 };

test.each<[string, (store: Store) => Promise<unknown>]>([
	["a task", (store) => createTaskStore(store).create(deliveredTask)],
	["a favorite", (store) => createGalleryStore(store).setFavorite({ guildId, userId }, taskId, true)],
	["a draft", (store) => createRequestDrafts({ store, clock }).add(submission)],
	["a report", (store) => store.set(`reported:${guildId}:${taskId}`, { ...result, ...content, reports: {} })],
])("the operator exports %s from a server without an account or settings", async (_what, write) => {
	const store = openMemoryStore();
	await write(store);
	const { stdout } = await runCli(["privacy", "export", userId], { store });
	expect(stdout.map((line) => JSON.parse(line) as object)).toMatchObject([{ about: { server: guildId } }]);
});
