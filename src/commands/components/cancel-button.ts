import { MessageFlags } from "discord.js";
import { taskButtonCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { defineComponent } from "./component.ts";
import { jobRequesterOf } from "../invoking-member.ts";
import type { JobService } from "../../services/tasks/job-service.ts";

/** Cancels a task for its member or a moderator. The reply says what happens to the credits. */
export const cancelTask = defineComponent(
	"button",
	taskButtonCustomIds.cancel,
	async (interaction, { taskId }, { jobs }: { readonly jobs: JobService }, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const message = await jobs.cancel(jobRequesterOf(interaction), taskId, logger);
		await interaction.editReply({ content: t(interaction.locale, message) });
	},
);
