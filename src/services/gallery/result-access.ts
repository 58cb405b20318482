import {
	isDeliveredResult,
	isPartlyDeleted,
	isPublicResult,
	messageIdOf,
	type DeliveredResult,
} from "../tasks/delivered-result.ts";
import type { Task } from "../tasks/task.ts";
import { loadGuildTask, type TaskStore } from "../tasks/task-store.ts";
import { undefinedIfCorrupt } from "../read-document.ts";
import { UserError } from "../user-error.ts";
import type { GalleryViewer, Member, Viewer } from "../access/member.ts";
import type { ChannelVisibility } from "./channel-visibility.ts";

/** A message with the buttons of a result. */
interface PressedMessage {
	readonly id: string;
	/** The member to whose command the message is the reply; `undefined` if Discord names none. */
	readonly requesterId: string | undefined;
}

export type ResultAccess = ReturnType<typeof createResultAccess>;

interface ResultAccessDeps {
	readonly taskStore: Pick<TaskStore, "load">;
	readonly channelVisibility: Pick<ChannelVisibility, "canRead">;
}

/** Decides who may see, use and delete a result. Buttons may be forged: their task id proves nothing. Throws a `UserError` as a denial. */
export function createResultAccess({ taskStore, channelVisibility }: ResultAccessDeps) {
	/** A corrupt task counts as missing: its server is unknown. */
	async function find(guildId: string, taskId: string): Promise<Task | undefined> {
		return (await loadGuildTask(taskStore, guildId, taskId).catch(undefinedIfCorrupt))?.task;
	}

	/** Asks Discord for permissions only if the viewer is in another channel. */
	async function maySee(viewer: Viewer, task: Task): Promise<boolean> {
		const { guildId, userId, reply } = task;
		if (guildId !== viewer.guildId) return false;
		if (userId === viewer.userId) return true;
		if (isDeliveredResult(task) && isPublicResult(task))
			return await channelVisibility.canRead(viewer, reply.channelId);
		// Other messages of tasks have buttons too, for the members of their channel.
		const isDeleted = "messageDeletedAtMs" in task && task.messageDeletedAtMs !== undefined;
		return !reply.isEphemeral && !isDeleted && reply.channelId === viewer.channelId;
	}

	/** Reads a task that the viewer may see; `undefined` if there is none. */
	async function findVisible(viewer: Viewer, taskId: string): Promise<Task | undefined> {
		const task = await find(viewer.guildId, taskId);
		return task && (await maySee(viewer, task)) ? task : undefined;
	}

	/**
	 * The same as `findVisible`, but throws a `UserError` for a missing task. Asks Discord if the viewer is in another channel, so the
	 * first response to an interaction must not await it.
	 */
	async function requireVisible(viewer: Viewer, taskId: string): Promise<Task> {
		const task = await findVisible(viewer, taskId);
		// A task that the viewer may not see is reported as missing.
		if (!task) throw new UserError({ key: "request.sourceGone" });
		return task;
	}

	/** The same as `requireVisible`, for a task that has a result. */
	async function requireVisibleResult(viewer: Viewer, taskId: string): Promise<DeliveredResult> {
		const task = await requireVisible(viewer, taskId);
		if (!isDeliveredResult(task)) throw new UserError({ key: "request.sourceGone" });
		return task;
	}

	return {
		maySee,
		findVisible,
		requireVisible,
		requireVisibleResult,
		async isOwn({ guildId, userId }: Member, taskId: string): Promise<boolean> {
			return (await find(guildId, taskId))?.userId === userId;
		},
		/** Reads a result that the viewer may delete. Moderators may delete each public one, shown to them or not. */
		async requireDeletable(viewer: GalleryViewer, taskId: string): Promise<DeliveredResult> {
			const { isModerator } = viewer;
			const found = isModerator ? await find(viewer.guildId, taskId) : undefined;
			if (found && isDeliveredResult(found) && (isPublicResult(found) || isPartlyDeleted(found))) return found;
			const task = await requireVisibleResult(viewer, taskId);
			if (task.userId !== viewer.userId && !isModerator) throw new UserError({ key: "permission.othersResult" });
			return task;
		},
		/**
		 * Checks that the member may delete a message in its channel, also after its task was removed. Resolves to the task, if the
		 * message shows its result.
		 */
		async requireMessageDeletable(
			{ guildId, userId, mayDeleteOthers }: Member & { readonly mayDeleteOthers: boolean },
			taskId: string,
			{ id, requesterId }: PressedMessage,
		): Promise<Task | undefined> {
			const named = await find(guildId, taskId);
			const task = named && messageIdOf(named) === id ? named : undefined;
			const ownerId = requesterId ?? task?.userId;
			if (!mayDeleteOthers && ownerId !== userId) throw new UserError({ key: "permission.othersResult" });
			return task;
		},
	};
}
