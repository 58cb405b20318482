import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type SlashCommandSubcommandBuilder,
} from "discord.js";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "../services/credits/credit-service.ts";
import type { Command } from "./command.ts";
import { grantCredits, revokeCredits } from "./credits-change.ts";
import { showHistory } from "./credits-history.ts";
import { showCredits } from "./credits-show.ts";
import { localize } from "./localize.ts";

/** What one command may move; who needs more asks the people who run the bot. */
const AMOUNT_CREDITS_MAX = 1_000_000;

const SUBCOMMANDS = {
	show: showCredits,
	history: showHistory,
	grant: grantCredits,
	revoke: revokeCredits,
} as const satisfies Record<string, Command["execute"]>;

export const credits: Command = {
	definition: localize(new SlashCommandBuilder(), "credits", "creditsDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((show) => localize(show, "show", "creditsShowDescription"))
		.addSubcommand((history) =>
			localize(history, "history", "creditsHistoryDescription")
				.addUserOption((option) => localize(option, "member", "optionHistoryMember"))
				.addIntegerOption((option) => localize(option, "before", "optionHistoryBefore").setMinValue(1))
				.addBooleanOption((option) => localize(option, "csv", "optionHistoryCsv")),
		)
		.addSubcommand((grant) => changing(localize(grant, "grant", "creditsGrantDescription")))
		.addSubcommand((revoke) => changing(localize(revoke, "revoke", "creditsRevokeDescription")))
		.toJSON(),
	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const name = interaction.options.getSubcommand();
		if (!isSubcommand(name)) throw new Error("a subcommand that is registered and not known");
		await SUBCOMMANDS[name](interaction, services, logger);
	},
};

function isSubcommand(name: string): name is keyof typeof SUBCOMMANDS {
	return Object.hasOwn(SUBCOMMANDS, name);
}

function changing(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand
		.addIntegerOption((option) =>
			localize(option, "amount", "optionAmount").setRequired(true).setMinValue(1).setMaxValue(AMOUNT_CREDITS_MAX),
		)
		.addStringOption((option) =>
			localize(option, "reason", "optionReason")
				.setRequired(true)
				.setMinLength(REASON_CHARS_MIN)
				.setMaxLength(REASON_CHARS_MAX),
		);
}
