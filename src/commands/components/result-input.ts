/** A finished picture as the beginning of another: what it shall become is said in a form. */
import {
	LabelBuilder,
	MessageFlags,
	ModalBuilder,
	TextInputBuilder,
	TextInputStyle,
	type ButtonInteraction,
	type ModalSubmitInteraction,
	type StringSelectMenuInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { imageFormIds } from "../../discord/image-menu.ts";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import { takesImage } from "../../services/generation/request.ts";
import { motionOf } from "../../services/generation/derive-request.ts";
import { say } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild, Services } from "../command.ts";
import { defineComponent } from "./component.ts";
import { jobRequesterOf } from "../job-asker.ts";
import { startGeneration } from "../start-generation.ts";
import { imageUrlOf } from "../image-attachment.ts";

/** Discord's bound for a text field. */
const TEXT_CHARS_MAX = 4000;

export const openInput = defineComponent("button", taskButtonIds.input, (interaction, { taskId }, services) =>
	showInputForm(interaction, taskId, services),
);

/** `picture`: which of several, from 0. */
export async function showInputForm(
	interaction: ButtonInteraction<InGuild> | StringSelectMenuInteraction<InGuild>,
	taskId: string,
	services: Services,
	picture?: number,
): Promise<void> {
	// Said before anybody has typed, rather than after.
	await services.jobs.source(jobRequesterOf(interaction), taskId, interaction.channelId);
	imageUrlOf(interaction.message, picture);
	const { locale } = interaction;
	const prompt = new LabelBuilder()
		.setLabel(say(locale, { key: "editPrompt" }))
		.setTextInputComponent(
			new TextInputBuilder()
				.setCustomId("prompt")
				.setStyle(TextInputStyle.Paragraph)
				.setMaxLength(TEXT_CHARS_MAX)
				.setRequired(true),
		);
	const customId =
		picture === undefined
			? taskButtonIds.input.write({ taskId })
			: imageFormIds.write({ taskId, picture: String(picture) as "0" });
	const form = new ModalBuilder()
		.setCustomId(customId)
		.setTitle(say(locale, { key: "editInputTitle" }))
		.addLabelComponents(prompt);
	await interaction.showModal(form);
}

export const inputUsed = defineComponent("modal", taskButtonIds.input, (interaction, { taskId }, services, logger) =>
	makeOfInput(interaction, taskId, 0, services, logger),
);

export const imageInputUsed = defineComponent("modal", imageFormIds, (interaction, values, services, logger) =>
	makeOfInput(interaction, values.taskId, Number(values.picture), services, logger),
);

/** By the first model of the server that takes a picture, in the picture's own shape where the model makes that. */
async function makeOfInput(
	interaction: ModalSubmitInteraction<InGuild>,
	taskId: string,
	picture: number,
	services: Services,
	logger: Logger,
): Promise<void> {
	const { order } = await services.jobs.source(jobRequesterOf(interaction), taskId, interaction.channelId);
	const { message } = interaction;
	if (!message) throw new UserError({ key: "noPicture" });
	const pictureUrl = imageUrlOf(message, picture);
	const prompt = interaction.fields.getTextInputValue("prompt");
	await startGeneration(interaction, services, logger, {
		wanted: message.flags.has(MessageFlags.Ephemeral) || null,
		wish: () => ({
			mediaType: "image",
			model: null,
			mayBe: takesImage,
			wishes: (model) => motionOf(prompt, order, model, pictureUrl),
			style: null,
		}),
	});
}
