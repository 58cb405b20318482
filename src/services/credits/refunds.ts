import type { Clock } from "@atelier/common/clock";
import type { Balance } from "@atelier/ledger/ledger";
import { undefinedIfCorrupt } from "../read-document.ts";
import { changeTask } from "../tasks/change-task.ts";
import { isDeliveredResult } from "../tasks/delivered-result.ts";
import type { TaskStore } from "../tasks/task-store.ts";
import type { CreditService } from "./credit-service.ts";
import type { GuildAccounts } from "./guild-accounts.ts";

interface Refund {
	readonly guildId: string;
	readonly taskId: string;
	readonly amountCredits: number;
	/** `member:ID` or `key:NAME`. */
	readonly by: string;
	readonly reason: string;
}

/**
 * Refunds the credits of a task to its server, and records that in the task. The operation id contains the task id, so that a task
 * is refunded once.
 */
export type RefundTask = (refund: Refund) => Promise<Balance>;

export function createRefundTask({
	accounts,
	creditService,
	taskStore,
	clock,
}: {
	readonly accounts: Pick<GuildAccounts, "grantMonthlyCredits">;
	readonly creditService: Pick<CreditService, "grant">;
	readonly taskStore: Pick<TaskStore, "load" | "move">;
	readonly clock: Clock;
}): RefundTask {
	return async ({ guildId, taskId, amountCredits, by, reason }) => {
		await accounts.grantMonthlyCredits(guildId);
		const operationId = `refund:${taskId}`;
		const balance = await creditService.grant({ guildId, operationId, amountCredits, by, reason });
		// A damaged task does not record the refund, which stays on offer; a repeat moves no credits.
		await changeTask(taskStore, taskId, (task) =>
			isDeliveredResult(task) ? { ...task, refundedAtMs: clock.nowMs() } : undefined,
		).catch(undefinedIfCorrupt);
		return balance;
	};
}
