import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	SlashCommandBuilder,
	type AutocompleteInteraction,
	type SlashCommandSubcommandBuilder,
} from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { t } from "../i18n/messages.ts";
import { formatJobChoice, formatJobLine, formatJobLines } from "../services/tasks/format-job.ts";
import type { JobService } from "../services/tasks/job-service.ts";
import { isCancelable } from "../services/tasks/request-cancel.ts";
import type { Task } from "../services/tasks/task.ts";
import { subcommandOf, type Command, type Subcommand } from "./command.ts";
import { tokenExpiresAtMsOf } from "./defer-reply.ts";
import { localize } from "./localize.ts";
import { jobRequesterOf } from "./invoking-member.ts";

/** Longer than any interaction id, with room for blanks around it. */
const ID_CHARS_MAX = 30;
const LISTED_MAX = 15;
/** A message has 2,000 characters; the rest is for the last line. */
const LINES_CHARS_MAX = 1_850;
const CHOICES_MAX = 25;
const CHOICE_CHARS_MAX = 100;

interface JobDeps {
	readonly jobs: JobService;
	readonly clock: Clock;
}

/** The tasks that each subcommand can act on. */
const CHOOSABLE: Readonly<Record<string, (task: Task) => boolean>> = {
	show: () => true,
	get: (task) => "shown" in task && task.outcome.kind === "succeeded",
	cancel: isCancelable,
};

const list: Subcommand<JobDeps> = async (interaction, { jobs }) => {
	const { locale, options } = interaction;
	const memberId = options.getUser("member")?.id;
	const tasks = await jobs.list(jobRequesterOf(interaction), { max: LISTED_MAX + 1, memberId });
	const lines = fitting(tasks.slice(0, LISTED_MAX).map((task) => t(locale, formatJobLine(task))));
	if (lines.length === 0) lines.push(t(locale, { key: "job.empty" }));
	else if (lines.length < tasks.length) lines.push(t(locale, { key: "job.older" }));
	await interaction.editReply({ content: lines.join("\n") });
};

const show: Subcommand<JobDeps> = async (interaction, { jobs }) => {
	const task = await jobs.show(jobRequesterOf(interaction), taskIdOption(interaction));
	await interaction.editReply({ content: formatJobLines(task, interaction.locale, await jobs.links(task)) });
};

const get: Subcommand<JobDeps> = async (interaction, { jobs }, logger) => {
	const { applicationId, token, attachmentSizeLimit: bytesMax, locale } = interaction;
	const reply = { applicationId, token, tokenExpiresAtMs: tokenExpiresAtMsOf(interaction) };
	await jobs.fetch(jobRequesterOf(interaction), taskIdOption(interaction), { reply, bytesMax, locale }, logger);
};

const cancel: Subcommand<JobDeps> = async (interaction, { jobs }, logger) => {
	const message = await jobs.cancel(jobRequesterOf(interaction), taskIdOption(interaction), logger);
	await interaction.editReply({ content: t(interaction.locale, message) });
};

const SUBCOMMANDS: Readonly<Record<string, Subcommand<JobDeps>>> = { list, show, get, cancel };

export const job: Command<JobDeps> = {
	definition: localize(new SlashCommandBuilder(), "job", "command.job")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.addSubcommand((each) => withMember(localize(each, "list", "command.jobList")))
		.addSubcommand((each) => withMember(withId(localize(each, "show", "command.jobShow"))))
		.addSubcommand((each) => withId(localize(each, "get", "command.jobGet")))
		.addSubcommand((each) => withMember(withId(localize(each, "cancel", "command.jobCancel"))))
		.toJSON(),
	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await subcommandOf(interaction, SUBCOMMANDS)(interaction, deps, logger);
	},
	autocomplete,
};

/** Offers the member's own tasks, or those of the member whom a moderator named, newest first. */
async function autocomplete(interaction: AutocompleteInteraction, { jobs, clock }: JobDeps): Promise<void> {
	const { locale, options } = interaction;
	const memberId = options.get("member")?.value?.toString();
	const tasks = await jobs.list(jobRequesterOf(interaction), { max: CHOICES_MAX, memberId });
	const text = options.getFocused().trim().toLowerCase();
	const choices = tasks
		.filter(CHOOSABLE[options.getSubcommand()] ?? (() => false))
		.map((task) => ({
			name: formatJobChoice(task, clock.nowMs(), locale).slice(0, CHOICE_CHARS_MAX),
			value: task.id,
		}))
		.filter(({ name, value }) => name.toLowerCase().includes(text) || value.startsWith(text));
	await interaction.respond(choices);
}

function fitting(lines: readonly string[]): string[] {
	let chars = 0;
	return lines.filter((line) => (chars += line.length + 1) <= LINES_CHARS_MAX);
}

function taskIdOption({ options }: Parameters<Subcommand<JobDeps>>[0]): string {
	return options.getString("id", true).trim();
}

function withId(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addStringOption((option) =>
		localize(option, "id", "option.job").setRequired(true).setAutocomplete(true).setMaxLength(ID_CHARS_MAX),
	);
}

function withMember(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	return subcommand.addUserOption((option) => localize(option, "member", "option.jobMember"));
}
