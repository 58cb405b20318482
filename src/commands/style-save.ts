/** What a result was made by, kept as a style: the menu of its message, then a form with a name. */
import {
	ApplicationCommandType,
	ApplicationIntegrationType,
	ContextMenuCommandBuilder,
	InteractionContextType,
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	PermissionFlagsBits,
	TextInputBuilder,
	TextInputStyle,
} from "discord.js";
import { customIds, part } from "../discord/custom-id.ts";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { styleFromRequest } from "../services/settings/apply-style.ts";
import { addStyle } from "../services/settings/styles.ts";
import { say } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { MessageCommand } from "./command.ts";
import { defineComponent } from "./components/component.ts";
import { jobRequesterOf } from "./job-asker.ts";
import { requireManager } from "./member.ts";
import { taskIdOf } from "./task-from-message.ts";
import { changeStyles } from "./style-list.ts";
import { localizeTitle } from "./localize.ts";

const styleFormIds = customIds("style", { taskId: part.snowflake });

export const saveStyle: MessageCommand = {
	definition: localizeTitle(new ContextMenuCommandBuilder(), "styleMenuName")
		.setType(ApplicationCommandType.Message)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.toJSON(),
	async execute(interaction, { jobs }) {
		requireManager(interaction);
		const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
		if (taskId === undefined) throw new UserError({ key: "styleNotOurs" });
		// Said before anybody has typed, rather than after.
		await jobs.source(jobRequesterOf(interaction), taskId, interaction.channelId);
		await interaction.showModal(styleForm(taskId, interaction.locale));
	},
};

function styleForm(taskId: string, locale: string): ModalBuilder {
	const name = new TextInputBuilder()
		.setCustomId("name")
		.setStyle(TextInputStyle.Short)
		.setMaxLength(STYLE_NAME_CHARS_MAX)
		.setRequired(true);
	const words = new TextInputBuilder()
		.setCustomId("text")
		.setStyle(TextInputStyle.Paragraph)
		.setMaxLength(STYLE_CHARS_MAX)
		.setRequired(false);
	return new ModalBuilder()
		.setCustomId(styleFormIds.write({ taskId }))
		.setTitle(say(locale, { key: "styleMenuName" }))
		.addLabelComponents(
			new LabelBuilder()
				.setLabel(say(locale, { key: "styleNameLabel" }))
				.setDescription(say(locale, { key: "styleNameHint" }))
				.setTextInputComponent(name),
			new LabelBuilder()
				.setLabel(say(locale, { key: "styleWordsLabel" }))
				.setDescription(say(locale, { key: "styleWordsHint" }))
				.setTextInputComponent(words),
		);
}

export const styleSaved = defineComponent("modal", styleFormIds, async (interaction, { taskId }, services, logger) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	requireManager(interaction);
	const { order } = await services.jobs.source(jobRequesterOf(interaction), taskId, interaction.channelId);
	const { fields } = interaction;
	const style = styleFromRequest(order, fields.getTextInputValue("text"));
	await changeStyles(interaction, services, logger, (before) =>
		addStyle(before, fields.getTextInputValue("name"), style),
	);
});
