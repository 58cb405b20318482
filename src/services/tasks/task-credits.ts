/** The only module that moves the credits of tasks. A task and its holds are written together, at its start and at its end. */
import type { Logger } from "pino";
import {
	LedgerRejectedError,
	type AccountId,
	type Balance,
	type Credits,
	type EndOptions,
	type Ledger,
	type Note,
	type OperationResult,
} from "@atelier/ledger/ledger";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { byMember } from "../access/change-author.ts";
import { denialOfRejectedHold } from "../credits/charge-denial.ts";
import { guildAccount, type PaymentPlan } from "../credits/guild-accounts.ts";
import type { LowCreditsWarner } from "../credits/low-credits.ts";
import { costOfOutputs } from "@atelier/media-protocol/price";
import { undefinedIfCorrupt } from "../read-document.ts";
import { UserError } from "../user-error.ts";
import { baseOf, type Outcome, type PendingTask, type Task, type TaskIn } from "./task.ts";
import type { LoadedTask, TaskStore } from "./task-store.ts";

interface TaskCreditsDeps {
	readonly taskStore: Pick<TaskStore, "create" | "load" | "move" | "newDocuments" | "changedDocument" | "recordWrite">;
	readonly ledger: Ledger;
	readonly lowCredits: Pick<LowCreditsWarner, "onCharge" | "onDenial">;
}

export type TaskCredits = ReturnType<typeof createTaskCredits>;

/** A task that has an outcome, and is not settled. `from` is the stored one; `task` has the changes of the last step. */
interface PendingSettlement {
	readonly from: LoadedTask;
	readonly task: PendingTask;
	readonly outcome: Outcome;
}

export function createTaskCredits({ taskStore, ledger, lowCredits }: TaskCreditsDeps) {
	function endHold(
		{ task, outcome }: PendingSettlement,
		account: AccountId,
		options?: EndOptions,
	): Promise<OperationResult> {
		if (outcome.kind === "failed") return ledger.void(account, task.id, noteOf(task, outcome.why.key), options);
		const note = noteOf(task, task.request.mediaType);
		return ledger.post(account, task.id, dueCredits(task, outcome), note, options);
	}

	/**
	 * Ends the hold of the server and those of limits, and settles the task, in one transaction. Resolves to `undefined` if the stored
	 * task has changed, and to `refused` if the accounts are the reason.
	 */
	async function settleWithHolds(
		settlement: PendingSettlement,
		limits: readonly AccountId[],
		logger: Logger,
	): Promise<LoadedTask | "refused" | undefined> {
		const { from, task, outcome } = settlement;
		const settledWith = (balance: Balance): Task => settledTask(settlement, balance);
		const alsoWrite = [taskStore.changedDocument(from, settledWith)];
		try {
			const { balance, raws } = await endHold(settlement, guildAccount(task.guildId), { limits, alsoWrite });
			if (dueCredits(task, outcome) > 0) lowCredits.onCharge(task.guildId, balance, logger);
			return taskStore.recordWrite(settledWith(balance), raws, from.task);
		} catch (error) {
			if (!isRefused(error)) throw error;
			// A member has requested something meanwhile, or another process has moved the task.
			return (await taskStore.load(task.id))?.raw === from.raw ? "refused" : undefined;
		}
	}

	/** Ends a hold without its task. Logs a refusal. */
	async function tryToEndHold(
		settlement: PendingSettlement,
		account: AccountId,
		logger: Logger,
	): Promise<Balance | undefined> {
		try {
			return (await endHold(settlement, account)).balance;
		} catch (error) {
			if (!isRefused(error)) throw error;
			logger.error({ err: error, holdId: settlement.task.id, account }, "hold of an ended task not ended");
			return undefined;
		}
	}

	return {
		/**
		 * Creates a task with its holds: in the account of its server, and in those of the limits. Resolves to `undefined` if the task
		 * exists. Throws a `UserError` if the credits do not suffice.
		 */
		async reserve(task: TaskIn<"reserved">, plan: PaymentPlan, logger: Logger): Promise<LoadedTask | undefined> {
			const { id, guildId, request } = task;
			const { costCredits, mediaType } = request;
			const account = guildAccount(guildId);
			if (costCredits === 0) return await taskStore.create(task);
			try {
				const { raws } = await ledger.reserve(account, id, costCredits, noteOf(task, mediaType), {
					limits: plan.limits,
					alsoWrite: taskStore.newDocuments(task),
					// The transaction fails for a hold that was reserved before, because its task exists.
					isNewId: true,
				});
				return taskStore.recordWrite(task, raws);
			} catch (error) {
				if (!(error instanceof LedgerRejectedError)) throw error;
				if (error.code === "not_new") return undefined;
				if (error.code === "exceeds_credits" && error.account === account)
					lowCredits.onDenial(guildId, error.balance, costCredits, logger);
				throw new UserError(denialOfRejectedHold(plan, error, request));
			}
		},
		/**
		 * Moves a task to `settled` with its outcome, and ends its holds: posts them for a result, voids them for a failure. `task` is the
		 * stored one (`from`) with the changes of the step. Resolves to `undefined` if another is stored meanwhile.
		 */
		async settle(
			from: LoadedTask,
			task: PendingTask,
			outcome: Outcome,
			logger: Logger,
		): Promise<LoadedTask | undefined> {
			const settlement = { from, task, outcome };
			const { limitAccounts, request } = task;
			const account = guildAccount(task.guildId);
			if (request.costCredits === 0) {
				const balance = await ledger.balance(account).catch(undefinedIfCorrupt);
				return await taskStore.move(from, settledTask(settlement, balance));
			}
			const settled = await settleWithHolds(settlement, limitAccounts, logger);
			if (settled !== "refused") return settled;
			// One of the accounts refused: the holds of the limits end one by one, and that of the server with the task.
			for (const limit of limitAccounts) await tryToEndHold(settlement, limit, logger);
			const settledWithoutLimits = await settleWithHolds(settlement, [], logger);
			if (settledWithoutLimits !== "refused") return settledWithoutLimits;
			// The account of the server is corrupt, or its hold has ended before. The member gets a reply in either case.
			const balance = await tryToEndHold(settlement, account, logger);
			return await taskStore.move(from, settledTask(settlement, balance));
		},
	};
}

/** Without a balance, the hold has not ended, and the task is not charged. */
function settledTask({ task, outcome }: PendingSettlement, balance: Balance | undefined): TaskIn<"settled"> {
	return {
		...baseOf(task),
		state: "settled",
		outcome,
		chargedCredits: balance ? dueCredits(task, outcome) : 0,
		leftCredits: balance?.availableCredits ?? null,
	};
}

function dueCredits({ request }: PendingTask, outcome: Outcome): Credits {
	return outcome.kind === "succeeded" ? costOfOutputs(request.costCredits, request.options, outcome.files.length) : 0;
}

/** An account is corrupt, or its hold or the task is not as expected. */
function isRefused(error: unknown): boolean {
	return error instanceof CorruptDocumentError || error instanceof LedgerRejectedError;
}

/** Returns the journal note of a task: member, purpose, and reason of its end. */
function noteOf({ id, userId, request }: Task, reason: string): Note {
	return { by: byMember(userId), reason, taskId: id, mediaType: request.mediaType, model: request.modelName };
}
