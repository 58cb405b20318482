import { jobLines } from "../services/tasks/describe-job.ts";
import type { Command } from "./command.ts";
import { askerOf } from "./job-asker.ts";

export const showJob: Command["execute"] = async (interaction, { jobs }) => {
	const taskId = interaction.options.getString("id", true).trim();
	const task = await jobs.show(askerOf(interaction), taskId);
	await interaction.editReply({ content: jobLines(task, interaction.locale, await jobs.links(task)) });
};
