/** Deletes a result from its channel, for its member or a moderator, after one question. The charge stays. */
import {
	ComponentType,
	MessageFlags,
	type APIModalInteractionResponseCallbackData,
	type ButtonInteraction,
	type Message,
	type ModalSubmitInteraction,
} from "discord.js";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import { deleteReply } from "../framework/reply-privately.ts";
import { isChannelModerator, memberOf } from "../framework/invoking-member.ts";
import type { InGuild } from "../framework/command.ts";
import { defineButton, defineModal } from "../framework/component.ts";

export const openDeleteForm = defineButton(taskCustomIds.delete, async (interaction, { taskId }, { resultAccess }) => {
	const { locale, message } = interaction;
	await resultAccess.requireMessageDeletable(deleterOf(interaction), taskId, resultOf(message));
	await interaction.showModal(deleteForm(taskCustomIds.delete.encode({ taskId }), locale));
});

export const deleteResultMessage = defineModal(
	taskCustomIds.delete,
	async (interaction, { taskId }, { resultAccess, resultDeletion, commandMentions, logger }) => {
		const { message, locale, user } = interaction;
		if (!message) throw new UserError({ key: "request.unknownButton" });
		const task = await resultAccess.requireMessageDeletable(deleterOf(interaction), taskId, resultOf(message));
		await interaction.deferUpdate();
		await deleteReply(interaction);
		if (task) await resultDeletion.completeDeletion(user.id, task, logger);
		logger.info({ taskId, userId: user.id }, "result deleted");
		const content = commandMentions.say(locale, { key: "privacy.resultDeleted" });
		await interaction.followUp({ content, flags: MessageFlags.Ephemeral });
	},
);

/** Members who may delete messages of the channel may delete this one. */
function deleterOf(interaction: ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>) {
	return { ...memberOf(interaction), mayDeleteOthers: isChannelModerator(interaction) };
}

export function deleteForm(customId: string, locale: string): APIModalInteractionResponseCallbackData {
	return {
		custom_id: customId,
		title: t(locale, { key: "form.deleteTitle" }),
		components: [{ type: ComponentType.TextDisplay, content: t(locale, { key: "result.deleteQuestion" }) }],
	};
}

/** Reads whose result a message shows. Discord stores the requester in the message, so it is known even after the task has been removed. */
function resultOf({ id, interactionMetadata }: Pick<Message, "id" | "interactionMetadata">) {
	return { id, requesterId: interactionMetadata?.user.id };
}
