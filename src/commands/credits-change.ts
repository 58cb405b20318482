/** Credits that a manager gives the server or takes from it: once for each command, however often it is told. */
import type { ChatInputCommandInteraction } from "discord.js";
import type { Logger } from "pino";
import { CreditChangeUncertainError, REASON_CHARS_MAX, type CreditChange } from "../services/credits/credit-service.ts";
import { say } from "../i18n/messages.ts";
import { plainLine, quote } from "../i18n/quote.ts";
import { UserError } from "../services/user-error.ts";
import type { Command } from "./command.ts";
import { requireManager } from "./member.ts";

export const grantCredits: Command["execute"] = async (
	interaction,
	{ accounts, creditService, mayManagersGrant },
	logger,
) => {
	requireManager(interaction);
	if (!mayManagersGrant) throw new UserError({ key: "grantedByOperator" });
	const change = await changeOf(interaction, accounts);
	const { availableCredits } = await orUncertain(creditService.grant(change), logger);
	logger.info({ userId: interaction.user.id, amountCredits: change.amountCredits }, "credits granted");
	const params = { ...shown(change), availableCredits };
	await interaction.editReply({ content: say(interaction.locale, { key: "creditsGranted", params }) });
};

export const revokeCredits: Command["execute"] = async (interaction, { accounts, creditService }, logger) => {
	requireManager(interaction);
	const change = await changeOf(interaction, accounts);
	const { availableCredits } = await orUncertain(creditService.revoke(change), logger);
	logger.info({ userId: interaction.user.id, amountCredits: change.amountCredits }, "credits revoked");
	const params = { ...shown(change), availableCredits };
	await interaction.editReply({ content: say(interaction.locale, { key: "creditsRevoked", params }) });
};

async function changeOf(
	interaction: ChatInputCommandInteraction<"raw" | "cached">,
	accounts: { open(guildId: string): Promise<unknown> },
): Promise<CreditChange> {
	const { id, guildId, options, user } = interaction;
	// This month's credits first, so that what is left is what everybody else sees.
	await accounts.open(guildId);
	return {
		guildId,
		operationId: id,
		amountCredits: options.getInteger("amount", true),
		by: `member:${user.id}`,
		reason: plainLine(options.getString("reason", true), REASON_CHARS_MAX),
	};
}

/** Typing the command again is another change: whoever gets no answer has to look first. */
async function orUncertain<T>(change: Promise<T>, logger: Logger): Promise<T> {
	try {
		return await change;
	} catch (error) {
		if (!(error instanceof CreditChangeUncertainError)) throw error;
		logger.error({ err: error }, "unknown whether credits moved");
		throw new UserError({ key: "changeUncertain" });
	}
}

function shown({ amountCredits, reason }: CreditChange) {
	return { amountCredits, reason: quote(reason, REASON_CHARS_MAX) };
}
