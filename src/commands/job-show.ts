import { formatJobLines } from "../services/tasks/format-job.ts";
import type { Command } from "./command.ts";
import { jobRequesterOf } from "./job-asker.ts";

export const showJob: Command["execute"] = async (interaction, { jobs }) => {
	const taskId = interaction.options.getString("id", true).trim();
	const task = await jobs.show(jobRequesterOf(interaction), taskId);
	await interaction.editReply({ content: formatJobLines(task, interaction.locale, await jobs.links(task)) });
};
