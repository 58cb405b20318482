/** Reports a result to the server's moderators: a button or message menu opens a modal for the reason. */
import { MessageFlags, TextInputStyle, type ButtonInteraction } from "discord.js";
import { mediaIn } from "../discord/message-contents.ts";
import { reportActionCustomId, reportCard } from "../discord/report-buttons.ts";
import { taskCustomIds } from "../discord/task-buttons.ts";
import { REPORT_REASON_CHARS_MAX, REPORT_REASON_CHARS_MIN } from "@atelier/dashboard/limits";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import { defineMessageCommand, type InGuild, type MessageInteraction } from "./framework/command.ts";
import { defineButton, defineModal } from "./framework/component.ts";
import { labelFor, textInput } from "./framework/form-fields.ts";
import { actorOf, isManager } from "./framework/invoking-member.ts";
import { taskIdOf } from "./framework/task-from-message.ts";
import { guildLocaleOf } from "./framework/guild-locale.ts";
import type { CommandServices } from "./command-services.ts";

const reportCustomId = taskCustomIds.report;

export const reportMessage = defineMessageCommand("menu.report", async (interaction, services) => {
	const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
	if (taskId === undefined) throw new UserError({ key: "report.notOurs" });
	await openForm(interaction, taskId, services);
});

export const openReportForm = defineButton(reportCustomId, (interaction, { taskId }, services) =>
	openForm(interaction, taskId, services),
);

export const submitReport = defineModal(reportCustomId, async (interaction, { taskId }, { reportService, logger }) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	const { guildId, user, locale, fields } = interaction;
	await reportService.report({ guildId, userId: user.id }, taskId, fields.getTextInputValue("reason"), logger);
	await interaction.editReply({ content: t(locale, { key: "report.thanks" }) });
});

export const moderateReport = defineButton(reportActionCustomId, async (interaction, values, services) => {
	const { action, taskId, reporterId } = values;
	const { guildId } = interaction;
	await interaction.deferUpdate();
	const moderator = {
		...(await actorOf(interaction, services)),
		isManager: isManager(interaction),
		via: "discord" as const,
	};
	const { reported } = await services.reportActions.act(moderator, taskId, action, services.logger, reporterId);
	const locale = await guildLocaleOf(guildId, services);
	// The image is the only one of the message.
	const [image] = mediaIn(interaction.message.components.map((component) => component.toJSON()));
	await interaction.editReply(reportCard(reported, reporterId, locale, image?.url));
});

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
