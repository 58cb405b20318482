/** Whether something that costs much shall be made, decided by whoever asked for it. */
import { taskButtonIds } from "../discord/task-buttons.ts";
import { say } from "../services/messages/messages.ts";
import { UserError } from "../services/user-error.ts";
import { control } from "./control.ts";
import { replyTargetOf } from "./make.ts";
import { roleIdsOf } from "./member.ts";

export const confirmProposal = control(
	"button",
	taskButtonIds.confirm,
	async (interaction, values, services, logger) => {
		const { guildId, user, message } = interaction;
		const { proposals, tasks } = services;
		const request = await proposals.decide(guildId, user.id, values.taskId, "make");
		// The message of the question becomes the result's: what is refused now leaves it as it is.
		await interaction.deferUpdate();
		const reply = {
			...replyTargetOf(interaction, message.id, request.reply.ephemeral),
			...(request.reply.spoiler !== undefined && { spoiler: request.reply.spoiler }),
		};
		try {
			await tasks.submit({ ...request, reply, roleIds: roleIdsOf(interaction) }, logger);
		} catch (error) {
			// After anything else it may have been started: then it can be confirmed once more, and not left any more.
			if (error instanceof UserError) await proposals.reopen(values.taskId);
			throw error;
		}
		await proposals.remove(values.taskId);
	},
);

export const declineProposal = control(
	"button",
	taskButtonIds.decline,
	async (interaction, { taskId }, { proposals }) => {
		const { guildId, user } = interaction;
		await interaction.deferUpdate();
		// Of the question, which the answer takes the place of.
		const { locale } = await proposals.decide(guildId, user.id, taskId, "leave");
		await proposals.remove(taskId);
		await interaction.editReply({ content: say(locale, { key: "proposalDeclined" }), components: [] });
	},
);
