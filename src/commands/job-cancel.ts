import { say } from "../services/messages/messages.ts";
import type { Command } from "./command.ts";
import { askerOf } from "./job-asker.ts";

export const cancelJob: Command["execute"] = async (interaction, { jobs }, logger) => {
	const taskId = interaction.options.getString("id", true).trim();
	const saying = await jobs.cancel(askerOf(interaction), taskId, logger);
	await interaction.editReply({ content: say(interaction.locale, saying) });
};
