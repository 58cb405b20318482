import type { Logger } from "pino";
import { LedgerRejectedError, type AccountId, type Note, type RejectionCode } from "@atelier/ledger/ledger";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { ledgerAccount } from "./api-keys.ts";
import type { Callbacks } from "./callbacks/callbacks.ts";
import type { createDataRetention } from "./data-retention.ts";
import { costOfOutputs } from "@atelier/media-protocol/price";
import type { CurrentCap } from "./spend-cap.ts";
import type { StudioContext } from "./studio-context.ts";
import { newDocuments } from "./studio-task-store.ts";
import type { EndedTask, PendingStudioTask } from "./studio-task.ts";
import { checkpointRemoval } from "./task-checkpoints.ts";

export type Settlement = ReturnType<typeof createSettlement>;

/** A document of a task with this id is stored, or its hold is open, posted or voided although the documents are gone. */
const USED_ID_CODES: readonly RejectionCode[] = [
	"not_new",
	"exists_with_different_amount",
	"already_posted",
	"already_voided",
];

export interface SettlementDeps extends StudioContext {
	/** Accounts that may have as many open holds as the ledger allows. */
	readonly unlimitedAccounts: readonly string[];
	readonly retention: ReturnType<typeof createDataRetention>;
	readonly callbacks: Callbacks;
}

/** The only module that moves a task's credits. Hold id = task id, so every step is idempotent. */
export function createSettlement(deps: SettlementDeps) {
	const { ledger, taskStore, callbacks } = deps;

	return {
		/**
		 * Reserves the price in the account and in the key's spend cap, and writes the task, in one transaction. Rejects with a
		 * `LedgerRejectedError` without a write; `isIdUsed` returns whether the reason is the id.
		 */
		async reserveAndCreate(task: PendingStudioTask, cap: CurrentCap | null): Promise<void> {
			const { taskId, account } = task;
			const { priceCredits, model } = task.request;
			await ledger.reserve(ledgerAccount(account), taskId, priceCredits, note(taskId, model), {
				...(!deps.unlimitedAccounts.includes(account) && { openHoldsMax: deps.limits.openTasksPerAccountMax }),
				...(cap && { limits: [{ account: cap.account, overdraftCredits: cap.credits }] }),
				alsoWrite: newDocuments(task),
				// An id without idempotency key was drawn for this task.
				isNewId: task.bodySha256 === null,
			});
		},
		/**
		 * Posts after success, voids otherwise, and removes the marker: then recovery need not check the task again. The first
		 * settlement also sends the callback, if any. Idempotent.
		 */
		async settle(task: EndedTask, logger: Logger): Promise<void> {
			const { taskId, state, request, capAccount } = task;
			const account = ledgerAccount(task.account);
			const chargedCredits =
				state === "success" ? costOfOutputs(request.priceCredits, request.options, task.outputs.length) : 0;
			const endHold = (limits: readonly AccountId[]): Promise<unknown> =>
				state === "success"
					? ledger.post(account, taskId, chargedCredits, note(taskId, request.model), { limits })
					: ledger.void(account, taskId, note(taskId, state), { limits });
			try {
				await endHold(capAccount === null ? [] : [capAccount]);
			} catch (error) {
				if (capAccount === null || !(error instanceof CorruptDocumentError)) throw error;
				// Throws again if the account itself is corrupt.
				await endHold([]);
				logger.error({ err: error, capAccount }, "hold in a corrupt spend cap not ended");
			}
			// A crash before this write leaves the marker, and recovery repeats the same steps.
			const writes = [checkpointRemoval(taskId), ...callbacks.writesAtSettlement(task)];
			if (!(await taskStore.closeTask(taskId, deps.retention.expiryDocument(task), writes))) return;
			if (task.callbackUrl !== null) callbacks.deliver(taskId);
			logger.info({ state, chargedCredits, attempt: task.attempt }, "task settled");
		},
	};
}

/** Returns whether `reserveAndCreate` rejected because another task has or had the id. */
export function isIdUsed(error: unknown): boolean {
	return error instanceof LedgerRejectedError && USED_ID_CODES.includes(error.code);
}

function note(taskId: string, reason: string): Note {
	return { by: "system", reason, taskId };
}
