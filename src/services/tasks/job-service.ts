import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import {
	ReplyClientUnavailableError,
	type ReplyFile,
	type ResendOutcome,
	type ReplyClient,
	type StandaloneReply,
} from "../delivery/reply-client.ts";
import type { ResultLinks } from "../delivery/result-links.ts";
import type { ResultStore } from "../delivery/result-store.ts";
import type { MessageRef } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import { UserError } from "../user-error.ts";
import { formatCancel } from "./format-cancel.ts";
import { formatJobLines } from "./format-job.ts";
import { resultUrls } from "./result-urls.ts";
import { isCancelable, requestCancel } from "./request-cancel.ts";
import type { Task } from "./task.ts";
import type { TaskRunner } from "./task-runner.ts";
import type { TaskStore } from "./task-store.ts";
import type { ResultLink } from "../../i18n/params.ts";

const TASK_ID = /^\d{1,25}$/;
/** The credits are told of as they end up, where that is soon. */
const LOOK_EVERY_MS = 250;
const LOOKS_MAX = 14;
const DESCRIPTION_CHARS_MAX = 500;
/** Until it is its turn, and then for the largest file on the slowest line. */
const BRING_TIMEOUT_MS = 6 * 60_000;
const MIB = 1024 * 1024;

/** Who asks, and whether they may see and cancel what others asked for. */
export interface JobRequester {
	readonly guildId: string;
	readonly userId: string;
	readonly isModerator: boolean;
}

/** Where files go that somebody asks for once more. */
interface FetchReply {
	readonly reply: StandaloneReply;
	/** What Discord takes there, per file. */
	readonly bytesMax: number;
	readonly locale: string;
}

/** A message with buttons below it. `askedById`: whom it answers, as Discord says; of a reply it always does. */
interface ResultMessage {
	readonly id: string;
	readonly askedById: string | undefined;
}

/** Where people look at tasks, fetch what was made once more, and cancel. Refuses in words. */
export interface JobService {
	/** Newest first, at most `max`; of another member for moderators only. */
	list(
		asker: JobRequester,
		query: { readonly max: number; readonly memberId?: string | undefined },
	): Promise<readonly Task[]>;
	show(asker: JobRequester, taskId: string): Promise<Task>;
	/** What a result came of, for whoever sees it and wants something made of it; `undefined` where that is no longer kept. */
	findSource(asker: JobRequester, taskId: string, channelId: string | null): Promise<Task | undefined>;
	source(asker: JobRequester, taskId: string, channelId: string | null): Promise<Task>;
	/** Refuses whoever may not delete that message, which says to be a task's result. */
	requireRemover(asker: JobRequester, taskId: string, message: ResultMessage): Promise<void>;
	/** Where each file of a result can be fetched in full. */
	links(task: Task): Promise<readonly (ResultLink | undefined)[]>;
	/** Brings what was made, and its files, into that reply. */
	fetch(asker: JobRequester, taskId: string, to: FetchReply, logger: Logger): Promise<void>;
	/** Resolves to what became of it and of the credits, as far as that is known within a few seconds. */
	cancel(asker: JobRequester, taskId: string, logger: Logger): Promise<MessageRef>;
}

interface JobDeskDeps {
	readonly tasks: Pick<TaskStore, "load" | "move" | "ofMember">;
	readonly results: Pick<ResultStore, "open">;
	readonly replyClient: Pick<ReplyClient, "resend">;
	readonly resultLinks: Pick<ResultLinks, "find">;
	readonly runner: Pick<TaskRunner, "wake">;
	readonly clock: Clock;
}

export function createJobService({ tasks, results, replyClient, resultLinks, runner, clock }: JobDeskDeps): JobService {
	async function show({ guildId, userId, isModerator }: JobRequester, taskId: string): Promise<Task> {
		const loaded = TASK_ID.test(taskId) ? await tasks.load(taskId) : undefined;
		// What lies in another server is not even known to be there.
		if (!loaded || loaded.task.guildId !== guildId) throw new UserError({ key: "jobNotFound" });
		if (loaded.task.userId !== userId && !isModerator) throw new UserError({ key: "othersJob" });
		return loaded.task;
	}

	async function findSource(
		{ guildId, userId }: JobRequester,
		taskId: string,
		channelId: string | null,
	): Promise<Task | undefined> {
		const task = (await tasks.load(taskId))?.task;
		// Who does not see the channel learns nothing of what was made there, by an id that they made up.
		if (!task || task.guildId !== guildId || task.reply.channelId !== channelId) return undefined;
		if (task.reply.ephemeral && task.userId !== userId) throw new UserError({ key: "sourcePrivate" });
		return task;
	}

	async function loadReadable(taskId: string): Promise<readonly Task[]> {
		try {
			const loaded = await tasks.load(taskId);
			return loaded ? [loaded.task] : [];
		} catch (error) {
			// One damaged task hides none of the others; every start logs it.
			if (error instanceof CorruptDocumentError) return [];
			throw error;
		}
	}

	/** What is in them is read when it is sent. */
	async function keptFilesOf(task: Task): Promise<readonly ReplyFile[]> {
		if (!("shown" in task)) throw new UserError({ key: "jobNotDone" });
		if (task.outcome.kind === "failed") throw new UserError({ key: "jobNothingMade" });
		const description = plainLine(task.order.prompt, DESCRIPTION_CHARS_MAX);
		return await Promise.all(
			task.outcome.files.map(async ({ name, contentType }, index) => {
				const content = await results.open(task.id, index);
				if (!content) throw new UserError({ key: "jobFilesGone" });
				return { name, contentType, description, content };
			}),
		);
	}

	async function bring(reply: StandaloneReply, text: string, files: readonly ReplyFile[]): Promise<ResendOutcome> {
		const overdue = AbortSignal.timeout(BRING_TIMEOUT_MS);
		try {
			return await replyClient.resend(reply, text, files, overdue);
		} catch (cause) {
			if (!(cause instanceof ReplyClientUnavailableError) && !overdue.aborted) throw cause;
			throw Object.assign(new UserError({ key: "jobFilesLater" }), { cause });
		}
	}

	/** The task as it is once the cancel has had its effect, or a few seconds from now. */
	async function afterCancel(asked: Task): Promise<Task> {
		let task = asked;
		for (let looks = 0; looks < LOOKS_MAX && mayStillChange(task); looks++) {
			await clock.sleep(LOOK_EVERY_MS);
			task = (await tasks.load(asked.id))?.task ?? task;
		}
		return task;
	}

	return {
		show,
		findSource,
		async source(asker, taskId, channelId) {
			const task = await findSource(asker, taskId, channelId);
			if (!task) throw new UserError({ key: "sourceGone" });
			return task;
		},
		async requireRemover({ guildId, userId, isModerator }, taskId, { id, askedById }) {
			if (isModerator || askedById === userId) return;
			const task = askedById === undefined ? (await tasks.load(taskId))?.task : undefined;
			const isOwn = task?.guildId === guildId && task.userId === userId;
			if (!isOwn || !stoodIn(task, id)) throw new UserError({ key: "othersResult" });
		},
		links: (task) => resultUrls(resultLinks, task),
		async list({ guildId, userId, isModerator }, { max, memberId = userId }) {
			if (memberId !== userId && !isModerator) throw new UserError({ key: "othersJob" });
			const ids: string[] = [];
			for await (const taskId of tasks.ofMember(guildId, memberId)) {
				ids.push(taskId);
				if (ids.length === max) break;
			}
			return (await Promise.all(ids.map(loadReadable))).flat();
		},
		async fetch(asker, taskId, { reply, bytesMax, locale }, logger) {
			const task = await show(asker, taskId);
			const files = await keptFilesOf(task);
			const largestBytes = Math.max(...files.map(({ content }) => content.sizeBytes));
			// What fitted where it was made may not fit for somebody else, or some boosts later.
			if (largestBytes > bytesMax) {
				const params = { sizeMiB: Math.ceil(largestBytes / MIB), limitMiB: Math.floor(bytesMax / MIB) };
				throw new UserError({ key: "resultTooLarge", params });
			}
			const text = formatJobLines(task, locale, await resultUrls(resultLinks, task));
			const { kind } = await bring(reply, text, files);
			if (kind === "filesRefused") throw new UserError({ key: "jobFilesRefused" });
			if (kind === "gone") logger.warn({ taskId }, "files not brought, the reply is gone");
		},
		async cancel(asker, taskId, logger) {
			const { userId } = await show(asker, taskId);
			const isOwn = userId === asker.userId;
			const atMs = clock.nowMs();
			const request = isOwn
				? ({ by: "member", atMs } as const)
				: ({ by: "moderator", userId: asker.userId, atMs } as const);
			const verdict = await requestCancel(tasks, taskId, request);
			if (!verdict) throw new UserError({ key: "jobNotFound" });
			logger.info({ taskId, by: request.by, verdict: verdict.kind, state: verdict.task.state }, "cancel requested");
			if (verdict.kind === "tooLate") return formatCancel(verdict.task);
			runner.wake(taskId);
			return formatCancel(await afterCancel(verdict.task));
		},
	};
}

function stoodIn(task: Task, messageId: string): boolean {
	return "shown" in task && task.shown.kind === "shown" && task.shown.messageId === messageId;
}

function mayStillChange(task: Task): boolean {
	return isCancelable(task) && !("cancelAnswer" in task && task.cancelAnswer === "not_supported");
}
