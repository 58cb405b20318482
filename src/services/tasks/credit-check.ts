import type { Admission } from "../guilds/admission.ts";
import type { GuildAccounts } from "../guilds/guild-accounts.ts";
import type { LowCreditsWarner } from "../guilds/low-credits.ts";
import { LedgerRefusal, type Ledger } from "@atelier/ledger/operations";
import { UserError } from "../user-error.ts";
import { chargeOf, sayingOfRefusal } from "./payment.ts";

interface CreditCheckDeps {
	readonly accounts: Pick<GuildAccounts, "routeFor">;
	readonly ledger: Pick<Ledger, "balance">;
	readonly lowCredits: Pick<LowCreditsWarner, "refused">;
}

/**
 * Denies what the limits and the server's balance do not allow now, before there is a task, so that the member alone is
 * told. Requests of the same moment pass it together: the reservation decides.
 */
export function createCreditCheck({ accounts, ledger, lowCredits }: CreditCheckDeps): Admission {
	return {
		async require({ guildId, userId, roleIds, order }, logger) {
			const { costCredits, mediaType } = order;
			if (costCredits === 0) return;
			const payment = await accounts.routeFor({ guildId, userId, roleIds }, mediaType);
			const { legs } = chargeOf({ id: "", order, payment });
			for (const [leg, { account, overdraftCredits = 0 }] of legs.entries()) {
				const balance = await ledger.balance(account);
				if (balance.availableCredits + overdraftCredits >= costCredits) continue;
				if (account === payment.account) lowCredits.refused(guildId, balance, costCredits, logger);
				const refusal = new LedgerRefusal("exceeds_credits", account, balance);
				throw new UserError(sayingOfRefusal(payment, { kind: "refused", leg, refusal }, order));
			}
		},
	};
}
