/** A finished picture as the beginning of another: what it shall become is said in a form. */
import { LabelBuilder, MessageFlags, ModalBuilder, TextInputBuilder, TextInputStyle } from "discord.js";
import { taskButtonIds } from "../discord/task-buttons.ts";
import { takesPicture } from "../services/generation/order.ts";
import { motionOf } from "../services/generation/wish-again.ts";
import { say } from "../services/messages/messages.ts";
import { UserError } from "../services/user-error.ts";
import { control } from "./control.ts";
import { askerOf } from "./job-asker.ts";
import { make } from "./make.ts";
import { pictureUrlOf } from "./picture.ts";

/** Discord's bound for a text field. */
const TEXT_CHARS_MAX = 4000;

export const openInput = control("button", taskButtonIds.input, async (interaction, { taskId }, services) => {
	// Said before anybody has typed, rather than after.
	await services.jobs.source(askerOf(interaction), taskId, interaction.channelId);
	pictureUrlOf(interaction.message);
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
	const form = new ModalBuilder()
		.setCustomId(taskButtonIds.input.write({ taskId }))
		.setTitle(say(locale, { key: "editInputTitle" }))
		.addLabelComponents(prompt);
	await interaction.showModal(form);
});

/** By the first model of the server that takes a picture, in the picture's own shape where the model makes that. */
export const inputUsed = control("modal", taskButtonIds.input, async (interaction, { taskId }, services, logger) => {
	const { order } = await services.jobs.source(askerOf(interaction), taskId, interaction.channelId);
	const { message } = interaction;
	if (!message) throw new UserError({ key: "noPicture" });
	const pictureUrl = pictureUrlOf(message);
	const prompt = interaction.fields.getTextInputValue("prompt");
	await make(interaction, services, logger, {
		wanted: message.flags.has(MessageFlags.Ephemeral) || null,
		wish: () => ({
			mediaType: "image",
			model: null,
			mayBe: takesPicture,
			wishes: (model) => motionOf(prompt, order, model, pictureUrl),
			style: null,
		}),
	});
});
