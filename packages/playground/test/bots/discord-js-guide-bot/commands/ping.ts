import { SlashCommandBuilder } from "discord.js";
import type { Command } from "../command.ts";

export const command: Command = {
	data: new SlashCommandBuilder().setName("ping").setDescription("Answers, and tells how long it took"),
	cooldownS: 30,
	async execute(interaction) {
		const { resource } = await interaction.reply({ content: "Pinging…", withResponse: true });
		const tookMs = (resource?.message?.createdTimestamp ?? 0) - interaction.createdTimestamp;
		await interaction.editReply(`Pong after ${tookMs} ms`);
	},
};
