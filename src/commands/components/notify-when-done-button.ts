import { MessageFlags } from "discord.js";
import { taskButtonCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { jobRequesterOf } from "../invoking-member.ts";
import type { JobService } from "../../services/tasks/job-service.ts";
import { defineComponent } from "./component.ts";

/** Notes that the member of a task wants a mention at its end. */
export const notifyWhenDone = defineComponent(
	"button",
	taskButtonCustomIds.ping,
	async (interaction, { taskId }, { jobs }: { readonly jobs: Pick<JobService, "requestNotification"> }) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const isNoted = await jobs.requestNotification(jobRequesterOf(interaction), taskId);
		const key = isNoted ? "progress.pingNoted" : "progress.pingTooLate";
		await interaction.editReply({ content: t(interaction.locale, { key }) });
	},
);
