import type { Logger } from "pino";
import { LedgerRefusal, type Ledger, type Note, type RefusalCode } from "../services/ledger/operations.ts";
import { ledgerAccount } from "./keys.ts";
import type { OpenMark, TaskStore } from "./task-store.ts";
import type { EndedTask, Order } from "./task.ts";

/** The only place that moves a task's credits. Hold id = task id, so that every step may be repeated. */
export interface Settlement {
	/** Sets the price aside. Rejects with a `LedgerRefusal`. */
	reserve(account: string, taskId: string, order: Order): Promise<void>;
	/** Posts after success, voids after everything else, and announces it; then recovery need not look at the task again. */
	settle(task: EndedTask, logger: Logger): Promise<void>;
	/** Gives back what was set aside for an id that was given up. */
	giveBack(mark: OpenMark): Promise<void>;
}

const NOTHING_TO_GIVE_BACK: readonly RefusalCode[] = ["hold_not_found", "already_posted", "already_voided"];

export function createSettlement(deps: {
	readonly ledger: Ledger;
	readonly tasks: TaskStore;
	/** Told of every end, at least once; what it promises holds after a crash. */
	readonly announce: (task: EndedTask) => Promise<void>;
}): Settlement {
	const { ledger, tasks } = deps;

	async function voidHold({ account, taskId }: Pick<OpenMark, "account" | "taskId">, reason: string): Promise<void> {
		try {
			await ledger.void(ledgerAccount(account), taskId, note(taskId, reason));
		} catch (error) {
			if (!(error instanceof LedgerRefusal && NOTHING_TO_GIVE_BACK.includes(error.code))) throw error;
		}
	}

	return {
		async reserve(account, taskId, order) {
			await ledger.reserve(ledgerAccount(account), taskId, order.priceCredits, note(taskId, order.model));
		},
		async settle(task, logger) {
			if (task.state === "success") {
				const { account, taskId, order } = task;
				await ledger.post(ledgerAccount(account), taskId, order.priceCredits, note(taskId, order.model));
			} else {
				await voidHold(task, task.state);
			}
			await deps.announce(task);
			await tasks.unmarkOpen(task.taskId);
			const costCredits = task.state === "success" ? task.order.priceCredits : 0;
			logger.info({ state: task.state, costCredits, attempt: task.attempt }, "task settled");
		},
		async giveBack(mark) {
			await voidHold(mark, "never started");
			await Promise.all([tasks.unmarkOpen(mark.taskId), tasks.unlist(mark)]);
		},
	};
}

function note(taskId: string, reason: string): Note {
	return { by: "system", reason, taskId };
}
