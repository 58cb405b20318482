import type { Authorization } from "../moderation/authorization.ts";
import type { GuildAccounts } from "../credits/guild-accounts.ts";
import type { LowCreditsWarner } from "../credits/low-credits.ts";
import { LedgerRejectedError, type Balance, type Ledger } from "@atelier/ledger/operations";
import { UserError } from "../user-error.ts";
import { chargeOf, messageOfRejectedCharge } from "./steps/payment.ts";

interface CreditCheckDeps {
	readonly accounts: Pick<GuildAccounts, "planPayment">;
	readonly ledger: Pick<Ledger, "balance" | "lastWrittenBalance">;
	readonly lowCredits: Pick<LowCreditsWarner, "onDenial">;
}

/**
 * Denies requests beyond the limits or the guild's balance before a task exists, so that only the member sees the denial.
 * Concurrent requests can pass it together: the reservation decides. Throws for a corrupt account, which could not pay.
 */
export function createCreditCheck({ accounts, ledger, lowCredits }: CreditCheckDeps): Authorization {
	return {
		async authorize({ guildId, userId, roleIds, request }, logger) {
			const { costCredits, mediaType } = request;
			if (costCredits === 0) return;
			const payment = await accounts.planPayment({ guildId, userId, roleIds }, mediaType);
			// The check reserves nothing, so the charge needs no id.
			const { legs } = chargeOf({ id: "", request, payment });
			for (const [legIndex, { account, overdraftCredits = 0 }] of legs.entries()) {
				const suffices = ({ availableCredits }: Balance): boolean => availableCredits + overdraftCredits >= costCredits;
				const written = ledger.lastWrittenBalance(account);
				// Saves a read. Another process may have spent the credits, as with concurrent requests.
				if (written && suffices(written)) continue;
				const balance = await ledger.balance(account);
				if (suffices(balance)) continue;
				if (account === payment.account) lowCredits.onDenial(guildId, balance, costCredits, logger);
				const rejection = new LedgerRejectedError("exceeds_credits", account, balance);
				throw new UserError(messageOfRejectedCharge(payment, { kind: "rejected", legIndex, rejection }, request));
			}
		},
	};
}
