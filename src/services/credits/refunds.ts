import type { Balance } from "@atelier/ledger/operations";
import type { CreditService } from "./credit-service.ts";
import type { GuildAccounts } from "./guild-accounts.ts";

interface Refund {
	readonly guildId: string;
	readonly taskId: string;
	readonly amountCredits: number;
	readonly byUserId: string;
	readonly reason: string;
}

/** Returns the credits of a task to its guild. The operation id depends on the task, so that it is refunded once. */
export type RefundTask = (refund: Refund) => Promise<Balance>;

export function createRefundTask(deps: {
	readonly accounts: Pick<GuildAccounts, "open">;
	readonly creditService: Pick<CreditService, "grant">;
}): RefundTask {
	return async ({ guildId, taskId, amountCredits, byUserId, reason }) => {
		await deps.accounts.open(guildId);
		const operationId = `refund:${taskId}`;
		return await deps.creditService.grant({ guildId, operationId, amountCredits, by: `member:${byUserId}`, reason });
	};
}
