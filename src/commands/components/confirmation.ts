/** Whether something that costs much shall be made, decided by whoever asked for it. */
import { InteractionWebhook, type ButtonInteraction } from "discord.js";
import type { Logger } from "pino";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import type { ReplyTarget } from "../../services/delivery/reply-client.ts";
import { isTokenAlive } from "../../services/delivery/available-routes.ts";
import { say } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "../command.ts";
import { defineComponent } from "./component.ts";
import { deferReply } from "../defer-reply.ts";
import { replyTargetOf } from "../start-generation.ts";
import { roleIdsOf } from "../member.ts";

export const confirmTask = defineComponent(
	"button",
	taskButtonIds.confirm,
	async (interaction, values, services, logger) => {
		const { guildId, user } = interaction;
		const { clock, confirmations, tasks } = services;
		const request = await confirmations.decide(guildId, user.id, values.taskId, "make");
		const { ephemeral: isPrivate, spoiler } = request.reply;
		// The question is ephemeral: the result is a reply of its own.
		const messageId = await deferReply(interaction, { isPrivate });
		const reply = {
			...replyTargetOf(interaction, messageId, isPrivate),
			...(spoiler !== undefined && { spoiler }),
		};
		let isNew: boolean;
		try {
			isNew = await tasks.submit({ ...request, reply, roleIds: roleIdsOf(interaction) }, logger);
		} catch (error) {
			// After anything else it may have been started: then it can be confirmed once more, and not left any more.
			if (error instanceof UserError) await confirmations.reopen(values.taskId);
			throw error;
		}
		await confirmations.remove(values.taskId);
		// Pressed twice: the task answers the other press.
		if (!isNew) throw new UserError({ key: "proposalGone" });
		if (isTokenAlive(request.reply, clock.nowMs())) await removeQuestion(interaction, request.reply, logger);
	},
);

export const declineTask = defineComponent(
	"button",
	taskButtonIds.decline,
	async (interaction, { taskId }, { confirmations }) => {
		const { guildId, locale, user } = interaction;
		await interaction.deferUpdate();
		await confirmations.decide(guildId, user.id, taskId, "leave");
		await confirmations.remove(taskId);
		await interaction.editReply({ content: say(locale, { key: "proposalDeclined" }), components: [] });
	},
);

/** Deletes the answered question, by the token of the command that it belongs to. */
async function removeQuestion(
	{ client, message }: ButtonInteraction<InGuild>,
	{ applicationId, token }: Pick<ReplyTarget, "applicationId" | "token">,
	logger: Logger,
): Promise<void> {
	try {
		await new InteractionWebhook(client, applicationId, token).deleteMessage(message.id);
	} catch (error) {
		logger.warn({ err: error }, "answered question not deleted");
	}
}
