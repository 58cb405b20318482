import { ApplicationIntegrationType, InteractionContextType, MessageFlags, SlashCommandBuilder } from "discord.js";
import { describeHelp, type HelpFacts } from "../services/guilds/describe-help.ts";
import type { Command } from "./command.ts";
import { isManager, roleIdsOf } from "./member.ts";
import { placeOf } from "./place.ts";
import { worded } from "./wording.ts";

export const help: Command = {
	definition: worded(new SlashCommandBuilder(), "help", "helpDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.toJSON(),
	async execute(interaction, { accounts, catalogue, settings, clock }) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { guildId, user, locale } = interaction;
		const { channelId, parentId, isAgeRestricted = false } = placeOf(interaction);
		const member = { userId: user.id, roleIds: roleIdsOf(interaction) };
		const facts: HelpFacts = {
			settings: await settings.read(guildId),
			standing: await accounts.standing({ guildId, ...member }),
			models: (mediaType) => catalogue.known(mediaType),
			member,
			where: { channelIds: parentId === null ? [channelId] : [channelId, parentId], isAgeRestricted },
			isManager: isManager(interaction),
			nowMs: clock.nowMs(),
		};
		await interaction.editReply({ content: describeHelp(facts, locale) });
	},
};
