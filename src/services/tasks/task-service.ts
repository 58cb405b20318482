import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ReplyTarget } from "../delivery/reply-target.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import type { GenerationRequest } from "../generation/request.ts";
import type { Authorization, ChannelContext } from "../moderation/authorization.ts";
import { LedgerRejectedError, type Ledger } from "@atelier/ledger/operations";
import type { TaskRunner } from "./task-runner.ts";
import { isPaidFromOneAccount, noteOf } from "./steps/reserve.ts";
import type { TaskIn, PingChoice, TaskSource } from "./task.ts";
import type { LoadedTask, TaskStore } from "./task-store.ts";

/** The longest time (ms) from the command until the task fails, by media type. */
type DeadlinesMs = Readonly<Record<MediaType, number>>;

/** All that is needed to authorize and start a task. */
export interface Submission {
	/** Id of the interaction: a duplicate event starts no second task. */
	readonly id: string;
	readonly request: GenerationRequest;
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	/** Locale of the reply. */
	readonly locale: string;
	/** Locale of the member. */
	readonly userLocale: string;
	readonly reply: ReplyTarget;
	readonly source?: TaskSource;
	readonly ping?: PingChoice;
	readonly channel: ChannelContext;
}

export interface TaskService {
	/**
	 * Authorizes and starts a task. Once it resolves, the task survives a crash, and its reply shows the outcome. Resolves to
	 * false if the task exists already; its first reply stays in use. Throws a `UserError` for a denial.
	 */
	submit(submission: Submission, logger: Logger): Promise<boolean>;
	/** Throws the denials of `submit` without starting a task; called before the member is asked to confirm. */
	authorize(submission: Submission, logger: Logger): Promise<void>;
}

interface TaskServiceDeps {
	readonly taskStore: TaskStore;
	readonly runner: TaskRunner;
	readonly authorization: Authorization;
	readonly ledger: Pick<Ledger, "reserve">;
	readonly clock: Clock;
	readonly deadlinesMs: DeadlinesMs;
}

export function createTaskService(deps: TaskServiceDeps): TaskService {
	const { taskStore, runner, authorization, ledger, clock, deadlinesMs } = deps;

	/** Writes the task together with its hold. Resolves to `undefined` if that is impossible or denied: the reserve step runs instead. */
	async function tryCreateTaskWithHold(task: TaskIn<"created">): Promise<LoadedTask | undefined> {
		if (!isPaidFromOneAccount(task)) return undefined;
		const { id, request, payment } = task;
		const note = noteOf(task, request.mediaType);
		try {
			// The transaction fails for a hold that was reserved before, because its task exists.
			return await taskStore.createWith({ ...task, state: "reserved" }, (alsoWrite) =>
				ledger.reserve(payment.account, id, request.costCredits, note, { alsoWrite, isNewId: true }),
			);
		} catch (error) {
			if (error instanceof LedgerRejectedError) return undefined;
			throw error;
		}
	}

	return {
		async authorize({ guildId, userId, roleIds, request, channel }, logger) {
			await authorization.authorize({ guildId, userId, roleIds, request, channel }, logger);
		},
		async submit({ roleIds, channel, ...task }, logger) {
			const { guildId, userId, request } = task;
			const payment = await authorization.authorize({ guildId, userId, roleIds, request, channel }, logger);
			const createdAtMs = clock.nowMs();
			const deadlineAtMs = createdAtMs + deadlinesMs[request.mediaType];
			const created = { ...task, payment, createdAtMs, deadlineAtMs, state: "created" } as const;
			const reserved = await tryCreateTaskWithHold(created);
			const isNew = reserved !== undefined || (await taskStore.create(created));
			const { model, costCredits, prompt } = request;
			if (isNew) logger.info({ taskId: task.id, model, costCredits, promptChars: prompt.length }, "task created");
			else logger.info({ taskId: task.id }, "task already exists");
			if (reserved) runner.runWritten(reserved);
			else runner.wake(task.id);
			return isNew;
		},
	};
}
