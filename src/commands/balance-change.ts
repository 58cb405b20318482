/** `/balance grant` and `/balance revoke`. The interaction id makes them idempotent. */
import type { ChatInputCommandInteraction } from "discord.js";
import {
	denyUncertainOutcome,
	REASON_CHARS_MAX,
	type CreditChange,
	type CreditService,
} from "../services/credits/credit-service.ts";
import { t } from "../i18n/messages.ts";
import { plainLine, quote } from "../i18n/quote.ts";
import { UserError } from "../services/user-error.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { InGuild, Subcommand } from "./command.ts";
import { requireManager } from "./invoking-member.ts";

export interface CreditChangeDeps {
	readonly accounts: Pick<GuildAccounts, "openAccount">;
	readonly creditService: CreditService;
	/** True if managers may grant credits and refund charges; otherwise only operators may. */
	readonly mayManagersGrant: boolean;
}

export const grantCredits: Subcommand<CreditChangeDeps> = async (
	interaction,
	{ accounts, creditService, mayManagersGrant },
	logger,
) => {
	requireManager(interaction);
	if (!mayManagersGrant) throw new UserError({ key: "permission.grant" });
	const change = await prepareChange(interaction, accounts);
	const { availableCredits } = await denyUncertainOutcome(creditService.grant(change), logger);
	logger.info({ userId: interaction.user.id, amountCredits: change.amountCredits }, "credits granted");
	const params = { ...changeParams(change), availableCredits };
	await interaction.editReply({ content: t(interaction.locale, { key: "credits.granted", params }) });
};

export const revokeCredits: Subcommand<CreditChangeDeps> = async (interaction, { accounts, creditService }, logger) => {
	requireManager(interaction);
	const change = await prepareChange(interaction, accounts);
	const { availableCredits } = await denyUncertainOutcome(creditService.revoke(change), logger);
	logger.info({ userId: interaction.user.id, amountCredits: change.amountCredits }, "credits revoked");
	const params = { ...changeParams(change), availableCredits };
	await interaction.editReply({ content: t(interaction.locale, { key: "credits.revoked", params }) });
};

async function prepareChange(
	interaction: ChatInputCommandInteraction<InGuild>,
	accounts: CreditChangeDeps["accounts"],
): Promise<CreditChange> {
	const { id, guildId, options, user } = interaction;
	// Grants this month's credits first, so that the balance in the reply includes them.
	await accounts.openAccount(guildId);
	return {
		guildId,
		operationId: id,
		amountCredits: options.getInteger("amount", true),
		by: `member:${user.id}`,
		reason: plainLine(options.getString("reason", true), REASON_CHARS_MAX),
	};
}

function changeParams({ amountCredits, reason }: CreditChange) {
	return { amountCredits, reason: quote(reason, REASON_CHARS_MAX) };
}
