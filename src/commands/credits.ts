import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type SlashCommandSubcommandBuilder,
} from "discord.js";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "../services/guilds/credit-desk.ts";
import { en } from "../services/messages/en.ts";
import type { Command } from "./command.ts";
import { grantCredits, revokeCredits } from "./credits-change.ts";
import { showHistory } from "./credits-history.ts";
import { showCredits } from "./credits-show.ts";

/** What one command may move; who needs more asks the people who run the bot. */
const AMOUNT_CREDITS_MAX = 1_000_000;

const SUBCOMMANDS = {
	show: showCredits,
	history: showHistory,
	grant: grantCredits,
	revoke: revokeCredits,
} as const satisfies Record<string, Command["execute"]>;

export const credits: Command = {
	definition: new SlashCommandBuilder()
		.setName("credits")
		.setDescription(en.creditsDescription)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((show) => show.setName("show").setDescription(en.creditsShowDescription))
		.addSubcommand((history) =>
			history
				.setName("history")
				.setDescription(en.creditsHistoryDescription)
				.addUserOption((option) => option.setName("member").setDescription(en.optionHistoryMember))
				.addIntegerOption((option) => option.setName("before").setDescription(en.optionHistoryBefore).setMinValue(1))
				.addBooleanOption((option) => option.setName("csv").setDescription(en.optionHistoryCsv)),
		)
		.addSubcommand((grant) => changing(grant.setName("grant").setDescription(en.creditsGrantDescription)))
		.addSubcommand((revoke) => changing(revoke.setName("revoke").setDescription(en.creditsRevokeDescription)))
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
			option
				.setName("amount")
				.setDescription(en.optionAmount)
				.setRequired(true)
				.setMinValue(1)
				.setMaxValue(AMOUNT_CREDITS_MAX),
		)
		.addStringOption((option) =>
			option
				.setName("reason")
				.setDescription(en.optionReason)
				.setRequired(true)
				.setMinLength(REASON_CHARS_MIN)
				.setMaxLength(REASON_CHARS_MAX),
		);
}
