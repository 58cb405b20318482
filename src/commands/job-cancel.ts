import { say } from "../i18n/messages.ts";
import type { Command } from "./command.ts";
import { jobRequesterOf } from "./job-asker.ts";

export const cancelJob: Command["execute"] = async (interaction, { jobs }, logger) => {
	const taskId = interaction.options.getString("id", true).trim();
	const saying = await jobs.cancel(jobRequesterOf(interaction), taskId, logger);
	await interaction.editReply({ content: say(interaction.locale, saying) });
};
