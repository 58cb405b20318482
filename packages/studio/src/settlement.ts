import type { Logger } from "pino";
import {
	LedgerRejectedError,
	type AccountId,
	type Ledger,
	type Note,
	type RejectionCode,
} from "@atelier/ledger/operations";
import type { DocumentWrite } from "@atelier/store/store";
import { ledgerAccount } from "./api-keys.ts";
import { costOfOutputs } from "./price.ts";
import type { CurrentCap } from "./spend-cap.ts";
import type { StudioLimits } from "./limits.ts";
import { documentsOf, type OpenTaskMarker, type TaskStore } from "./task-store.ts";
import { isEnded, type EndedTask, type PendingTask } from "./task.ts";

/** The only module that moves a task's credits. Hold id = task id, so every step is idempotent. */
export interface Settlement {
	/**
	 * Reserves the price and writes the task, in one transaction. With a spend cap there are two transactions: the first
	 * reserves in one of the two accounts and writes the marker. After a rejection with a `LedgerRejectedError`
	 * no credits are held, but the two transactions may have used up the id. Its code `not_new` means that another task has the id.
	 */
	reserveAndCreate(task: PendingTask, cap: CurrentCap | null): Promise<void>;
	/** Posts after success, voids otherwise, and reports the end; then recovery need not check the task again. */
	settle(task: EndedTask, logger: Logger): Promise<void>;
	/** Settles the task if it has ended; a task that another process has ended is settled again without effect. */
	settleIfEnded(taskId: string, logger: Logger): Promise<void>;
	/** Voids the hold of a task that was never written, and whose id is blocked. */
	voidHoldOfBlockedId(marker: OpenTaskMarker): Promise<void>;
}

const NO_OPEN_HOLD_CODES: readonly RejectionCode[] = ["hold_not_found", "already_posted", "already_voided"];

export function createSettlement(deps: {
	readonly ledger: Ledger;
	readonly taskStore: TaskStore;
	readonly limits: Pick<StudioLimits, "openTasksPerAccountMax">;
	/** Accounts that may have as many open holds as the ledger allows. */
	readonly unlimitedAccounts: readonly string[];
	/** Called at least once for every ended task: again after a crash, because the marker is removed later. */
	readonly onEnded: (task: EndedTask) => Promise<void>;
	/** Returns the documents that are written together with the removal of the marker. */
	readonly writesAtEnd: (task: EndedTask) => readonly DocumentWrite[];
}): Settlement {
	const { ledger, taskStore } = deps;

	async function voidHold(owner: HoldOwner, reason: string): Promise<void> {
		for (const account of accountsOf(owner)) await voidIn(account, owner.taskId, reason);
	}

	async function voidIn(account: AccountId, taskId: string, reason: string): Promise<void> {
		try {
			await ledger.void(account, taskId, note(taskId, reason));
		} catch (error) {
			if (!(error instanceof LedgerRejectedError && NO_OPEN_HOLD_CODES.includes(error.code))) throw error;
		}
	}

	async function settle(task: EndedTask, logger: Logger): Promise<void> {
		const { taskId, request } = task;
		const chargedCredits = task.state === "success" ? costOfOutputs(request, task.outputs.length) : 0;
		if (task.state === "success") {
			for (const account of accountsOf(task))
				await ledger.post(account, taskId, chargedCredits, note(taskId, request.model));
		} else {
			await voidHold(task, task.state);
		}
		await deps.onEnded(task);
		await taskStore.removeOpenMarker(taskId, deps.writesAtEnd(task));
		logger.info({ state: task.state, chargedCredits, attempt: task.attempt }, "task settled");
	}

	return {
		async reserveAndCreate(task, cap) {
			const { taskId, account } = task;
			const { priceCredits, model } = task.request;
			const ledgerNote = note(taskId, model);
			const ownAccount = {
				account: ledgerAccount(account),
				overdraftCredits: 0,
				...(!deps.unlimitedAccounts.includes(account) && { openHoldsMax: deps.limits.openTasksPerAccountMax }),
			};
			const { marker, others } = documentsOf(task);
			if (!cap) {
				// An id without idempotency key was drawn for this task.
				const isNewId = task.bodySha256 === null;
				await ledger.reserve(ownAccount.account, taskId, priceCredits, ledgerNote, {
					...ownAccount,
					alsoWrite: [marker, ...others],
					isNewId,
				});
				return;
			}
			const capAccount = { account: cap.account, overdraftCredits: cap.credits };
			// A cap that is too low rejects first: a hold that is voided afterwards uses up the id of the task.
			const isCapTooLow = (await ledger.balance(cap.account)).availableCredits + cap.credits < priceCredits;
			const [first, second] = isCapTooLow ? [capAccount, ownAccount] : [ownAccount, capAccount];
			await ledger.reserve(first.account, taskId, priceCredits, ledgerNote, { ...first, alsoWrite: [marker] });
			try {
				await ledger.reserve(second.account, taskId, priceCredits, ledgerNote, { ...second, alsoWrite: others });
			} catch (error) {
				if (error instanceof LedgerRejectedError) {
					await voidIn(first.account, taskId, "rejected by the other account");
					await taskStore.removeOpenMarker(taskId);
				}
				throw error;
			}
		},
		settle,
		async settleIfEnded(taskId, logger) {
			const task = await taskStore.read(taskId);
			if (task && isEnded(task)) await settle(task, logger);
		},
		async voidHoldOfBlockedId(marker) {
			await voidHold(marker, "never started");
			await taskStore.removeOpenMarker(marker.taskId);
		},
	};
}

type HoldOwner = Pick<OpenTaskMarker, "taskId" | "account" | "capAccount">;

function accountsOf({ account, capAccount }: HoldOwner): readonly AccountId[] {
	return capAccount === null ? [ledgerAccount(account)] : [capAccount, ledgerAccount(account)];
}

function note(taskId: string, reason: string): Note {
	return { by: "system", reason, taskId };
}
