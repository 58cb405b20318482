/** Converts tasks to the jobs of the dashboard's API. No I/O. */
import type { Job } from "@atelier/dashboard/schemas/jobs";
import { t } from "../../../i18n/messages.ts";
import { isRefundable } from "../../../services/tasks/refund-task.ts";
import { isDeliveredResult, isPublicResult, messageLinkOf } from "../../../services/tasks/delivered-result.ts";
import { taskStatusOf } from "../../../services/tasks/task-status.ts";
import { isPending, type Task } from "../../../services/tasks/task.ts";

export interface JobViewer {
	readonly userId: string;
	readonly locale: string;
	readonly mayRefund: boolean;
	/** True if the server has a channel for reports. */
	readonly mayReport: boolean;
}

export function jobOf(task: Task, viewer: JobViewer): Job {
	const { id, userId, request, reply, presentation, createdAtMs } = task;
	const isPrivate = reply.isEphemeral;
	const isOwn = userId === viewer.userId;
	const isHidden = isPrivate && !isOwn;
	const failure = "outcome" in task && task.outcome.kind === "failed" ? task.outcome.why : undefined;
	return {
		id,
		userId: isHidden ? null : userId,
		mediaType: request.mediaType,
		model: request.modelName,
		prompt: isHidden ? null : request.prompt,
		isPrivate,
		state: taskStatusOf(task),
		reason: failure === undefined || isHidden ? null : t(viewer.locale, failure),
		credits: "chargedCredits" in task ? task.chargedCredits : request.costCredits,
		createdAtMs,
		isDeleted: isDeliveredResult(task) && task.messageDeletedAtMs !== undefined,
		isRefunded: isDeliveredResult(task) && task.refundedAtMs !== undefined,
		url: isDeliveredResult(task) && isPublicResult(task) ? messageLinkOf(task) : null,
		actions: actionsOf(task, { ...viewer, isOwn }),
		files: isDeliveredResult(task) && isPublicResult(task) ? task.outcome.files.length : 0,
		isSpoiler: presentation.isSpoiler,
	};
}

function actionsOf(
	task: Task,
	{ isOwn, mayRefund, mayReport }: JobViewer & { readonly isOwn: boolean },
): Job["actions"] {
	const isDeletable = isDeliveredResult(task) && isPublicResult(task);
	return [
		...(isPending(task) && !task.cancel ? (["cancel"] as const) : []),
		...(isDeletable ? (["delete"] as const) : []),
		...(mayRefund && isRefundable(task) ? (["refund"] as const) : []),
		...(isDeletable && mayReport && !isOwn ? (["report"] as const) : []),
	];
}
