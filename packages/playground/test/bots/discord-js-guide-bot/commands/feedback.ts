import {
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	SlashCommandBuilder,
	TextInputBuilder,
	TextInputStyle,
} from "discord.js";
import type { Command } from "../command.ts";

export const command: Command = {
	data: new SlashCommandBuilder().setName("feedback").setDescription("Opens a form"),
	execute(interaction) {
		const input = new TextInputBuilder().setCustomId("text").setStyle(TextInputStyle.Paragraph);
		const label = new LabelBuilder().setLabel("Your feedback").setTextInputComponent(input);
		const modal = new ModalBuilder().setCustomId("feedback:form").setTitle("Feedback").addLabelComponents(label);
		return interaction.showModal(modal);
	},
	async respond(interaction) {
		if (!interaction.isModalSubmit()) return;
		const text = interaction.fields.getTextInputValue("text");
		await interaction.reply({ content: `Thank you for "${text}"`, flags: MessageFlags.Ephemeral });
	},
};
