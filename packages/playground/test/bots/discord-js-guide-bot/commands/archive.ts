import {
	ActionRowBuilder,
	ButtonBuilder,
	ButtonStyle,
	ComponentType,
	MessageFlags,
	SlashCommandBuilder,
} from "discord.js";
import type { Command } from "../command.ts";

/** Waits for the button in the command itself, as guides show it. */
export const command: Command = {
	data: new SlashCommandBuilder()
		.setName("archive")
		.setDescription("Archives a topic after a confirmation")
		.addStringOption((option) => option.setName("topic").setDescription("The topic").setRequired(true)),
	async execute(interaction) {
		const topic = interaction.options.getString("topic", true);
		const buttons = new ActionRowBuilder<ButtonBuilder>().addComponents(
			new ButtonBuilder().setCustomId("yes").setLabel("Archive").setStyle(ButtonStyle.Danger),
			new ButtonBuilder().setCustomId("no").setLabel("Keep").setStyle(ButtonStyle.Secondary),
		);
		const { resource } = await interaction.reply({
			content: `Archive **${topic}**?`,
			components: [buttons],
			flags: MessageFlags.SuppressNotifications,
			withResponse: true,
		});
		const pressed = await resource?.message?.awaitMessageComponent({
			componentType: ComponentType.Button,
			filter: ({ user }) => user.id === interaction.user.id,
			time: 10_000,
		});
		await pressed?.update({ content: pressed.customId === "yes" ? `Archived **${topic}**` : "Kept", components: [] });
	},
};
