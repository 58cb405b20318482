import { MessageFlags } from "discord.js";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import { say } from "../../i18n/messages.ts";
import { defineComponent } from "./component.ts";
import { jobRequesterOf } from "../job-asker.ts";

/** Takes a result out of its channel, for whoever asked for it and for moderators. What it cost stays in the books. */
export const deleteResult = defineComponent(
	"button",
	taskButtonIds.delete,
	async (interaction, { taskId }, { jobs }, logger) => {
		const { message, locale, user } = interaction;
		// Who asked for it stands in the message, long after the task is forgotten.
		const result = { id: message.id, askedById: message.interactionMetadata?.user.id };
		await jobs.requireRemover(jobRequesterOf(interaction), taskId, result);
		await interaction.deferUpdate();
		await interaction.deleteReply();
		logger.info({ taskId, userId: user.id }, "result deleted");
		await interaction.followUp({ content: say(locale, { key: "resultDeleted" }), flags: MessageFlags.Ephemeral });
	},
);
