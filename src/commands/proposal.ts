/** Whether something that costs much shall be made, decided by whoever asked for it. */
import { taskButtonIds } from "../discord/task-buttons.ts";
import { say } from "../services/messages/messages.ts";
import { control } from "./control.ts";
import { replyTargetOf } from "./make.ts";
import { roleIdsOf } from "./member.ts";

export const confirmProposal = control(
	"button",
	taskButtonIds.confirm,
	async (interaction, values, services, logger) => {
		const { guildId, user, message } = interaction;
		const { proposals, tasks } = services;
		const request = await proposals.find(guildId, user.id, values.taskId);
		// The message of the question becomes the result's: what is refused now leaves it as it is.
		await interaction.deferUpdate();
		const reply = {
			...replyTargetOf(interaction, message.id, request.reply.ephemeral),
			...(request.reply.spoiler !== undefined && { spoiler: request.reply.spoiler }),
		};
		await tasks.submit({ ...request, reply, roleIds: roleIdsOf(interaction) }, logger);
		await proposals.remove(values.taskId);
	},
);

export const declineProposal = control(
	"button",
	taskButtonIds.decline,
	async (interaction, { taskId }, { proposals }) => {
		const { guildId, user } = interaction;
		// Of the question, which the answer takes the place of.
		const { locale } = await proposals.find(guildId, user.id, taskId);
		await proposals.remove(taskId);
		await interaction.update({ content: say(locale, { key: "proposalDeclined" }), components: [] });
	},
);
