import { MessageFlags } from "discord.js";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { defineComponent } from "./component.ts";
import { jobRequesterOf } from "../invoking-member.ts";
import type { JobService } from "../../services/tasks/job-service.ts";

/** Deletes a result from its channel for its member or a moderator. The charge stays. */
export const deleteResult = defineComponent(
	"button",
	taskButtonIds.delete,
	async (interaction, { taskId }, { jobs }: { readonly jobs: JobService }, logger) => {
		const { message, locale, user } = interaction;
		// The message names its member also after the task has been removed.
		const result = { id: message.id, requesterId: message.interactionMetadata?.user.id };
		await jobs.requireRemover(jobRequesterOf(interaction), taskId, result);
		await interaction.deferUpdate();
		await interaction.deleteReply();
		logger.info({ taskId, userId: user.id }, "result deleted");
		await interaction.followUp({ content: t(locale, { key: "privacy.resultDeleted" }), flags: MessageFlags.Ephemeral });
	},
);
