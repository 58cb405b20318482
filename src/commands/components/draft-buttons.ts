/** Confirms or declines a draft. */
import { InteractionWebhook, type ButtonInteraction, type ModalSubmitInteraction } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { cardReply, text } from "../../discord/card.ts";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import type { ReplyTarget } from "../../services/delivery/reply-target.ts";
import { isTokenAlive } from "../../services/delivery/delivery-routes.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "../framework/command.ts";
import { defineButton } from "../framework/component.ts";
import { deferAndReadId } from "../framework/defer-reply.ts";
import { requestChannelOf } from "../framework/interaction-channel.ts";
import { replyTargetOf } from "../framework/reply-targets.ts";
import { memberOf, roleIdsOf } from "../framework/invoking-member.ts";
import type { CommandServices } from "../command-services.ts";

export const confirmDraft = defineButton(taskCustomIds.confirm, (interaction, { taskId }, services) =>
	submitDraft(interaction, taskId, services),
);

/** Submits the draft that the member confirmed. `prompt` replaces its prompt. */
export async function submitDraft(
	interaction: ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>,
	draftId: string,
	{ clock, drafts, submissions, logger }: CommandServices,
	prompt?: string,
): Promise<void> {
	const submission = await drafts.decide(memberOf(interaction), draftId, "confirm");
	const { isEphemeral } = submission.reply;
	// The question is ephemeral, so the result needs a reply of its own.
	const messageId = await deferAndReadId(interaction, { isEphemeral });
	const reply = replyTargetOf(interaction, messageId, isEphemeral);
	const request = prompt === undefined ? submission.request : { ...submission.request, prompt };
	const roleIds = roleIdsOf(interaction);
	const channel = requestChannelOf(interaction);
	let isNew: boolean;
	try {
		isNew = await submissions.submit({ ...submission, request, reply, roleIds, channel }, logger);
	} catch (error) {
		// After any other error the task may exist: the member can confirm again, but no longer decline.
		if (error instanceof UserError) await drafts.reopen(draftId);
		throw error;
	}
	await drafts.remove(draftId);
	// A second press; the first one has created the task.
	if (!isNew) throw new UserError({ key: "request.confirmationGone" });
	await deleteDraftMessage(interaction, submission.reply, clock, logger);
}

export const declineDraft = defineButton(
	taskCustomIds.decline,
	async (interaction, { taskId }, { drafts, commandMentions }) => {
		const { locale } = interaction;
		await interaction.deferUpdate();
		await drafts.decide(memberOf(interaction), taskId, "decline");
		await drafts.remove(taskId);
		await interaction.editReply(cardReply([text(commandMentions.say(locale, { key: "request.declined" }))]));
	},
);

/** Deletes the message that shows a draft, with the token of the command that sent it, while that is valid. */
export async function deleteDraftMessage(
	{ client, message }: ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>,
	reply: ReplyTarget,
	clock: Clock,
	logger: Logger,
): Promise<void> {
	if (!message || !isTokenAlive(reply, clock.nowMs())) return;
	try {
		await new InteractionWebhook(client, reply.applicationId, reply.token).deleteMessage(message.id);
	} catch (error) {
		logger.warn({ err: error }, "message of a draft not deleted");
	}
}
