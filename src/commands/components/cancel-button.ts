import { MessageFlags } from "discord.js";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import { say } from "../../i18n/messages.ts";
import { defineComponent } from "./component.ts";
import { jobRequesterOf } from "../job-asker.ts";

/** Stops what is being made, for whoever asked for it and for moderators; the answer says what becomes of the credits. */
export const cancelTask = defineComponent(
	"button",
	taskButtonIds.cancel,
	async (interaction, { taskId }, { jobs }, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const saying = await jobs.cancel(jobRequesterOf(interaction), taskId, logger);
		await interaction.editReply({ content: say(interaction.locale, saying) });
	},
);
