import { AttachmentBuilder } from "discord.js";
import { plainLine } from "../services/messages/quote.ts";
import { jobLines } from "../services/tasks/describe-job.ts";
import { UserError } from "../services/user-error.ts";
import type { Command } from "./command.ts";
import { askerOf } from "./job-asker.ts";

const DESCRIPTION_CHARS_MAX = 500;
const MIB = 1024 * 1024;

export const getJob: Command["execute"] = async (interaction, { jobs }) => {
	const taskId = interaction.options.getString("id", true).trim();
	const { task, files: kept } = await jobs.fetch(askerOf(interaction), taskId);
	const { attachmentSizeLimit: limitBytes, locale } = interaction;
	const largestBytes = Math.max(...kept.map(({ bytes }) => bytes.byteLength));
	// What fitted where it was made may not fit for somebody else, or some boosts later.
	if (largestBytes > limitBytes) {
		const params = { sizeMiB: Math.ceil(largestBytes / MIB), limitMiB: Math.floor(limitBytes / MIB) };
		throw new UserError({ key: "resultTooLarge", params });
	}
	const description = plainLine(task.order.prompt, DESCRIPTION_CHARS_MAX);
	const files = kept.map(({ name, bytes }) => new AttachmentBuilder(bytes, { name, description }));
	await interaction.editReply({ content: jobLines(task, locale, await jobs.links(task)), files });
};
