/** Saves the model and options of a result as a style: a message menu, then a modal for its name and text. */
import {
	MessageFlags,
	PermissionFlagsBits,
	TextInputStyle,
	type APIModalInteractionResponseCallbackData,
} from "discord.js";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX } from "@atelier/dashboard/limits";
import { FIRST_READS_MS_MAX } from "../services/settings/result-privacy.ts";
import { addStyle, styleFromRequest } from "../services/settings/styles.ts";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import { defineMessageCommand } from "./framework/command.ts";
import { defineModal } from "./framework/component.ts";
import { labelFor, textInput } from "./framework/form-fields.ts";
import { requireManager, viewerOf } from "./framework/invoking-member.ts";
import { taskIdOf } from "./framework/task-from-message.ts";
import { changeStyles } from "./style.ts";

const styleFormCustomId = defineCustomId("style", { taskId: idField.snowflake });

export const openStyleForm = defineMessageCommand(
	"menu.saveStyle",
	async (interaction, { resultAccess, botUserId, clock }) => {
		requireManager(interaction);
		const taskId = taskIdOf(interaction.targetMessage, botUserId());
		if (taskId === undefined) throw new UserError({ key: "style.notOurs" });
		// Throws before the modal opens, rather than after the member has filled it in. A late denial is left to the modal's handler.
		await waitAtMost(clock, FIRST_READS_MS_MAX, resultAccess.requireVisible(viewerOf(interaction), taskId));
		await interaction.showModal(styleForm(taskId, interaction.locale));
	},
	PermissionFlagsBits.ManageGuild,
);

function styleForm(taskId: string, locale: string): APIModalInteractionResponseCallbackData {
	const name = textInput("name", "", STYLE_NAME_CHARS_MAX, { style: TextInputStyle.Short, required: true });
	const text = textInput("text", "", STYLE_CHARS_MAX, { style: TextInputStyle.Paragraph });
	return {
		custom_id: styleFormCustomId.encode({ taskId }),
		title: t(locale, { key: "menu.saveStyle" }),
		components: [
			labelFor(locale, { key: "form.styleNameLabel" }, name, { key: "form.styleNameHint" }),
			labelFor(locale, { key: "form.styleWordsLabel" }, text, { key: "form.styleWordsHint" }),
		],
	};
}

export const saveStyle = defineModal(styleFormCustomId, async (interaction, { taskId }, services) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	requireManager(interaction);
	const { request } = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	const { fields } = interaction;
	const style = styleFromRequest(request, fields.getTextInputValue("text"));
	await changeStyles(interaction, services, (before) => addStyle(before, fields.getTextInputValue("name"), style));
});
