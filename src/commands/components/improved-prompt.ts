/** Improves the prompt of a result, and generates with an improved prompt after the member has seen and edited it. */
import { LabelBuilder, ModalBuilder, TextInputBuilder, TextInputStyle } from "discord.js";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import { UserError } from "../../services/user-error.ts";
import { defineComponent } from "./component.ts";
import { generateConfirmed, type ConfirmationDeps } from "./confirmation.ts";
import { generateFrom, repeatSpec } from "./result-actions.ts";
import type { ResultDeps } from "../start-generation.ts";

/** Discord's maximum for a text input. */
const TEXT_CHARS_MAX = 4000;

export const improvePrompt = defineComponent(
	"button",
	taskButtonIds.improve,
	(interaction, { taskId }, deps: ResultDeps, logger) =>
		generateFrom(interaction, taskId, { action: "improve", isImproved: true }, deps, logger, (task) =>
			repeatSpec(task, deps),
		),
);

export const openImproved = defineComponent(
	"button",
	taskButtonIds.useImproved,
	async (interaction, { taskId }, { confirmations }: Pick<ConfirmationDeps, "confirmations">) => {
		const { guildId, user, locale } = interaction;
		const { request, improvedPrompt = request.request.prompt } = await confirmations.read(guildId, user.id, taskId);
		const prompt = new LabelBuilder()
			.setLabel(t(locale, { key: "form.prompt" }))
			.setTextInputComponent(
				new TextInputBuilder()
					.setCustomId("prompt")
					.setStyle(TextInputStyle.Paragraph)
					.setMaxLength(TEXT_CHARS_MAX)
					.setRequired(true)
					.setValue(improvedPrompt.slice(0, TEXT_CHARS_MAX)),
			);
		const form = new ModalBuilder()
			.setCustomId(taskButtonIds.useImproved.write({ taskId }))
			.setTitle(t(locale, { key: "form.improvedTitle" }))
			.addLabelComponents(prompt);
		await interaction.showModal(form);
	},
);

export const improvedUsed = defineComponent(
	"modal",
	taskButtonIds.useImproved,
	async (interaction, { taskId }, deps: ConfirmationDeps, logger) => {
		const prompt = interaction.fields.getTextInputValue("prompt").trim();
		if (plainLine(prompt, 1) === "") throw new UserError({ key: "request.promptEmpty" });
		await generateConfirmed(interaction, taskId, deps, logger, prompt);
	},
);
