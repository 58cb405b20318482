import type { Logger } from "pino";
import {
	LedgerRefusalError,
	type AccountId,
	type Ledger,
	type Note,
	type RefusalCode,
} from "@atelier/ledger/operations";
import { ledgerAccount } from "./keys.ts";
import { chargeOf } from "./price.ts";
import type { CurrentCap } from "./spend-cap.ts";
import { documentsOf, type OpenMark, type TaskStore } from "./task-store.ts";
import type { EndedTask, PendingTask } from "./task.ts";

/** The only module that moves a task's credits. Hold id = task id, so every step is idempotent. */
export interface Settlement {
	/**
	 * Reserves the price and writes the task, in one transaction. With a spend cap, a first step reserves in the cap's
	 * account and writes the marker. Rejects with a `LedgerRefusalError`; no part of it remains then, and `not_new`
	 * means that another task has the id.
	 */
	begin(task: PendingTask, cap: CurrentCap | null): Promise<void>;
	/** Posts after success, voids otherwise, and announces the end; then recovery need not check the task again. */
	settle(task: EndedTask, logger: Logger): Promise<void>;
	/** Voids the hold of an abandoned id. */
	voidAbandoned(mark: OpenMark): Promise<void>;
}

const NO_OPEN_HOLD_CODES: readonly RefusalCode[] = ["hold_not_found", "already_posted", "already_voided"];

export function createSettlement(deps: {
	readonly ledger: Ledger;
	readonly tasks: TaskStore;
	/** Called for every end, at least once; its promise must survive a crash. */
	readonly announce: (task: EndedTask) => Promise<void>;
}): Settlement {
	const { ledger, tasks } = deps;

	async function voidHold(held: HoldOwner, reason: string): Promise<void> {
		for (const account of accountsOf(held)) await voidIn(account, held.taskId, reason);
	}

	async function voidIn(account: AccountId, taskId: string, reason: string): Promise<void> {
		try {
			await ledger.void(account, taskId, note(taskId, reason));
		} catch (error) {
			if (!(error instanceof LedgerRefusalError && NO_OPEN_HOLD_CODES.includes(error.code))) throw error;
		}
	}

	return {
		async begin(task, cap) {
			const { taskId, account } = task;
			const { priceCredits, model } = task.request;
			const ledgerNote = note(taskId, model);
			const ownAccount = { account: ledgerAccount(account), overdraftCredits: 0 };
			const { mark, others } = documentsOf(task);
			if (!cap) {
				// An id without idempotency key was drawn for this task.
				const isNewId = task.bodySha256 === null;
				await ledger.reserve(ownAccount.account, taskId, priceCredits, ledgerNote, {
					alsoWrite: [mark, ...others],
					isNewId,
				});
				return;
			}
			const capAccount = { account: cap.account, overdraftCredits: cap.credits };
			// Checks the likely refusal first: a voided hold uses up the id of the task.
			const isShort = (await ledger.balance(ownAccount.account)).availableCredits < priceCredits;
			const [first, second] = isShort ? [ownAccount, capAccount] : [capAccount, ownAccount];
			await ledger.reserve(first.account, taskId, priceCredits, ledgerNote, { ...first, alsoWrite: [mark] });
			try {
				await ledger.reserve(second.account, taskId, priceCredits, ledgerNote, { ...second, alsoWrite: others });
			} catch (error) {
				if (error instanceof LedgerRefusalError) {
					await voidIn(first.account, taskId, "the other account refused");
					await tasks.unmarkOpen(taskId);
				}
				throw error;
			}
		},
		async settle(task, logger) {
			if (task.state === "success") {
				const { taskId, request, outputs } = task;
				for (const account of accountsOf(task)) {
					await ledger.post(account, taskId, chargeOf(request, outputs.length), note(taskId, request.model));
				}
			} else {
				await voidHold(task, task.state);
			}
			await deps.announce(task);
			await tasks.unmarkOpen(task.taskId);
			const costCredits = task.state === "success" ? chargeOf(task.request, task.outputs.length) : 0;
			logger.info({ state: task.state, costCredits, attempt: task.attempt }, "task settled");
		},
		async voidAbandoned(mark) {
			await voidHold(mark, "never started");
			await tasks.unmarkOpen(mark.taskId);
		},
	};
}

type HoldOwner = Pick<OpenMark, "taskId" | "account" | "capAccount">;

function accountsOf({ account, capAccount }: HoldOwner): readonly AccountId[] {
	return capAccount === null ? [ledgerAccount(account)] : [capAccount, ledgerAccount(account)];
}

function note(taskId: string, reason: string): Note {
	return { by: "system", reason, taskId };
}
