/** The form in which a member edits the improved or denied prompt of a draft before it is used. */
import { taskCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import { UserError } from "../../services/user-error.ts";
import { defineButton, defineModal } from "../framework/component.ts";
import { submitDraft, deleteDraftMessage } from "./draft-buttons.ts";
import { deferAndReadId } from "../framework/defer-reply.ts";
import { INPUT_CHARS_MAX, promptField } from "../framework/form-fields.ts";
import { memberOf, roleIdsOf } from "../framework/invoking-member.ts";
import type { Submission } from "../../services/tasks/submission-service.ts";
import { requestChannelOf } from "../framework/interaction-channel.ts";
import { replyTargetOf } from "../framework/reply-targets.ts";
import { askForConfirmation, needsConfirmation, offerImprovedPrompt } from "../generation/draft-questions.ts";

export const openDraftForm = defineButton(taskCustomIds.editDraft, async (interaction, { taskId }, { drafts }) => {
	const { locale } = interaction;
	const draft = await drafts.read(memberOf(interaction), taskId);
	const { improvedPrompt = draft.submission.request.prompt } = draft;
	await interaction.showModal({
		custom_id: taskCustomIds.editDraft.encode({ taskId }),
		title: t(locale, { key: "form.improvedTitle" }),
		components: [promptField(locale, improvedPrompt.slice(0, INPUT_CHARS_MAX))],
	});
});

export const submitDraftForm = defineModal(taskCustomIds.editDraft, async (interaction, { taskId }, services) => {
	const prompt = interaction.fields.getTextInputValue("prompt").trim();
	if (plainLine(prompt, 1) === "") throw new UserError({ key: "request.promptEmpty" });
	const member = memberOf(interaction);
	const draft = await services.drafts.read(member, taskId);
	const { submission } = draft;
	// An improved prompt was shown with the price, a denied one was not.
	const isPriceKnown = draft.improvedPrompt !== undefined;
	const isToBeImproved = draft.isToBeImproved ?? false;
	const isConfirmed =
		isPriceKnown || !needsConfirmation(submission.request, await services.settings.read(member.guildId));
	if (isConfirmed && !isToBeImproved) return await submitDraft(interaction, taskId, services, prompt);
	const messageId = await deferAndReadId(interaction, { isEphemeral: true });
	const edited: Submission = {
		...submission,
		// An id of its own: the question is about the prompt that it shows.
		id: interaction.id,
		request: { ...submission.request, prompt },
		// The token of this form deletes the message of the new draft.
		reply: { ...submission.reply, ...replyTargetOf(interaction, messageId, submission.reply.isEphemeral) },
		roleIds: roleIdsOf(interaction),
		channel: requestChannelOf(interaction),
	};
	await services.drafts.decide(member, taskId, "edit");
	try {
		if (isToBeImproved) await offerImprovedPrompt(interaction, edited, services);
		else await askForConfirmation(interaction, edited, services);
	} catch (error) {
		await services.drafts.reopen(taskId);
		throw error;
	}
	await services.drafts.remove(taskId);
	await deleteDraftMessage(interaction, submission.reply, services.clock, services.logger);
});
