import { expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createResultAccess } from "../../../src/services/gallery/result-access.ts";
import { createTaskStore } from "../../../src/services/tasks/task-store.ts";
import type { Task } from "../../../src/services/tasks/task.ts";
import { deliveredTask, failedTask } from "../../fakes/stored-tasks.ts";

const { id: taskId, guildId, userId, reply, shown } = deliveredTask;
const MESSAGE = shown.kind === "delivered" ? shown.messageId : "";
const OTHER = "1000000000000000077";
/** The viewer can read this channel, which is not that of the result. */
const ELSEWHERE = "1000000000000000044";
const privateTask: Task = { ...deliveredTask, reply: { ...reply, isEphemeral: true } };
const deletedTask: Task = { ...deliveredTask, messageDeletedAtMs: 3 };

/** The access to this stored document. */
async function setup(task: unknown, { mayRead = true } = {}) {
	const store = openMemoryStore();
	await store.set(`task:${taskId}`, task);
	return createResultAccess({
		taskStore: createTaskStore(store),
		channelVisibility: { canRead: async () => mayRead },
	});
}

const viewer = { guildId, userId: OTHER, roleIds: [], isAdministrator: false, channelId: reply.channelId };

const outcomeOf = async (checked: Promise<unknown>): Promise<string> =>
	await checked.then(
		() => "allowed",
		(error: unknown) => String(error),
	);

test.each<readonly [string, Task, Partial<typeof viewer> & { readonly mayRead?: boolean }, boolean]>([
	["a public result in its channel", deliveredTask, {}, true],
	["a public result in another channel, by those who can read its own", deliveredTask, { channelId: ELSEWHERE }, true],
	["no result of an unreadable channel", deliveredTask, { channelId: ELSEWHERE, mayRead: false }, false],
	["no result of another server", deliveredTask, { guildId: "1000000000000000011" }, false],
	["no private result of another member", privateTask, {}, false],
	["a private result of their own anywhere", privateTask, { userId, channelId: ELSEWHERE, mayRead: false }, true],
	["no deleted result of another member", deletedTask, {}, false],
	["a failed task in its channel", failedTask, {}, true],
	["no failed task of another channel", failedTask, { channelId: ELSEWHERE }, false],
])("a member may use %s", async (_what, task, { mayRead = true, ...change }, isVisible) => {
	const access = await setup(task, { mayRead });
	const found = await access.findVisible({ ...viewer, ...change }, taskId);
	expect(found?.id).toBe(isVisible ? taskId : undefined);
	const required = await outcomeOf(access.requireVisible({ ...viewer, ...change }, taskId));
	expect(required).toContain(isVisible ? "allowed" : "request.sourceGone");
});

test.each([
	["a failed task", failedTask, taskId],
	["a text that is no id", deliveredTask, "../../etc/passwd"],
	["a corrupt task", "garbage", taskId],
])("%s counts as no result", async (_what, stored, id) => {
	const access = await setup(stored);
	expect(await outcomeOf(access.requireVisibleResult(viewer, id))).toContain("request.sourceGone");
	expect(await outcomeOf(access.requireDeletable({ ...viewer, isModerator: true }, id))).toContain(
		"request.sourceGone",
	);
});

test.each([
	["by its member", deliveredTask, userId, false, "allowed"],
	["by no other member", deliveredTask, OTHER, false, "permission.othersResult"],
	["by a moderator, also if it is not shown to them", deliveredTask, OTHER, true, "allowed"],
	["by no moderator if it is private", privateTask, OTHER, true, "request.sourceGone"],
])("a result may be deleted %s", async (_who, task, by, isModerator, expected) => {
	const access = await setup(task, { mayRead: !isModerator });
	const checked = access.requireDeletable({ ...viewer, userId: by, isModerator }, taskId);
	expect(await outcomeOf(checked)).toContain(expected);
});

test.each([
	["its task", userId, MESSAGE, taskId],
	["no task that the custom id names and the message does not show", userId, "2", undefined],
	["no such task for those who may delete messages of the channel", OTHER, "2", undefined],
])("with a result message is deleted %s", async (_what, by, id, expected) => {
	const access = await setup(deliveredTask);
	const member = { guildId, userId: by, mayDeleteOthers: by === OTHER };
	const task = await access.requireMessageDeletable(member, taskId, { id, requesterId: userId });
	expect(task?.id).toBe(expected);
});

test.each([
	["by the member whom Discord names as its requester", userId, "2", userId, false, "allowed"],
	["by no other member, whatever the custom id says", userId, "2", OTHER, false, "permission.othersResult"],
	["by those who may delete messages of the channel", OTHER, "2", userId, true, "allowed"],
	["by the member of its task if Discord names no requester", userId, MESSAGE, undefined, false, "allowed"],
	["by no member if it is the message of another task", userId, "2", undefined, false, "permission.othersResult"],
	["by no other member if Discord names no requester", OTHER, MESSAGE, undefined, false, "permission.othersResult"],
])("a result message may be deleted %s", async (_who, by, id, requesterId, mayDeleteOthers, expected) => {
	const access = await setup(deliveredTask);
	const checked = access.requireMessageDeletable({ guildId, userId: by, mayDeleteOthers }, taskId, { id, requesterId });
	expect(await outcomeOf(checked)).toContain(expected);
});
