/** Improves the prompt of a result. The member edits an improved or denied prompt in a form before it is used. */
import { taskButtonCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import { UserError } from "../../services/user-error.ts";
import { defineComponent } from "../framework/component.ts";
import { generateConfirmed, removeQuestion } from "./confirmation.ts";
import { deferReply } from "../framework/defer-reply.ts";
import { INPUT_CHARS_MAX, promptField } from "../framework/form-fields.ts";
import { generateFromResult, regenerationSpec } from "./result-actions.ts";
import { roleIdsOf } from "../framework/invoking-member.ts";
import {
	askForConfirmation,
	needsConfirmation,
	replyTargetOf,
	type ConfirmationDeps,
	type ResultDeps,
} from "../generation/start-generation.ts";

export const improvePrompt = defineComponent(
	"button",
	taskButtonCustomIds.improve,
	(interaction, { taskId }, deps: ResultDeps, logger) =>
		generateFromResult(interaction, taskId, { action: "improve", offersImprovedPrompt: true }, deps, logger, (task) =>
			regenerationSpec(task, deps),
		),
);

export const openDraftForm = defineComponent(
	"button",
	taskButtonCustomIds.editDraft,
	async (interaction, { taskId }, { unconfirmedRequests }: Pick<ConfirmationDeps, "unconfirmedRequests">) => {
		const { guildId, user, locale } = interaction;
		const { request, improvedPrompt = request.request.prompt } = await unconfirmedRequests.read(
			guildId,
			user.id,
			taskId,
		);
		await interaction.showModal({
			custom_id: taskButtonCustomIds.editDraft.encode({ taskId }),
			title: t(locale, { key: "form.improvedTitle" }),
			components: [promptField(locale, improvedPrompt.slice(0, INPUT_CHARS_MAX))],
		});
	},
);

export const generateFromDraft = defineComponent(
	"modal",
	taskButtonCustomIds.editDraft,
	async (interaction, { taskId }, deps: ConfirmationDeps, logger) => {
		const prompt = interaction.fields.getTextInputValue("prompt").trim();
		if (plainLine(prompt, 1) === "") throw new UserError({ key: "request.promptEmpty" });
		const { guildId, user } = interaction;
		const { request: task, improvedPrompt } = await deps.unconfirmedRequests.read(guildId, user.id, taskId);
		// An improved prompt was shown with the price, a denied one was not.
		const isPriceKnown = improvedPrompt !== undefined;
		if (isPriceKnown || !needsConfirmation(task.request, await deps.settings.read(guildId)))
			return await generateConfirmed(interaction, taskId, deps, logger, prompt);
		const messageId = await deferReply(interaction, { isEphemeral: true });
		// The token of this form deletes the answered question.
		const reply = { ...task.reply, ...replyTargetOf(interaction, messageId, task.reply.isEphemeral) };
		// An id of its own: the question confirms the prompt that it shows.
		const { id } = interaction;
		const edited = { ...task, id, request: { ...task.request, prompt }, reply, roleIds: roleIdsOf(interaction) };
		await askForConfirmation(interaction, edited, deps, logger);
		await deps.unconfirmedRequests.remove(taskId);
		await removeQuestion(interaction, task.reply, deps.clock, logger);
	},
);
