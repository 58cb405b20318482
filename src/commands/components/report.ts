/** Reporting a result to the server's moderators: a button below it, or the menu of its message; then a form with the reason. */
import {
	ApplicationCommandType,
	ApplicationIntegrationType,
	ContextMenuCommandBuilder,
	InteractionContextType,
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	TextInputBuilder,
	TextInputStyle,
	type ButtonInteraction,
	type MessageContextMenuCommandInteraction,
} from "discord.js";
import { moderateIds, reportRow } from "../../discord/report-buttons.ts";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import { formatReport } from "../../services/moderation/format-report.ts";
import { REPORT_CHARS_MAX, requireActionPermission } from "../../services/moderation/report-service.ts";
import { say } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild, MessageCommand, Services } from "../command.ts";
import { defineComponent } from "./component.ts";
import { isManager, isModerator } from "../member.ts";
import { taskIdOf } from "../task-from-message.ts";
import { guildLocaleOf } from "../guild-locale.ts";
import { localizeTitle } from "../localize.ts";

const REASON_CHARS_MIN = 3;

const reportIds = taskButtonIds.report;

export const reportMessage: MessageCommand = {
	definition: localizeTitle(new ContextMenuCommandBuilder(), "reportMenuName")
		.setType(ApplicationCommandType.Message)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.toJSON(),
	async execute(interaction, services) {
		const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
		if (taskId === undefined) throw new UserError({ key: "reportNotOurs" });
		await openForm(interaction, taskId, services);
	},
};

export const reportButton = defineComponent("button", reportIds, (interaction, { taskId }, services) =>
	openForm(interaction, taskId, services),
);

export const reportForm = defineComponent("modal", reportIds, async (interaction, { taskId }, { reports }, logger) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	const { guildId, user, locale, fields } = interaction;
	await reports.report({ guildId, userId: user.id }, taskId, fields.getTextInputValue("reason"), logger);
	await interaction.editReply({ content: say(locale, { key: "reportThanks" }) });
});

export const moderate = defineComponent("button", moderateIds, async (interaction, values, services, logger) => {
	const { action, taskId, reporterId } = values;
	const { guildId, user } = interaction;
	const moderator = {
		guildId,
		userId: user.id,
		isModerator: isModerator(interaction),
		isManager: isManager(interaction),
	};
	// Before the answer, which would otherwise be that the message changes.
	requireActionPermission(moderator, action);
	// What is given back was paid for: that too is a gift.
	if (action === "refund" && !services.mayManagersGrant) throw new UserError({ key: "grantedByOperator" });
	await interaction.deferUpdate();
	const reported = await services.reports.act(moderator, taskId, action, logger);
	const locale = await guildLocaleOf(guildId, services);
	await interaction.editReply({
		content: formatReport(reported, reporterId, locale),
		components: [reportRow(reported, reporterId, locale)],
	});
});

/** Nobody writes a report that could not be sent. */
async function openForm(
	interaction: ButtonInteraction<InGuild> | MessageContextMenuCommandInteraction<InGuild>,
	taskId: string,
	{ reports }: Services,
): Promise<void> {
	const { guildId, user, locale } = interaction;
	await reports.requireOpen({ guildId, userId: user.id }, taskId);
	const reason = new TextInputBuilder()
		.setCustomId("reason")
		.setStyle(TextInputStyle.Paragraph)
		.setMinLength(REASON_CHARS_MIN)
		.setMaxLength(REPORT_CHARS_MAX)
		.setRequired(true);
	const form = new ModalBuilder()
		.setCustomId(reportIds.write({ taskId }))
		.setTitle(say(locale, { key: "reportTitle" }))
		.addLabelComponents(
			new LabelBuilder()
				.setLabel(say(locale, { key: "reportReasonLabel" }))
				.setDescription(say(locale, { key: "reportReasonHint" }))
				.setTextInputComponent(reason),
		);
	await interaction.showModal(form);
}
