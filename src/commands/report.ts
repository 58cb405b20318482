/** Reports a result to the server's moderators: a button or message menu opens a modal for the reason. */
import {
	ComponentType,
	MessageFlags,
	TextInputStyle,
	type APIModalInteractionResponseCallbackData,
	type ButtonInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import { mediaIn } from "../discord/message-contents.ts";
import { reportActionCustomId, reportCard } from "../discord/report-buttons.ts";
import { taskCustomIds } from "../discord/task-buttons.ts";
import { BLOCK_REASON_CHARS_MAX, REPORT_REASON_CHARS_MAX, REPORT_REASON_CHARS_MIN } from "@atelier/dashboard/limits";
import { t } from "../i18n/messages.ts";
import type { Block } from "../services/settings/guild-settings.ts";
import { UserError } from "../services/user-error.ts";
import { deleteForm } from "./components/result-delete.ts";
import { defineMessageCommand, type InGuild, type MessageInteraction } from "./framework/command.ts";
import { defineButton, defineModal } from "./framework/component.ts";
import { labelFor, submittedValues, textInput } from "./framework/form-fields.ts";
import { actorOf, isManager } from "./framework/invoking-member.ts";
import { taskIdOf } from "./framework/task-from-message.ts";
import { localeOfReply } from "./framework/guild-locale.ts";
import { updatePressedMessage } from "./framework/update-pressed-message.ts";
import type { CommandServices } from "./command-services.ts";

const reportCustomId = taskCustomIds.report;

export const reportMessage = defineMessageCommand("menu.report", async (interaction, services) => {
	const taskId = taskIdOf(interaction.targetMessage, services.botUserId());
	if (taskId === undefined) throw new UserError({ key: "report.notOurs" });
	await openForm(interaction, taskId, services);
});

export const openReportForm = defineButton(reportCustomId, (interaction, { taskId }, services) =>
	openForm(interaction, taskId, services),
);

export const submitReport = defineModal(reportCustomId, async (interaction, { taskId }, services) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	const { guildId, user, locale, fields } = interaction;
	const { reportService, commandMentions, logger } = services;
	await reportService.report({ guildId, userId: user.id }, taskId, fields.getTextInputValue("reason"), logger);
	await interaction.editReply({ content: commandMentions.say(locale, { key: "report.thanks" }) });
});

export const moderateReport = defineButton(reportActionCustomId, async (interaction, values, services) => {
	const customId = reportActionCustomId.encode(values);
	// A form must be the first response; the handler of the form checks the permissions.
	if (values.action === "delete") return await interaction.showModal(deleteForm(customId, true, interaction.locale));
	if (values.action === "block") {
		// The blocked member reads the reason.
		const reason = t(await localeOfReply(interaction, services), { key: "report.blockReason" });
		return await interaction.showModal(blockForm(customId, reason, interaction.locale));
	}
	await interaction.deferUpdate();
	await actOnReport(interaction, values, undefined, services);
});

export const submitModeration = defineModal(reportActionCustomId, async (interaction, values, services) => {
	await interaction.deferUpdate();
	const { duration: [duration] = [], reason: [reason = ""] = [] } = submittedValues(interaction.fields);
	const { days } = BLOCK_DURATIONS.find(({ value }) => value === duration) ?? DEFAULT_DURATION;
	const untilMs = days === undefined ? null : services.clock.nowMs() + days * DAY_MS;
	await actOnReport(interaction, values, values.action === "block" ? { reason, untilMs } : undefined, services);
});

/** Performs an action, and shows it in the message of the report. */
async function actOnReport(
	interaction: ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>,
	{ action, taskId, reporterId }: NonNullable<ReturnType<typeof reportActionCustomId.decode>>,
	block: Pick<Block, "reason" | "untilMs"> | undefined,
	services: CommandServices,
): Promise<void> {
	const moderator = {
		...(await actorOf(interaction, services)),
		isManager: isManager(interaction),
		via: "discord" as const,
	};
	const options = { pressedReporterId: reporterId, ...(block && { block }) };
	const { reported } = await services.reportActions.act(moderator, taskId, action, services.logger, options);
	const locale = await localeOfReply(interaction, services);
	// The image is the only one of the message.
	const [image] = mediaIn((interaction.message?.components ?? []).map((component) => component.toJSON()));
	await updatePressedMessage(interaction, reportCard(reported, reporterId, locale, image?.url), services);
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DURATION = { value: "week", days: 7, label: { key: "blockDuration.week" } } as const;
/** Without days, a block lasts until it is lifted. */
const BLOCK_DURATIONS = [
	{ value: "day", days: 1, label: { key: "blockDuration.day" } },
	DEFAULT_DURATION,
	{ value: "month", days: 30, label: { key: "blockDuration.month" } },
	{ value: "forever", days: undefined, label: { key: "audit.blockedForever" } },
] as const;

function blockForm(customId: string, suggestedReason: string, locale: string): APIModalInteractionResponseCallbackData {
	const duration = {
		type: ComponentType.StringSelect as const,
		custom_id: "duration",
		options: BLOCK_DURATIONS.map(({ value, label }) => ({
			value,
			label: t(locale, label),
			default: value === DEFAULT_DURATION.value,
		})),
	};
	const reason = textInput("reason", suggestedReason, BLOCK_REASON_CHARS_MAX, {
		style: TextInputStyle.Short,
		required: true,
	});
	return {
		custom_id: customId,
		title: t(locale, { key: "form.blockTitle" }),
		components: [
			labelFor(locale, { key: "form.blockDuration" }, duration),
			labelFor(locale, { key: "option.blockReason" }, reason),
		],
	};
}

/** Throws a `UserError` before the modal opens if the report could not be sent. */
async function openForm(
	interaction: ButtonInteraction<InGuild> | MessageInteraction,
	taskId: string,
	{ reportService }: CommandServices,
): Promise<void> {
	const { guildId, user, locale } = interaction;
	await reportService.requireReportable({ guildId, userId: user.id }, taskId);
	const reason = textInput("reason", "", REPORT_REASON_CHARS_MAX, {
		style: TextInputStyle.Paragraph,
		min_length: REPORT_REASON_CHARS_MIN,
		required: true,
	});
	await interaction.showModal({
		custom_id: reportCustomId.encode({ taskId }),
		title: t(locale, { key: "form.reportTitle" }),
		components: [labelFor(locale, { key: "form.reportReasonLabel" }, reason, { key: "form.reportReasonHint" })],
	});
}
