/** `/balance`: managers change the credits of their server. It is a command of its own, so that members are not offered it. */
import { MessageFlags, PermissionFlagsBits, type SlashCommandSubcommandBuilder } from "discord.js";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "../services/credits/credit-service.ts";
import { subcommandOf, type Command, type Subcommand } from "./command.ts";
import { grantCredits, revokeCredits, type CreditChangeDeps } from "./balance-change.ts";
import { localize } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";

/** The most credits that one command may move. Operators can move more. */
const AMOUNT_CREDITS_MAX = 1_000_000;

const SUBCOMMANDS: Readonly<Record<string, Subcommand<CreditChangeDeps>>> = {
	grant: grantCredits,
	revoke: revokeCredits,
};

export const balance: Command<CreditChangeDeps> = {
	definition: guildCommand("balance", "command.balance")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((grant) => withAmountAndReason(localize(grant, "grant", "command.creditsGrant")))
		.addSubcommand((revoke) => withAmountAndReason(localize(revoke, "revoke", "command.creditsRevoke")))
		.toJSON(),
	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await subcommandOf(interaction, SUBCOMMANDS)(interaction, deps, logger);
	},
};

function withAmountAndReason(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand
		.addIntegerOption((option) =>
			localize(option, "amount", "option.amount").setRequired(true).setMinValue(1).setMaxValue(AMOUNT_CREDITS_MAX),
		)
		.addStringOption((option) =>
			localize(option, "reason", "option.reason")
				.setRequired(true)
				.setMinLength(REASON_CHARS_MIN)
				.setMaxLength(REASON_CHARS_MAX),
		);
}
