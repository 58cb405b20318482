import type { Actor, Member } from "../access/member.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import {
	ReplyClientUnavailableError,
	type ReplyClient,
	type Resend,
	type ResendResult,
} from "../delivery/reply-client.ts";
import type { ReplyFile } from "../delivery/final-reply.ts";
import type { TokenReply } from "../delivery/reply-target.ts";
import type { ResultLink, ResultLinks } from "../delivery/result-links.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import { storedFiles } from "../delivery/stored-files.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { UserError } from "../user-error.ts";
import { formatCancel } from "./format-cancel.ts";
import { formatTaskDetails } from "./format-task.ts";
import { isDeliveredResult, isPublicResult } from "./delivered-result.ts";
import { requestCancel, requestPing } from "./change-task.ts";
import { awaitsReply, isPending, type Task } from "./task.ts";
import type { TaskRunner } from "./task-runner.ts";
import { loadReadableTask, requireGuildTask, type TaskStore } from "./task-store.ts";

/** A cancellation waits for its outcome in checks at this interval: three and a half seconds together. */
const CANCEL_CHECK_EVERY_MS = 250;
const CANCEL_CHECKS_MAX = 14;
/** Covers the wait for free upload memory, and the largest file on the slowest connection. */
const RESEND_TIMEOUT_MS = 6 * 60_000;
const MIB = 1024 * 1024;

/** The reply that receives the files of a task. */
export interface ResendTarget {
	readonly reply: TokenReply;
	/** Discord's limit per file for this reply. */
	readonly bytesMax: number;
	readonly locale: string;
}

interface MemberTasksDeps {
	readonly taskStore: Pick<TaskStore, "load" | "move" | "ofMember">;
	readonly results: Pick<ResultStore, "open">;
	readonly replyClient: Pick<ReplyClient, "resend">;
	readonly resultLinks: Pick<ResultLinks, "find">;
	readonly runner: Pick<TaskRunner, "wake">;
	readonly clock: Clock;
}

/** Lists tasks, sends results again, and cancels tasks. Each method throws a `UserError` if the member may not do that. */
export function createMemberTasks(deps: MemberTasksDeps) {
	const { taskStore, results, replyClient, resultLinks, runner, clock } = deps;

	/** Reads a task that the member may see. Throws a `UserError` if the server has no task with this id. */
	async function show({ guildId, userId, isModerator }: Actor, taskId: string): Promise<Task> {
		const { task } = await requireGuildTask(taskStore, guildId, taskId);
		if (task.userId !== userId && !isModerator) throw new UserError({ key: "permission.othersJob" });
		return task;
	}

	/** Reads a task of the member. Denies moderators that of another member. */
	async function requireOwnTask(member: Member, taskId: string): Promise<Task> {
		return await show({ ...member, isModerator: false }, taskId);
	}

	async function loadReadable(taskIds: readonly string[]): Promise<readonly Task[]> {
		const loaded = await Promise.all(taskIds.map((taskId) => loadReadableTask(taskStore, taskId)));
		return loaded.filter((task) => task !== undefined);
	}

	async function storedFilesOf(task: Task): Promise<readonly ReplyFile[]> {
		if (awaitsReply(task)) throw new UserError({ key: "job.notDone" });
		if (task.outcome.kind === "failed") throw new UserError({ key: "job.nothingMade" });
		const { files } = task.outcome;
		const result = { taskId: task.id, prompt: task.request.prompt, files, isSpoiler: false };
		const stored = await storedFiles(results, result);
		if (stored.length < files.length) throw new UserError({ key: "job.filesGone" });
		return stored;
	}

	async function resendFiles(reply: TokenReply, resend: Resend): Promise<ResendResult> {
		const timeout = AbortSignal.timeout(RESEND_TIMEOUT_MS);
		try {
			return await replyClient.resend(reply, resend, timeout);
		} catch (cause) {
			if (!(cause instanceof ReplyClientUnavailableError) && !timeout.aborted) throw cause;
			throw new UserError({ key: "job.filesLater" }, { cause });
		}
	}

	/** Waits a few seconds for the effect of a cancellation. Resolves to the task as it is then. */
	async function waitForCancelEffect(canceledTask: Task): Promise<Task> {
		let task = canceledTask;
		for (let checks = 0; checks < CANCEL_CHECKS_MAX && mayBeCanceled(task); checks++) {
			await clock.sleep(CANCEL_CHECK_EVERY_MS);
			task = (await taskStore.load(canceledTask.id))?.task ?? task;
		}
		return task;
	}

	return {
		show,
		/** Returns the link to each full-size file, and none of a result that only another member may see. */
		async links({ userId }: Member, task: Task): Promise<readonly (ResultLink | undefined)[]> {
			const maySee = task.userId === userId || (isDeliveredResult(task) && isPublicResult(task));
			if (!maySee || !("outcome" in task) || task.outcome.kind === "failed") return [];
			return await resultLinks.find(task.id, task.outcome.files.length);
		},
		/** Reads the newest `max` tasks of a member, without corrupt ones. Only moderators may list tasks of another member. */
		async list(
			{ guildId, userId, isModerator }: Actor,
			{ max, memberId }: { readonly max: number; readonly memberId: string },
		): Promise<readonly Task[]> {
			if (memberId !== userId && !isModerator) throw new UserError({ key: "permission.othersJob" });
			const tasks: Task[] = [];
			const ids: string[] = [];
			// Read at once: one after the other, a list would take a round trip to the store for each.
			for await (const taskId of taskStore.ofMember(guildId, memberId)) {
				ids.push(taskId);
				if (tasks.length + ids.length < max) continue;
				tasks.push(...(await loadReadable(ids.splice(0))));
				if (tasks.length === max) return tasks;
			}
			return [...tasks, ...(await loadReadable(ids))];
		},
		/** Requests a ping at the end of a task. Resolves to `false` if the member will not be pinged. */
		async requestPing(requester: Member, taskId: string): Promise<boolean> {
			// A moderator sees other members' tasks, but the ping is for the member.
			await requireOwnTask(requester, taskId);
			return await requestPing(taskStore, taskId);
		},
		/** Sends the details of a finished task and its files to another reply of its member. */
		async resend(
			requester: Member,
			taskId: string,
			{ reply, bytesMax, locale }: ResendTarget,
			logger: Logger,
		): Promise<void> {
			// A moderator sees other members' tasks, but not their private results.
			const task = await requireOwnTask(requester, taskId);
			const files = await storedFilesOf(task);
			const largestBytes = Math.max(...files.map(({ content }) => content.sizeBytes));
			// The files were transcoded for another limit: Discord's limits differ between members and change with boosts.
			if (largestBytes > bytesMax) {
				const params = { sizeMiB: Math.ceil(largestBytes / MIB), limitMiB: Math.floor(bytesMax / MIB) };
				throw new UserError({ key: "service.resultTooLarge", params });
			}
			const details = formatTaskDetails(task, locale, await resultLinks.find(taskId, files.length));
			const { kind } = await resendFiles(reply, { ...details, files });
			if (kind === "filesRejected") throw new UserError({ key: "job.filesRejected" });
			if (kind === "gone") logger.warn({ taskId }, "files not delivered: reply gone");
		},
		/** Requests a cancellation. Resolves to a message with the outcome that is known after a few seconds. */
		async cancel(requester: Actor, taskId: string, logger: Logger): Promise<MessageDescriptor> {
			const { userId } = await show(requester, taskId);
			const isOwn = userId === requester.userId;
			const atMs = clock.nowMs();
			const request = isOwn
				? ({ by: "member", atMs } as const)
				: ({ by: "moderator", userId: requester.userId, atMs } as const);
			const task = await requestCancel(taskStore, taskId, request);
			if (!task) throw new UserError({ key: "job.notFound" });
			logger.info({ taskId, by: request.by, state: task.state }, "cancel requested");
			if (!isPending(task)) return formatCancel(task);
			runner.wake(taskId);
			return formatCancel(await waitForCancelEffect(task));
		},
	};
}

/** Returns whether a cancellation may still end the task. */
function mayBeCanceled(task: Task): boolean {
	return isPending(task) && !("cancelResponse" in task && task.cancelResponse === "not_supported");
}
