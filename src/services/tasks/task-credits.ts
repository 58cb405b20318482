/** The only module that moves the credits of tasks. A task and its holds are written together, at its start and at its end. */
import type { Logger } from "pino";
import {
	LedgerRejectedError,
	type AccountId,
	type Balance,
	type EndOptions,
	type Ledger,
	type Note,
} from "@atelier/ledger/ledger";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { denialOfRejectedHold } from "../credits/charge-denial.ts";
import { guildAccount, type PaymentPlan } from "../credits/guild-accounts.ts";
import { limitAccountOf } from "../credits/limits.ts";
import type { LowCreditsWarner } from "../credits/low-credits.ts";
import { costOfOutputs } from "@atelier/media-protocol/price";
import { undefinedIfCorrupt } from "../read-document.ts";
import { UserError } from "../user-error.ts";
import { baseOf, type Outcome, type PendingTask, type Task, type TaskIn } from "./task.ts";
import type { LoadedTask, TaskStore } from "./task-store.ts";

interface TaskCreditsDeps {
	readonly taskStore: Pick<TaskStore, "create" | "createWith" | "load" | "move" | "moveWith">;
	readonly ledger: Ledger;
	readonly lowCredits: LowCreditsWarner;
}

export interface TaskCredits {
	/**
	 * Creates a task with its holds: in the account of its server, and in those of the limits. Resolves to `undefined` if the task exists.
	 * Throws a `UserError` if the credits do not suffice.
	 */
	reserve(task: TaskIn<"reserved">, plan: PaymentPlan, logger: Logger): Promise<LoadedTask | undefined>;
	/**
	 * Moves a task to `settled` with its outcome, and ends its holds: posts them for a result, voids them for a failure. `task` is the
	 * stored one (`from`) with the changes of the step. Resolves to `undefined` if another is stored meanwhile.
	 */
	settle(from: LoadedTask, task: PendingTask, outcome: Outcome, logger: Logger): Promise<LoadedTask | undefined>;
}

export function createTaskCredits({ taskStore, ledger, lowCredits }: TaskCreditsDeps): TaskCredits {
	return {
		async reserve(task, plan, logger) {
			const { id, guildId, request } = task;
			const { costCredits, mediaType } = request;
			const account = guildAccount(guildId);
			if (costCredits === 0) return await taskStore.create(task);
			try {
				return await taskStore.createWith(task, async (alsoWrite) => {
					// The transaction fails for a hold that was reserved before, because its task exists.
					const options = { limits: plan.limits.map(limitAccountOf), alsoWrite, isNewId: true };
					await ledger.reserve(account, id, costCredits, noteOf(task, mediaType), options);
				});
			} catch (error) {
				if (!(error instanceof LedgerRejectedError)) throw error;
				if (error.code === "not_new") return undefined;
				const isGuildShort = error.code === "exceeds_credits" && error.account === account;
				if (isGuildShort) lowCredits.onDenial(guildId, error.balance, costCredits, logger);
				throw new UserError(denialOfRejectedHold(plan, error, request));
			}
		},
		async settle(from, task, outcome, logger) {
			const { id, guildId, limitAccounts, request } = task;
			const account = guildAccount(guildId);
			const isCharged = outcome.kind === "succeeded";
			const note = noteOf(task, isCharged ? request.mediaType : outcome.why.key);
			const dueCredits = isCharged ? costOfOutputs(request.costCredits, request.options, outcome.files.length) : 0;
			const settledWith = (balance: Balance | undefined): TaskIn<"settled"> => ({
				...baseOf(task),
				state: "settled",
				outcome,
				chargedCredits: balance ? dueCredits : 0,
				leftCredits: balance?.availableCredits ?? null,
			});
			const endHold = (each: AccountId, options?: EndOptions): Promise<Balance> =>
				isCharged ? ledger.post(each, id, dueCredits, note, options) : ledger.void(each, id, note, options);
			const tryToEndHold = async (each: AccountId): Promise<Balance | undefined> => {
				try {
					return await endHold(each);
				} catch (error) {
					if (!isRefused(error)) throw error;
					logger.error({ err: error, holdId: id, account: each }, "hold of an ended task not ended");
					return undefined;
				}
			};
			if (request.costCredits === 0)
				return await taskStore.move(from, settledWith(await ledger.balance(account).catch(undefinedIfCorrupt)));
			// If a limit refuses, the holds of the limits are ended one by one, and that of the server with the task.
			for (const limits of [limitAccounts, []]) {
				try {
					return await taskStore.moveWith(from, settledWith, async (alsoWrite) => {
						const balance = await endHold(account, { limits, alsoWrite });
						if (dueCredits > 0) lowCredits.onCharge(guildId, balance, logger);
						return balance;
					});
				} catch (error) {
					if (!isRefused(error)) throw error;
				}
				const current = await taskStore.load(id);
				// A member has requested something meanwhile, or another process has moved the task.
				if (current?.raw !== from.raw) return undefined;
				for (const limit of limits) await tryToEndHold(limit);
			}
			// The account of the server is corrupt, or its hold has ended before. The member gets a reply in either case.
			return await taskStore.move(from, settledWith(await tryToEndHold(account)));
		},
	};
}

/** An account is corrupt, or its hold or the task is not as expected. */
function isRefused(error: unknown): boolean {
	return error instanceof CorruptDocumentError || error instanceof LedgerRejectedError;
}

/** Returns the journal note of a task: member, purpose, and reason of its end. */
function noteOf({ id, userId, request }: Task, reason: string): Note {
	return { by: `member:${userId}`, reason, taskId: id, mediaType: request.mediaType, model: request.modelName };
}
