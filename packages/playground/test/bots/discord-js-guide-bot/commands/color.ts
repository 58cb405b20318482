import { ActionRowBuilder, SlashCommandBuilder, StringSelectMenuBuilder } from "discord.js";
import type { Command } from "../command.ts";

export const command: Command = {
	data: new SlashCommandBuilder().setName("color").setDescription("Asks for favorite colors"),
	execute(interaction) {
		const menu = new StringSelectMenuBuilder()
			.setCustomId("color:choose")
			.setPlaceholder("Choose up to two")
			.setMaxValues(2)
			.addOptions(["red", "green", "blue"].map((name) => ({ label: name, value: name })));
		const row = new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu);
		return interaction.reply({ content: "Which colors?", components: [row] });
	},
	async respond(interaction) {
		if (interaction.isStringSelectMenu())
			await interaction.update({ content: `You like ${interaction.values.join(" and ")}`, components: [] });
	},
};
