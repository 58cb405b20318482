import type { Command } from "./command.ts";
import { askerOf } from "./job-asker.ts";
import { tokenExpiresAtMsOf } from "./token-life.ts";

export const getJob: Command["execute"] = async (interaction, { jobs }, logger) => {
	const taskId = interaction.options.getString("id", true).trim();
	const { applicationId, token, attachmentSizeLimit: bytesMax, locale } = interaction;
	const reply = { applicationId, token, tokenExpiresAtMs: tokenExpiresAtMsOf(interaction) };
	await jobs.fetch(askerOf(interaction), taskId, { reply, bytesMax, locale }, logger);
};
