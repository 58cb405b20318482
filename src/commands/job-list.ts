import { say } from "../i18n/messages.ts";
import { formatJobLine } from "../services/tasks/format-job.ts";
import type { Command } from "./command.ts";
import { jobRequesterOf } from "./job-asker.ts";

const LISTED_MAX = 15;
/** Of the 2,000 characters of a message, what is left beside its foot. */
const LINES_CHARS_MAX = 1_850;

export const listJobs: Command["execute"] = async (interaction, { jobs }) => {
	const { locale, options } = interaction;
	const memberId = options.getUser("member")?.id;
	const tasks = await jobs.list(jobRequesterOf(interaction), { max: LISTED_MAX + 1, memberId });
	const lines = fitting(tasks.slice(0, LISTED_MAX).map((task) => say(locale, formatJobLine(task))));
	if (lines.length === 0) lines.push(say(locale, { key: "jobsEmpty" }));
	else if (lines.length < tasks.length) lines.push(say(locale, { key: "jobsOlder" }));
	await interaction.editReply({ content: lines.join("\n") });
};

function fitting(lines: readonly string[]): string[] {
	let chars = 0;
	return lines.filter((line) => (chars += line.length + 1) <= LINES_CHARS_MAX);
}
