/** Saves the model and options of a result as a style: a message menu, then a modal for its name and text. */
import {
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	PermissionFlagsBits,
	TextInputBuilder,
	TextInputStyle,
} from "discord.js";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { styleFromRequest } from "../services/settings/apply-style.ts";
import { addStyle } from "../services/settings/styles.ts";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { JobService } from "../services/tasks/job-service.ts";
import type { MessageCommand } from "./command.ts";
import { defineComponent } from "./components/component.ts";
import { jobRequesterOf, requireManager } from "./invoking-member.ts";
import { taskIdOf } from "./task-from-message.ts";
import { changeStyles } from "./style-list.ts";
import { guildMessageCommand } from "./guild-command.ts";

const styleFormCustomId = defineCustomId("style", { taskId: idField.snowflake });

interface SaveStyleDeps {
	readonly jobs: JobService;
	readonly settings: GuildSettingsStore;
}

export const openStyleForm: MessageCommand<SaveStyleDeps> = {
	definition: guildMessageCommand("menu.saveStyle")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.toJSON(),
	async execute(interaction, { jobs }) {
		requireManager(interaction);
		const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
		if (taskId === undefined) throw new UserError({ key: "style.notOurs" });
		// Denies before the modal opens, rather than after the member has filled it in.
		await jobs.requireSource(jobRequesterOf(interaction), taskId, interaction.channelId);
		await interaction.showModal(styleForm(taskId, interaction.locale));
	},
};

function styleForm(taskId: string, locale: string): ModalBuilder {
	const nameInput = new TextInputBuilder()
		.setCustomId("name")
		.setStyle(TextInputStyle.Short)
		.setMaxLength(STYLE_NAME_CHARS_MAX)
		.setRequired(true);
	const textInput = new TextInputBuilder()
		.setCustomId("text")
		.setStyle(TextInputStyle.Paragraph)
		.setMaxLength(STYLE_CHARS_MAX)
		.setRequired(false);
	return new ModalBuilder()
		.setCustomId(styleFormCustomId.encode({ taskId }))
		.setTitle(t(locale, { key: "menu.saveStyle" }))
		.addLabelComponents(
			new LabelBuilder()
				.setLabel(t(locale, { key: "form.styleNameLabel" }))
				.setDescription(t(locale, { key: "form.styleNameHint" }))
				.setTextInputComponent(nameInput),
			new LabelBuilder()
				.setLabel(t(locale, { key: "form.styleWordsLabel" }))
				.setDescription(t(locale, { key: "form.styleWordsHint" }))
				.setTextInputComponent(textInput),
		);
}

export const saveStyle = defineComponent(
	"modal",
	styleFormCustomId,
	async (interaction, { taskId }, deps: SaveStyleDeps, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		requireManager(interaction);
		const { request } = await deps.jobs.requireSource(jobRequesterOf(interaction), taskId, interaction.channelId);
		const { fields } = interaction;
		const style = styleFromRequest(request, fields.getTextInputValue("text"));
		await changeStyles(interaction, deps, logger, (before) =>
			addStyle(before, fields.getTextInputValue("name"), style),
		);
	},
);
