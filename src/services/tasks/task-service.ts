import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ReplyTarget } from "../delivery/reply-client.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import type { GenerationRequest } from "../generation/request.ts";
import type { Authorization, ChannelContext } from "../moderation/authorization.ts";
import type { GuildAccounts } from "../credits/guild-accounts.ts";
import type { Ledger } from "@atelier/ledger/operations";
import type { TaskRunner } from "./task-runner.ts";
import type { TaskStore } from "./task-store.ts";

/** Time from the command until the task is failed, by medium. */
type DeadlinesMs = Readonly<Record<MediaType, number>>;

export interface TaskRequest {
	/** Id of the interaction: a duplicate event starts no second task. */
	readonly id: string;
	readonly order: GenerationRequest;
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	/** Locale of the reply. */
	readonly locale: string;
	/** Locale of the member. */
	readonly userLocale?: string;
	readonly reply: ReplyTarget;
	readonly place: ChannelContext;
}

export interface TaskService {
	/**
	 * Authorizes and starts a task. Once it resolves, the task survives a crash, and its reply shows the outcome. Resolves to
	 * false if the task exists already; its first reply stays in use. Throws a `UserError` for a denial.
	 */
	submit(request: TaskRequest, logger: Logger): Promise<boolean>;
	/** Throws the denials of `submit` without starting a task; called before the member is asked to confirm. */
	admit(request: TaskRequest, logger: Logger): Promise<void>;
}

interface TaskServiceDeps {
	readonly tasks: TaskStore;
	readonly runner: TaskRunner;
	readonly admission: Authorization;
	readonly accounts: GuildAccounts;
	readonly ledger: Pick<Ledger, "balance">;
	readonly clock: Clock;
	readonly deadlinesMs: DeadlinesMs;
}

export function createTaskService(deps: TaskServiceDeps): TaskService {
	const { tasks, runner, admission, accounts, ledger, clock, deadlinesMs } = deps;

	return {
		admit: ({ guildId, userId, roleIds, order, place }, logger) =>
			admission.authorize({ guildId, userId, roleIds, order, place }, logger),
		async submit({ roleIds, place, ...request }, logger) {
			const { guildId, userId, order } = request;
			await admission.authorize({ guildId, userId, roleIds, order, place }, logger);
			const payment = await accounts.planPayment({ guildId, userId, roleIds }, order.mediaType);
			// Reading the accounts first denies a task that a damaged account could not pay.
			await Promise.all(payment.limits.map(({ account }) => ledger.balance(account)));
			const createdAtMs = clock.nowMs();
			const deadlineAtMs = createdAtMs + deadlinesMs[order.mediaType];
			const isNew = await tasks.create({ ...request, payment, createdAtMs, deadlineAtMs, state: "created" });
			const { model, costCredits, prompt } = order;
			if (isNew) logger.info({ taskId: request.id, model, costCredits, promptChars: prompt.length }, "task created");
			else logger.info({ taskId: request.id }, "task already exists");
			runner.wake(request.id);
			return isNew;
		},
	};
}
