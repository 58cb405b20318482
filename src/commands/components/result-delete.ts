/** Deletes a result from its channel, for its member or a moderator, after one question. The charge stays. */
import {
	ComponentType,
	MessageFlags,
	type APIModalInteractionResponseCallbackData,
	type ButtonInteraction,
	type Message,
	type ModalSubmitInteraction,
} from "discord.js";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import { UserError } from "../../services/user-error.ts";
import { deleteReply } from "../framework/reply-privately.ts";
import { isChannelModerator, isModerator, memberOf } from "../framework/invoking-member.ts";
import type { InGuild } from "../framework/command.ts";
import { defineButton, defineModal } from "../framework/component.ts";
import type { CommandServices } from "../command-services.ts";

/** Discord accepts a form for three seconds after the press. */
const MODERATOR_READ_MS_MAX = 1_500;

export const openDeleteForm = defineButton(taskCustomIds.delete, async (interaction, { taskId }, services) => {
	const { locale, message, user } = interaction;
	const task = await services.resultAccess.requireMessageDeletable(deleterOf(interaction), taskId, resultOf(message));
	const removesFiles =
		task !== undefined && task.userId !== user.id && (await moderatesOrUnknown(interaction, services));
	await interaction.showModal(deleteForm(taskCustomIds.delete.encode({ taskId }), removesFiles, locale));
});

export const deleteResultMessage = defineModal(taskCustomIds.delete, async (interaction, { taskId }, services) => {
	const { resultAccess, resultDeletion, commandMentions, logger } = services;
	const { message, locale, user } = interaction;
	if (!message) throw new UserError({ key: "request.unknownButton" });
	const task = await resultAccess.requireMessageDeletable(deleterOf(interaction), taskId, resultOf(message));
	await interaction.deferUpdate();
	// Asked only if it decides about files, and before the deletion: Discord may not answer.
	const mayRemoveFiles = task !== undefined && task.userId !== user.id && (await isModerator(interaction, services));
	await deleteReply(interaction);
	const actor = { ...memberOf(interaction), isModerator: mayRemoveFiles };
	if (task) await resultDeletion.completeDeletion(actor, task, logger);
	logger.info({ taskId, userId: user.id }, "result deleted");
	const content = commandMentions.say(locale, { key: "privacy.resultDeleted" });
	await interaction.followUp({ content, flags: MessageFlags.Ephemeral });
});

/** Members who may delete messages of the channel may delete this one. */
function deleterOf(interaction: ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>) {
	return { ...memberOf(interaction), mayDeleteOthers: isChannelModerator(interaction) };
}

/** The member is warned of the deletion of files if Discord does not answer, or not in time. */
async function moderatesOrUnknown(
	interaction: ButtonInteraction<InGuild>,
	services: CommandServices,
): Promise<boolean> {
	const read = isModerator(interaction, services).catch((error: unknown) => {
		if (error instanceof DirectoryUnavailableError) return true;
		throw error;
	});
	return (await waitAtMost(services.clock, MODERATOR_READ_MS_MAX, read)) ?? true;
}

export function deleteForm(
	customId: string,
	removesFiles: boolean,
	locale: string,
): APIModalInteractionResponseCallbackData {
	return {
		custom_id: customId,
		title: t(locale, { key: "form.deleteTitle" }),
		components: [
			{
				type: ComponentType.TextDisplay,
				content: t(locale, { key: "result.deleteQuestion", params: { removesFiles } }),
			},
		],
	};
}

/** Reads whose result a message shows. Discord stores the requester in the message, so it is known even after the task has been removed. */
function resultOf({ id, interactionMetadata }: Pick<Message, "id" | "interactionMetadata">) {
	return { id, requesterId: interactionMetadata?.user.id };
}
