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
import { pictureFormIds } from "../discord/picture-menu.ts";
import { taskButtonIds } from "../discord/task-buttons.ts";
import { takesPicture } from "../services/generation/order.ts";
import { motionOf } from "../services/generation/wish-again.ts";
import { say } from "../services/messages/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { InServer, Services } from "./command.ts";
import { control } from "./control.ts";
import { askerOf } from "./job-asker.ts";
import { make } from "./make.ts";
import { pictureUrlOf } from "./picture.ts";

/** Discord's bound for a text field. */
const TEXT_CHARS_MAX = 4000;

export const openInput = control("button", taskButtonIds.input, (interaction, { taskId }, services) =>
	showInputForm(interaction, taskId, services),
);

/** `picture`: which of several, from 0. */
export async function showInputForm(
	interaction: ButtonInteraction<InServer> | StringSelectMenuInteraction<InServer>,
	taskId: string,
	services: Services,
	picture?: number,
): Promise<void> {
	// Said before anybody has typed, rather than after.
	await services.jobs.source(askerOf(interaction), taskId, interaction.channelId);
	pictureUrlOf(interaction.message, picture);
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
			: pictureFormIds.write({ taskId, picture: String(picture) as "0" });
	const form = new ModalBuilder()
		.setCustomId(customId)
		.setTitle(say(locale, { key: "editInputTitle" }))
		.addLabelComponents(prompt);
	await interaction.showModal(form);
}

export const inputUsed = control("modal", taskButtonIds.input, (interaction, { taskId }, services, logger) =>
	makeOfInput(interaction, taskId, 0, services, logger),
);

export const pictureInputUsed = control("modal", pictureFormIds, (interaction, values, services, logger) =>
	makeOfInput(interaction, values.taskId, Number(values.picture), services, logger),
);

/** By the first model of the server that takes a picture, in the picture's own shape where the model makes that. */
async function makeOfInput(
	interaction: ModalSubmitInteraction<InServer>,
	taskId: string,
	picture: number,
	services: Services,
	logger: Logger,
): Promise<void> {
	const { order } = await services.jobs.source(askerOf(interaction), taskId, interaction.channelId);
	const { message } = interaction;
	if (!message) throw new UserError({ key: "noPicture" });
	const pictureUrl = pictureUrlOf(message, picture);
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
}
