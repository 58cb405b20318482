import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type SlashCommandSubcommandBuilder,
} from "discord.js";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "../services/credits/credit-service.ts";
import { subcommandOf, type Command, type Subcommand } from "./command.ts";
import { grantCredits, revokeCredits, type CreditChangeDeps } from "./credits-change.ts";
import { showHistory, type HistoryDeps } from "./credits-history.ts";
import { showCredits, type BalanceDeps } from "./credits-show.ts";
import { localize } from "./localize.ts";

/** The most credits that one command may move. Operators can move more. */
const AMOUNT_CREDITS_MAX = 1_000_000;

type CreditsDeps = BalanceDeps & CreditChangeDeps & HistoryDeps;

const SUBCOMMANDS: Readonly<Record<string, Subcommand<CreditsDeps>>> = {
	show: showCredits,
	history: showHistory,
	grant: grantCredits,
	revoke: revokeCredits,
};

export const credits: Command<CreditsDeps> = {
	definition: localize(new SlashCommandBuilder(), "credits", "command.credits")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((show) => localize(show, "show", "command.creditsShow"))
		.addSubcommand((history) =>
			localize(history, "history", "command.creditsHistory")
				.addUserOption((option) => localize(option, "member", "option.historyMember"))
				.addIntegerOption((option) => localize(option, "before", "option.historyBefore").setMinValue(1))
				.addBooleanOption((option) => localize(option, "csv", "option.historyCsv")),
		)
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
