import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type SlashCommandSubcommandBuilder,
} from "discord.js";
import type { Command } from "./command.ts";
import { cancelJob } from "./job-cancel.ts";
import { getJob } from "./job-get.ts";
import { listJobs } from "./job-list.ts";
import { showJob } from "./job-show.ts";
import { autocompleteJob } from "./job-autocomplete.ts";
import { localize } from "./localize.ts";

/** As long as the id of an interaction ever gets, and with room for blanks around it. */
const ID_CHARS_MAX = 30;

const SUBCOMMANDS = {
	list: listJobs,
	show: showJob,
	get: getJob,
	cancel: cancelJob,
} as const satisfies Record<string, Command["execute"]>;

export const job: Command = {
	definition: localize(new SlashCommandBuilder(), "job", "jobDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((list) => ofMember(localize(list, "list", "jobListDescription")))
		.addSubcommand((show) => ofMember(one(localize(show, "show", "jobShowDescription"))))
		.addSubcommand((get) => one(localize(get, "get", "jobGetDescription")))
		.addSubcommand((cancel) => ofMember(one(localize(cancel, "cancel", "jobCancelDescription"))))
		.toJSON(),
	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const name = interaction.options.getSubcommand();
		if (!isSubcommand(name)) throw new Error("a subcommand that is registered and not known");
		await SUBCOMMANDS[name](interaction, services, logger);
	},
	autocomplete: autocompleteJob,
};

function isSubcommand(name: string): name is keyof typeof SUBCOMMANDS {
	return Object.hasOwn(SUBCOMMANDS, name);
}

function one(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addStringOption((option) =>
		localize(option, "id", "optionJob").setRequired(true).setAutocomplete(true).setMaxLength(ID_CHARS_MAX),
	);
}

function ofMember(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addUserOption((option) => localize(option, "member", "optionJobMember"));
}
