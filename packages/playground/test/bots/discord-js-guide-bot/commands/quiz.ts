import { SlashCommandBuilder } from "discord.js";
import type { Command } from "../command.ts";

/** Collects the messages of the channel until one of them is right. */
export const command: Command = {
	data: new SlashCommandBuilder().setName("quiz").setDescription("The first right answer wins"),
	async execute(interaction) {
		await interaction.reply("What is six times seven?");
		const { channel } = interaction;
		if (!channel?.isSendable()) return;
		const answers = await channel.awaitMessages({
			filter: ({ content, author }) => !author.bot && content.trim() === "42",
			max: 1,
			time: 10_000,
			errors: ["time"],
		});
		const winner = answers.first();
		await winner?.react("🎉");
		await interaction.followUp(`${winner?.author.toString()} wins!`);
	},
};
