import type { Logger } from "pino";
import {
	LedgerRefusal,
	type AccountId,
	type Ledger,
	type Note,
	type RefusalCode,
} from "../services/ledger/operations.ts";
import { ledgerAccount } from "./keys.ts";
import type { CapNow } from "./spend-cap.ts";
import type { OpenMark, TaskStore } from "./task-store.ts";
import type { EndedTask, Order } from "./task.ts";

/** The only place that moves a task's credits. Hold id = task id, so that every step may be repeated. */
export interface Settlement {
	/** Sets the price aside: in the cap of the key, where it has one, then in the account. Rejects with a `LedgerRefusal`. */
	reserve(payer: Payer, order: Order): Promise<void>;
	/** Posts after success, voids after everything else, and announces it; then recovery need not look at the task again. */
	settle(task: EndedTask, logger: Logger): Promise<void>;
	/** Gives back what was set aside for an id that was given up. */
	giveBack(mark: OpenMark): Promise<void>;
}

interface Payer {
	readonly taskId: string;
	readonly account: string;
	readonly cap: CapNow | null;
}

const NOTHING_TO_GIVE_BACK: readonly RefusalCode[] = ["hold_not_found", "already_posted", "already_voided"];

export function createSettlement(deps: {
	readonly ledger: Ledger;
	readonly tasks: TaskStore;
	/** Told of every end, at least once; what it promises holds after a crash. */
	readonly announce: (task: EndedTask) => Promise<void>;
}): Settlement {
	const { ledger, tasks } = deps;

	async function voidHold(held: Held, reason: string): Promise<void> {
		for (const account of accountsOf(held)) await voidIn(account, held.taskId, reason);
	}

	async function voidIn(account: AccountId, taskId: string, reason: string): Promise<void> {
		try {
			await ledger.void(account, taskId, note(taskId, reason));
		} catch (error) {
			if (!(error instanceof LedgerRefusal && NOTHING_TO_GIVE_BACK.includes(error.code))) throw error;
		}
	}

	return {
		async reserve({ taskId, account, cap }, { priceCredits, model }) {
			const words = note(taskId, model);
			const own = { account: ledgerAccount(account), overdraftCredits: 0 };
			if (!cap) return void (await ledger.reserve(own.account, taskId, priceCredits, words));
			const limit = { account: cap.account, overdraftCredits: cap.credits };
			// Who will say no is asked first: what had to be given back uses up the id of the task.
			const isShort = (await ledger.balance(own.account)).availableCredits < priceCredits;
			const [first, second] = isShort ? [own, limit] : [limit, own];
			await ledger.reserve(first.account, taskId, priceCredits, words, first);
			try {
				await ledger.reserve(second.account, taskId, priceCredits, words, second);
			} catch (error) {
				if (error instanceof LedgerRefusal) await voidIn(first.account, taskId, "the other account refused");
				throw error;
			}
		},
		async settle(task, logger) {
			if (task.state === "success") {
				const { taskId, order } = task;
				for (const account of accountsOf(task)) {
					await ledger.post(account, taskId, order.priceCredits, note(taskId, order.model));
				}
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

type Held = Pick<OpenMark, "taskId" | "account" | "capAccount">;

function accountsOf({ account, capAccount = null }: Held): readonly AccountId[] {
	return capAccount === null ? [ledgerAccount(account)] : [capAccount, ledgerAccount(account)];
}

function note(taskId: string, reason: string): Note {
	return { by: "system", reason, taskId };
}
