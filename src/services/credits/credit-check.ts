import type { Logger } from "pino";
import { LedgerRejectedError, type Balance, type Ledger } from "@atelier/ledger/ledger";
import type { GenerationRequest } from "../generation/request.ts";
import { UserError } from "../user-error.ts";
import { denialOfRejectedHold } from "./charge-denial.ts";
import { guildAccount, type GuildAccounts, type PaymentPlan } from "./guild-accounts.ts";
import type { MemberWithRoles } from "../access/member.ts";
import type { LowCreditsWarner } from "./low-credits.ts";

export interface CreditCheck {
	/**
	 * Throws a `UserError` for a request beyond the limits or the server's balance before a task exists, so that only the member sees it.
	 * Concurrent requests can pass together: the reservation decides. Throws for a corrupt account, which could not pay.
	 */
	requireCredits(member: MemberWithRoles, request: GenerationRequest, logger: Logger): Promise<PaymentPlan>;
}

interface CreditCheckDeps {
	readonly accounts: Pick<GuildAccounts, "planPayment">;
	readonly ledger: Pick<Ledger, "balance" | "lastWrittenBalance">;
	readonly lowCredits: Pick<LowCreditsWarner, "onDenial">;
}

export function createCreditCheck({ accounts, ledger, lowCredits }: CreditCheckDeps): CreditCheck {
	return {
		async requireCredits(member, request, logger) {
			const { costCredits, mediaType } = request;
			const paymentPlan = await accounts.planPayment(member, mediaType);
			if (costCredits === 0) return paymentPlan;
			const payer = { account: guildAccount(member.guildId), overdraftCredits: 0 };
			for (const { account, overdraftCredits } of [...paymentPlan.limits, payer]) {
				const suffices = ({ availableCredits }: Balance): boolean => availableCredits + overdraftCredits >= costCredits;
				const written = ledger.lastWrittenBalance(account);
				// Saves a read. Another process may have spent the credits, as with concurrent requests.
				if (written && suffices(written)) continue;
				const balance = await ledger.balance(account);
				if (suffices(balance)) continue;
				if (account === payer.account) lowCredits.onDenial(member.guildId, balance, costCredits, logger);
				const rejection = new LedgerRejectedError("exceeds_credits", account, balance);
				throw new UserError(denialOfRejectedHold(paymentPlan, rejection, request));
			}
			return paymentPlan;
		},
	};
}
