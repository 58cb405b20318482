import type { APIButtonComponent, AutocompleteInteraction } from "discord.js";
import { button, cardReply, linkButton, row, textWithImage, CHOICE_CHARS_MAX, CHOICES_MAX } from "../discord/card.ts";
import { taskButton } from "../discord/task-buttons.ts";
import { t } from "../i18n/messages.ts";
import { formatTaskChoice, formatTaskDetails, formatTaskLine } from "../services/tasks/format-task.ts";
import { isDeliveredResult, messageLinkOf } from "../services/tasks/delivered-result.ts";
import { isPending, type Task } from "../services/tasks/task.ts";
import { stringOption, userOption } from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type InGuild, type SlashInteraction } from "./framework/command.ts";
import { resendTargetOf } from "./framework/reply-targets.ts";
import { definePagedList, entriesOfPage, type ListInteraction } from "./framework/paged-list.ts";
import { actorOf, memberOf, viewerOf } from "./framework/invoking-member.ts";
import { resultImage, showFilesCustomId } from "./gallery.ts";
import type { CommandServices } from "./command-services.ts";

/** Longer than any interaction id, with room for blanks around it. */
const ID_CHARS_MAX = 30;
/** Autocomplete searches this many of the newest tasks: a subcommand can act on few of them. */
const SEARCHED_TASKS_MAX = 100;
/** A task with an image takes five components of a message, which has 40 at most. */
const PAGE_TASKS = 5;

/** The tasks that each subcommand can act on. */
const CHOOSABLE: Readonly<Record<string, (task: Task) => boolean>> = {
	show: () => true,
	get: isDeliveredResult,
	cancel: isPending,
};

export const jobList = definePagedList("jobs", async (interaction, { memberId, page }, services) => {
	const { memberTasks } = services;
	const { locale, user } = interaction;
	const userId = memberId ?? user.id;
	const requester = await actorOf(interaction, services);
	const tasks = await memberTasks.list(requester, { max: (page + 1) * PAGE_TASKS + 1, memberId: userId });
	const { entries, hasMore } = entriesOfPage(tasks, page, PAGE_TASKS);
	if (entries.length === 0) return t(locale, { key: "job.empty" });
	return {
		head: t(locale, { key: "job.head", params: { userId } }),
		rows: await Promise.all(
			entries.map(async (task) => ({
				text: t(locale, formatTaskLine(task)),
				buttons: openButtons(task, user.id, locale),
				image: await imageOf(interaction, task, services),
			})),
		),
		hasMore,
	};
});

const ID = stringOption("id", "option.job", { required: true, autocomplete: true, max_length: ID_CHARS_MAX });
const MEMBER = userOption("member", "option.jobMember");

export const job = defineCommandGroup(
	"job",
	[
		subcommand("list", [MEMBER], (interaction, services) =>
			jobList.show(interaction, { memberId: interaction.options.getUser("member")?.id ?? null }, services),
		),
		subcommand("show", [ID, MEMBER], async (interaction, services) => {
			const { memberTasks } = services;
			const requester = await actorOf(interaction, services);
			const task = await memberTasks.show(requester, taskIdOption(interaction));
			const { locale } = interaction;
			const details = formatTaskDetails(task, locale, await memberTasks.links(requester, task));
			const buttons = [...openButtons(task, interaction.user.id, locale), ...cancelButtons(task, locale)];
			const rows = buttons.length > 0 ? [row(...buttons)] : [];
			const content = textWithImage(details.text, await imageOf(interaction, task, services));
			await interaction.editReply(cardReply([content, ...rows]));
		}),
		subcommand("get", [ID], async (interaction, { memberTasks, logger }) => {
			await memberTasks.resend(memberOf(interaction), taskIdOption(interaction), resendTargetOf(interaction), logger);
		}),
		subcommand("cancel", [ID, MEMBER], async (interaction, services) => {
			const requester = await actorOf(interaction, services);
			const message = await services.memberTasks.cancel(requester, taskIdOption(interaction), services.logger);
			await interaction.editReply({ content: services.commandMentions.say(interaction.locale, message) });
		}),
	],
	{ autocomplete },
);

/** Offers the member's own tasks, or those of the member whom a moderator named, newest first. */
async function autocomplete(interaction: AutocompleteInteraction<InGuild>, services: CommandServices): Promise<void> {
	const { locale, options } = interaction;
	const memberId = options.get("member")?.value?.toString() ?? interaction.user.id;
	const isOwn = memberId === interaction.user.id;
	// Reads the permissions of a moderator from Discord only where they matter: autocomplete has three seconds.
	const requester = isOwn ? { ...memberOf(interaction), isModerator: false } : await actorOf(interaction, services);
	const tasks = await services.memberTasks.list(requester, { max: SEARCHED_TASKS_MAX, memberId });
	const typed = options.getFocused().trim().toLowerCase();
	const choices = tasks
		.filter(CHOOSABLE[options.getSubcommand()] ?? (() => false))
		.map((task) => ({
			name: formatTaskChoice(task, services.clock.nowMs(), locale).slice(0, CHOICE_CHARS_MAX),
			value: task.id,
		}))
		.filter(({ name, value }) => name.toLowerCase().includes(typed) || value.startsWith(typed));
	await interaction.respond(choices.slice(0, CHOICES_MAX));
}

async function imageOf(interaction: ListInteraction, task: Task, { gallery }: CommandServices) {
	return resultImage(task, await gallery.imageOf(viewerOf(interaction), task));
}

/** Returns the cancel button; an empty list for a task that cannot be canceled. */
function cancelButtons(task: Task, locale: string): readonly APIButtonComponent[] {
	if (!isPending(task) || task.cancel) return [];
	const label = t(locale, { key: "button.cancel" });
	return [taskButton(task.id, { action: "cancel", label })];
}

/** Returns the button that leads to the message of the task. No link opens an ephemeral message: its member sees the files again. */
function openButtons(task: Task, viewerId: string, locale: string): readonly APIButtonComponent[] {
	if (!task.reply.isEphemeral) return [linkButton(messageLinkOf(task), t(locale, { key: "button.open" }))];
	if (task.userId !== viewerId || !isDeliveredResult(task)) return [];
	return [button(showFilesCustomId.encode({ taskId: task.id }), t(locale, { key: "button.show" }))];
}

function taskIdOption({ options }: SlashInteraction): string {
	return options.getString("id", true).trim();
}
