import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { ReplyTarget } from "../delivery/messenger.ts";
import type { MediaType } from "@atelier/media-protocol/model";
import type { Order } from "../generation/order.ts";
import type { Admission, Place } from "../guilds/admission.ts";
import type { GuildAccounts } from "../guilds/guild-accounts.ts";
import type { Ledger } from "@atelier/ledger/operations";
import type { TaskRunner } from "./task-runner.ts";
import type { TaskStore } from "./task-store.ts";

/** From the command to giving up: a slow service is not a reason to wait for ever, nor to pay. */
type DeadlinesMs = Readonly<Record<MediaType, number>>;

export interface TaskRequest {
	/** The interaction's id: a command that is told twice starts once. */
	readonly id: string;
	readonly order: Order;
	readonly guildId: string;
	readonly userId: string;
	readonly roleIds: readonly string[];
	/** In which the reply is written. */
	readonly locale: string;
	/** Of whoever asked. */
	readonly userLocale?: string;
	readonly reply: ReplyTarget;
	readonly place: Place;
}

export interface TaskService {
	/**
	 * Starts a task, if the server lets this member. When it resolves, the task survives anything; what becomes of it is told
	 * through its reply. False: the task exists already, with the reply it was given then.
	 */
	submit(request: TaskRequest, logger: Logger): Promise<boolean>;
	/** Refuses what `submit` would refuse, and starts nothing: before somebody is asked to confirm it. */
	admit(request: TaskRequest, logger: Logger): Promise<void>;
}

interface TaskServiceDeps {
	readonly tasks: TaskStore;
	readonly runner: TaskRunner;
	readonly admission: Admission;
	readonly accounts: GuildAccounts;
	readonly ledger: Pick<Ledger, "balance">;
	readonly clock: Clock;
	readonly deadlinesMs: DeadlinesMs;
}

export function createTaskService(deps: TaskServiceDeps): TaskService {
	const { tasks, runner, admission, accounts, ledger, clock, deadlinesMs } = deps;

	return {
		admit: ({ guildId, userId, roleIds, order, place }, logger) =>
			admission.require({ guildId, userId, roleIds, order, place }, logger),
		async submit({ roleIds, place, ...request }, logger) {
			const { guildId, userId, order } = request;
			await admission.require({ guildId, userId, roleIds, order, place }, logger);
			const payment = await accounts.routeFor({ guildId, userId, roleIds }, order.mediaType);
			// Damaged books refuse here, where the person is told at once, and not after a task that cannot be paid.
			await Promise.all(payment.limits.map(({ account }) => ledger.balance(account)));
			const createdAtMs = clock.nowMs();
			const deadlineAtMs = createdAtMs + deadlinesMs[order.mediaType];
			const isNew = await tasks.create({ ...request, payment, createdAtMs, deadlineAtMs, state: "created" });
			const { model, costCredits, prompt } = order;
			if (isNew) logger.info({ taskId: request.id, model, costCredits, promptChars: prompt.length }, "task created");
			else logger.info({ taskId: request.id }, "task exists already");
			runner.wake(request.id);
			return isNew;
		},
	};
}
