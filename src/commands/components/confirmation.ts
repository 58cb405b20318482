/** Confirms or declines a task that costs more than the server's limit. */
import { InteractionWebhook, type ButtonInteraction } from "discord.js";
import type { Logger } from "pino";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import type { ReplyTarget } from "../../services/delivery/reply-client.ts";
import { isTokenAlive } from "../../services/delivery/delivery-routes.ts";
import { t } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "../command.ts";
import { defineComponent } from "./component.ts";
import { deferReply } from "../defer-reply.ts";
import { replyTargetOf, type GenerationDeps } from "../start-generation.ts";
import { roleIdsOf } from "../invoking-member.ts";

type ConfirmationDeps = Pick<GenerationDeps, "clock" | "confirmations" | "tasks">;

export const confirmTask = defineComponent(
	"button",
	taskButtonIds.confirm,
	async (interaction, values, deps: ConfirmationDeps, logger) => {
		const { guildId, user } = interaction;
		const { clock, confirmations, tasks } = deps;
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
			// After any other error the task may exist: the member can confirm again, but no longer decline.
			if (error instanceof UserError) await confirmations.reopen(values.taskId);
			throw error;
		}
		await confirmations.remove(values.taskId);
		// A second press; the first one has created the task.
		if (!isNew) throw new UserError({ key: "request.confirmationGone" });
		if (isTokenAlive(request.reply, clock.nowMs())) await removeQuestion(interaction, request.reply, logger);
	},
);

export const declineTask = defineComponent(
	"button",
	taskButtonIds.decline,
	async (interaction, { taskId }, { confirmations }: Pick<ConfirmationDeps, "confirmations">) => {
		const { guildId, locale, user } = interaction;
		await interaction.deferUpdate();
		await confirmations.decide(guildId, user.id, taskId, "leave");
		await confirmations.remove(taskId);
		await interaction.editReply({ content: t(locale, { key: "request.declined" }), components: [] });
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
