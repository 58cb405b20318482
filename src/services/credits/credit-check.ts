import type { Logger } from "pino";
import type { Ledger } from "@atelier/ledger/ledger";
import type { GenerationRequest } from "../generation/request.ts";
import { UserError } from "../user-error.ts";
import { denialByLimit, denialByServerCredits } from "./charge-denial.ts";
import { guildAccount, type GuildAccounts, type PaymentPlan } from "./guild-accounts.ts";
import type { MemberWithRoles } from "../access/member.ts";
import type { LowCreditsWarner } from "./low-credits.ts";

export interface CreditCheckDeps {
	readonly accounts: Pick<GuildAccounts, "planPayment">;
	readonly ledger: Pick<Ledger, "balance" | "lastWrittenBalance">;
	readonly lowCredits: Pick<LowCreditsWarner, "onDenial">;
}

/**
 * Throws a `UserError` for a request beyond the limits or the server's balance before a task exists, so that only the member sees it.
 * Concurrent requests can pass together: the reservation decides. Throws for a corrupt account that it reads.
 */
export async function requireCredits(
	{ accounts, ledger, lowCredits }: CreditCheckDeps,
	member: MemberWithRoles,
	request: GenerationRequest,
	logger: Logger,
): Promise<PaymentPlan> {
	const { costCredits, mediaType } = request;
	const paymentPlan = await accounts.planPayment(member, mediaType);
	if (costCredits === 0) return paymentPlan;
	const limit = paymentPlan.limits.find(({ leftCredits }) => leftCredits < costCredits);
	if (limit) throw new UserError(denialByLimit(limit, limit.leftCredits, request));
	const account = guildAccount(member.guildId);
	const written = ledger.lastWrittenBalance(account);
	// Saves a read. Another process may have spent the credits, as with concurrent requests.
	if (written && written.availableCredits >= costCredits) return paymentPlan;
	const balance = await ledger.balance(account);
	if (balance.availableCredits < costCredits) {
		lowCredits.onDenial(member.guildId, balance, costCredits, logger);
		throw new UserError(denialByServerCredits(paymentPlan, balance.availableCredits, request));
	}
	return paymentPlan;
}
