import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Actor, GalleryViewer } from "../access/member.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import type { ResultAccess } from "./result-access.ts";
import { changeTask } from "../tasks/change-task.ts";
import { isDeliveredResult, isPartlyDeleted, messageIdOf, publicMessageIdOf } from "../tasks/delivered-result.ts";
import { withoutCheck, type Task } from "../tasks/task.ts";
import { loadReadableTask, type TaskStore } from "../tasks/task-store.ts";
import { UserError } from "../user-error.ts";
import type { GalleryStore } from "./gallery-store.ts";
import type { ResultMessages } from "./result-messages.ts";

export type ResultDeletion = ReturnType<typeof createResultDeletion>;

interface ResultDeletionDeps {
	readonly clock: Clock;
	readonly taskStore: Pick<TaskStore, "load" | "move">;
	readonly galleryStore: Pick<GalleryStore, "endShowcaseClaim" | "removeResult">;
	readonly resultAccess: Pick<ResultAccess, "requireDeletable">;
	readonly resultMessages: Pick<ResultMessages, "delete">;
	readonly results: Pick<ResultStore, "remove">;
}

export function createResultDeletion(deps: ResultDeletionDeps) {
	const { clock, taskStore, galleryStore, resultAccess, resultMessages, results } = deps;

	/**
	 * Removes a result from the gallery and the showcase, after its message was deleted. Does nothing for a task of another guild: the
	 * id may be forged.
	 */
	async function unlist(guildId: string, taskId: string, logger: Logger): Promise<void> {
		const task = await loadReadableTask(taskStore, taskId);
		if (!task || !isDeliveredResult(task) || task.guildId !== guildId) return;
		// First, so that a showcase that claims the result afterwards does not post it.
		await recordDeletion(taskId);
		const post = await galleryStore.endShowcaseClaim(taskId);
		if (post && !(await resultMessages.delete(post.channelId, post.messageId)))
			logger.warn({ taskId, channelId: post.channelId }, "result not deleted from the showcase");
		await galleryStore.removeResult(guildId, taskId);
	}

	async function recordDeletion(taskId: string): Promise<void> {
		await changeTask(taskStore, taskId, (task) =>
			// A deleted message is not checked for late progress updates.
			isDeliveredResult(task) && messageIdOf(task) !== undefined
				? { ...withoutCheck(task), messageDeletedAtMs: clock.nowMs() }
				: undefined,
		);
	}

	/**
	 * Completes a deletion, after the message was deleted. Only moderators of the server remove files, and not those of their own
	 * result: a permission in one channel only allows to delete the message.
	 */
	async function completeDeletion({ userId, isModerator }: Actor, task: Task, logger: Logger): Promise<void> {
		if (isDeliveredResult(task) && task.userId !== userId && isModerator) await results.remove(task.id);
		await unlist(task.guildId, task.id, logger);
	}

	return {
		/** Deletes a result from its channel, the gallery and the showcase. Throws a `UserError` as a denial. */
		async deleteResult(viewer: GalleryViewer, taskId: string, logger: Logger): Promise<void> {
			const task = await resultAccess.requireDeletable(viewer, taskId);
			const messageId = publicMessageIdOf(task);
			const { channelId } = task.reply;
			if (messageId === undefined && !isPartlyDeleted(task)) throw new UserError({ key: "report.nothingToDelete" });
			if (messageId !== undefined && !(await resultMessages.delete(channelId, messageId)))
				throw new UserError({ key: "report.deleteForbidden", params: { channelId } });
			await completeDeletion(viewer, task, logger);
			logger.info({ taskId, userId: viewer.userId }, "result deleted");
		},
		completeDeletion,
		unlist,
	};
}
