import type { Balance } from "@atelier/ledger/operations";
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

/** Refunds the credits of a task to its guild. The operation id contains the task id, so that a task is refunded once. */
export type RefundTask = (refund: Refund) => Promise<Balance>;

export function createRefundTask(deps: {
	readonly accounts: Pick<GuildAccounts, "openAccount">;
	readonly creditService: Pick<CreditService, "grant">;
}): RefundTask {
	return async ({ guildId, taskId, amountCredits, by, reason }) => {
		await deps.accounts.openAccount(guildId);
		const operationId = `refund:${taskId}`;
		return await deps.creditService.grant({ guildId, operationId, amountCredits, by, reason });
	};
}
