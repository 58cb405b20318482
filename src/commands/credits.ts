import { MessageFlags } from "discord.js";
import { subcommandOf, type Command, type Subcommand } from "./command.ts";
import { showHistory, type HistoryDeps } from "./credits-history.ts";
import { showCredits, type CreditsCardDeps } from "./credits-show.ts";
import { localize } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";

type CreditsDeps = CreditsCardDeps & HistoryDeps;

const SUBCOMMANDS: Readonly<Record<string, Subcommand<CreditsDeps>>> = {
	show: showCredits,
	history: showHistory,
};

export const credits: Command<CreditsDeps> = {
	definition: guildCommand("credits", "command.credits")
		.addSubcommand((show) => localize(show, "show", "command.creditsShow"))
		.addSubcommand((history) =>
			localize(history, "history", "command.creditsHistory")
				.addUserOption((option) => localize(option, "member", "option.historyMember"))
				.addIntegerOption((option) => localize(option, "before", "option.historyBefore").setMinValue(1))
				.addBooleanOption((option) => localize(option, "csv", "option.historyCsv")),
		)
		.toJSON(),
	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await subcommandOf(interaction, SUBCOMMANDS)(interaction, deps, logger);
	},
};
