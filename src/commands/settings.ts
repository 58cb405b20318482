import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
} from "discord.js";
import { en } from "../services/messages/en.ts";
import { say } from "../services/messages/messages.ts";
import type { Command } from "./command.ts";
import { requireAdmission } from "./member.ts";

export const settings: Command = {
	definition: new SlashCommandBuilder()
		.setName("settings")
		.setDescription(en.settingsDescription)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((media) =>
			media
				.setName("media")
				.setDescription(en.settingsMediaDescription)
				.addBooleanOption((option) => option.setName("spoiler").setDescription(en.optionSpoiler)),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAdmission(interaction, services);
		const { guildId, locale, user, options } = interaction;
		const spoiler = options.getBoolean("spoiler");
		const { media } =
			spoiler === null
				? await services.settings.read(guildId)
				: await services.settings.change(guildId, (before) => ({ ...before, media: { ...before.media, spoiler } }));
		if (spoiler !== null) logger.info({ userId: user.id, spoiler }, "settings changed");
		await interaction.editReply({ content: say(locale, { key: "mediaSettings", params: media }) });
	},
};
