/** Reports a result to the server's moderators: a button or message menu opens a modal for the reason. */
import { MessageFlags, TextInputStyle, type ButtonInteraction } from "discord.js";
import { mediaIn } from "../discord/message-contents.ts";
import { reportActionCustomId, reportCard } from "../discord/report-buttons.ts";
import { taskButtonCustomIds } from "../discord/task-buttons.ts";
import { REPORT_REASON_CHARS_MAX, REPORT_REASON_CHARS_MIN } from "@atelier/dashboard/limits";
import type { ReportActions } from "../services/moderation/report-actions.ts";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { ReportService } from "../services/moderation/report-service.ts";
import { defineMessageCommand, type InGuild, type MessageInteraction } from "./framework/command.ts";
import { defineComponent } from "./framework/component.ts";
import { labelFor, textInput } from "./framework/form-fields.ts";
import { actorOf, isManager, type ModeratorDeps } from "./framework/invoking-member.ts";
import { taskIdOf } from "./framework/task-from-message.ts";
import { guildLocaleOf, type LocaleDeps } from "./framework/guild-locale.ts";

const reportCustomId = taskButtonCustomIds.report;

interface ReportDeps extends LocaleDeps, ModeratorDeps {
	readonly reportService: ReportService;
	readonly reportActions: Pick<ReportActions, "act">;
}

export const reportMessage = defineMessageCommand<ReportDeps>("menu.report", async (interaction, deps) => {
	const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
	if (taskId === undefined) throw new UserError({ key: "report.notOurs" });
	await openForm(interaction, taskId, deps);
});

export const openReportForm = defineComponent("button", reportCustomId, (interaction, { taskId }, deps: ReportDeps) =>
	openForm(interaction, taskId, deps),
);

export const submitReport = defineComponent(
	"modal",
	reportCustomId,
	async (interaction, { taskId }, { reportService }: ReportDeps, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { guildId, user, locale, fields } = interaction;
		await reportService.report({ guildId, userId: user.id }, taskId, fields.getTextInputValue("reason"), logger);
		await interaction.editReply({ content: t(locale, { key: "report.thanks" }) });
	},
);

export const moderateReport = defineComponent(
	"button",
	reportActionCustomId,
	async (interaction, values, deps: ReportDeps, logger) => {
		const { action, taskId, reporterId } = values;
		const { guildId } = interaction;
		await interaction.deferUpdate();
		const moderator = {
			...(await actorOf(interaction, deps)),
			isManager: isManager(interaction),
			via: "discord" as const,
		};
		const { reported } = await deps.reportActions.act(moderator, taskId, action, logger, reporterId);
		const locale = await guildLocaleOf(guildId, deps);
		// The image is the only one of the message.
		const [image] = mediaIn(interaction.message.components.map((component) => component.toJSON()));
		await interaction.editReply(reportCard(reported, reporterId, locale, image?.url));
	},
);

/** Throws a `UserError` before the modal opens if the report could not be sent. */
async function openForm(
	interaction: ButtonInteraction<InGuild> | MessageInteraction,
	taskId: string,
	{ reportService }: Pick<ReportDeps, "reportService">,
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
