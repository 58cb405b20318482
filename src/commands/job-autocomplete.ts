import type { AutocompleteInteraction } from "discord.js";
import { say } from "../i18n/messages.ts";
import { formatJobChoice } from "../services/tasks/format-job.ts";
import { isCancelable } from "../services/tasks/request-cancel.ts";
import type { Task } from "../services/tasks/task.ts";
import type { Services } from "./command.ts";
import { jobRequesterOf } from "./job-asker.ts";

const CHOICES_MAX = 25;
const CHOICE_CHARS_MAX = 100;

/** Which of a member's tasks each subcommand can do something with. */
const WANTED: Readonly<Record<string, (task: Task) => boolean>> = {
	show: () => true,
	get: (task) => "shown" in task && task.outcome.kind === "made",
	cancel: isCancelable,
};

/** Offers the tasks of whoever types, or of the member they named, newest first. */
export async function autocompleteJob(interaction: AutocompleteInteraction, { jobs, clock }: Services): Promise<void> {
	const { locale, options } = interaction;
	const memberId = options.get("member")?.value?.toString();
	const tasks = await jobs.list(jobRequesterOf(interaction), { max: CHOICES_MAX, memberId });
	const typed = options.getFocused().trim().toLowerCase();
	const choices = tasks
		.filter(WANTED[options.getSubcommand()] ?? (() => false))
		.map((task) => ({
			name: say(locale, formatJobChoice(task, clock.nowMs())).slice(0, CHOICE_CHARS_MAX),
			value: task.id,
		}))
		.filter(({ name, value }) => name.toLowerCase().includes(typed) || value.startsWith(typed));
	await interaction.respond(choices);
}
