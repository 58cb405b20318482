import type { Command } from "./command.ts";
import { jobRequesterOf } from "./job-asker.ts";
import { tokenExpiresAtMsOf } from "./interaction-token.ts";

export const getJob: Command["execute"] = async (interaction, { jobs }, logger) => {
	const taskId = interaction.options.getString("id", true).trim();
	const { applicationId, token, attachmentSizeLimit: bytesMax, locale } = interaction;
	const reply = { applicationId, token, tokenExpiresAtMs: tokenExpiresAtMsOf(interaction) };
	await jobs.fetch(jobRequesterOf(interaction), taskId, { reply, bytesMax, locale }, logger);
};
