/** Reports a result to the server's moderators: a button or message menu opens a modal for the reason. */
import {
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	TextInputBuilder,
	TextInputStyle,
	type ButtonInteraction,
	type MessageContextMenuCommandInteraction,
} from "discord.js";
import { CARD_FLAG } from "../../discord/card.ts";
import { mediaIn } from "../../discord/message-contents.ts";
import { reportActionCustomId, reportBody } from "../../discord/report-buttons.ts";
import { taskButtonCustomIds } from "../../discord/task-buttons.ts";
import { REPORT_CHARS_MAX, requireActionPermission } from "../../services/moderation/report-service.ts";
import { t } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import type { ReportService } from "../../services/moderation/report-service.ts";
import type { InGuild, MessageCommand } from "../command.ts";
import { defineComponent } from "./component.ts";
import { isManager, isModerator } from "../invoking-member.ts";
import { taskIdOf } from "../task-from-message.ts";
import { guildLocaleOf, type LocaleDeps } from "../guild-locale.ts";
import { guildMessageCommand } from "../guild-command.ts";

const REASON_CHARS_MIN = 3;

const reportCustomId = taskButtonCustomIds.report;

interface ReportDeps extends LocaleDeps {
	readonly reports: ReportService;
	/** True if managers may grant credits; a refund is a grant. */
	readonly mayManagersGrant: boolean;
}

export const reportMessage: MessageCommand<ReportDeps> = {
	definition: guildMessageCommand("menu.report").toJSON(),
	async execute(interaction, deps) {
		const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
		if (taskId === undefined) throw new UserError({ key: "report.notOurs" });
		await openForm(interaction, taskId, deps);
	},
};

export const openReportForm = defineComponent("button", reportCustomId, (interaction, { taskId }, deps: ReportDeps) =>
	openForm(interaction, taskId, deps),
);

export const submitReport = defineComponent(
	"modal",
	reportCustomId,
	async (interaction, { taskId }, { reports }: ReportDeps, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { guildId, user, locale, fields } = interaction;
		await reports.report({ guildId, userId: user.id }, taskId, fields.getTextInputValue("reason"), logger);
		await interaction.editReply({ content: t(locale, { key: "report.thanks" }) });
	},
);

export const moderateReport = defineComponent(
	"button",
	reportActionCustomId,
	async (interaction, values, deps: ReportDeps, logger) => {
		const { action, taskId, reporterId } = values;
		const { guildId, user } = interaction;
		const moderator = {
			guildId,
			userId: user.id,
			isModerator: isModerator(interaction),
			isManager: isManager(interaction),
			via: "discord" as const,
		};
		// Denies before `deferUpdate`, after which an error would edit the report.
		requireActionPermission(moderator, action);
		if (action === "refund" && !deps.mayManagersGrant) throw new UserError({ key: "permission.grant" });
		await interaction.deferUpdate();
		const { reported } = await deps.reports.act(moderator, taskId, action, logger, reporterId);
		const locale = await guildLocaleOf(guildId, deps);
		// A classic message stays one: Discord rejected the card of this report.
		const form = interaction.message.flags.has(CARD_FLAG) ? "card" : "classic";
		// The image is the only one of the message.
		const [image] = mediaIn(interaction.message.components.map((component) => component.toJSON()));
		await interaction.editReply(reportBody(reported, reporterId, locale, { form, imageUrl: image?.url }));
	},
);

/** Denies before the modal opens if the report could not be sent. */
async function openForm(
	interaction: ButtonInteraction<InGuild> | MessageContextMenuCommandInteraction<InGuild>,
	taskId: string,
	{ reports }: Pick<ReportDeps, "reports">,
): Promise<void> {
	const { guildId, user, locale } = interaction;
	await reports.requireReportable({ guildId, userId: user.id }, taskId);
	const reason = new TextInputBuilder()
		.setCustomId("reason")
		.setStyle(TextInputStyle.Paragraph)
		.setMinLength(REASON_CHARS_MIN)
		.setMaxLength(REPORT_CHARS_MAX)
		.setRequired(true);
	const form = new ModalBuilder()
		.setCustomId(reportCustomId.encode({ taskId }))
		.setTitle(t(locale, { key: "form.reportTitle" }))
		.addLabelComponents(
			new LabelBuilder()
				.setLabel(t(locale, { key: "form.reportReasonLabel" }))
				.setDescription(t(locale, { key: "form.reportReasonHint" }))
				.setTextInputComponent(reason),
		);
	await interaction.showModal(form);
}
