/** Buttons and menus under a result that start another generation. They cost and check the same as the command. */
import { MessageFlags, type Message, type RepliableInteraction } from "discord.js";
import { CARD_FLAG, cardReply, galleryOfUrls, text } from "../../discord/card.ts";
import { imageChoiceCustomId, taskCustomIds, taskButtonRows } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { altText } from "../../services/delivery/stored-files.ts";
import { imageButtons } from "../../services/tasks/result-buttons.ts";
import type { ImageAction, TaskAction } from "../../services/delivery/task-actions.ts";
import { modelOf } from "../../services/generation/model-catalog.ts";
import { imageInputOf, regenerationOf, upscaleOf, variationOf } from "../../services/generation/derive-request.ts";
import type { Task } from "../../services/tasks/task.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "../framework/command.ts";
import { defineButton } from "../framework/component.ts";
import { viewerOf } from "../framework/invoking-member.ts";
import type { GenerationSpec } from "../../services/settings/select-model.ts";
import type { GenerationRequest } from "../../services/generation/request.ts";
import { privacyOfDerivative } from "../../services/settings/result-privacy.ts";
import { deferGeneration, sourceOf, startGeneration } from "../generation/start-generation.ts";
import { hasImage, imageUrlOf, ownImageUrlOf } from "../generation/image-attachment.ts";
import type { CommandServices } from "../command-services.ts";

export const regenerate = defineButton(taskCustomIds.regenerate, async (interaction, { taskId }, services) => {
	const reading = services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	// A gallery shows results of other channels, for which this asks Discord: the first response does not await it.
	const privacy = reading.then(({ reply }) => privacyOfDerivative(reply.isEphemeral));
	const reply = await deferGeneration(interaction, { privacy }, services);
	const task = await reading;
	const source = sourceOf(task, interaction, "regenerate");
	await startGeneration(interaction, reply, { ...regenerationSpec(task, services), source }, services);
});

export const improvePrompt = defineButton(taskCustomIds.improve, async (interaction, { taskId }, services) => {
	const task = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	const spec = regenerationSpec(task, services);
	await startFromResult(interaction, { task, action: "improve", spec }, services);
});

export const vary = actionButton("vary");
export const animate = actionButton("animate");
export const upscale = actionButton("upscale");

/** Shows one of several images to the member, with buttons for its actions. */
export const chooseImage = defineButton(imageChoiceCustomId, async (interaction, { taskId, imageIndex }, services) => {
	const task = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	const { locale } = interaction;
	const url = imageUrlOf(interaction.message, imageIndex);
	const buttons = "chargedCredits" in task ? imageButtons(task, imageIndex, locale, services.catalog) : [];
	if (buttons.length === 0) throw new UserError({ key: "request.unknownButton" });
	const description = altText(task.request.prompt, imageIndex + 1);
	const { isSpoiler } = task.presentation;
	const title = t(locale, { key: "button.image", params: { number: imageIndex + 1 } });
	const parts = [text(title), galleryOfUrls([{ url, description, isSpoiler }]), ...taskButtonRows(taskId, buttons)];
	await interaction.reply({ ...cardReply(parts), flags: [MessageFlags.Ephemeral, CARD_FLAG] });
});

function actionButton(action: Exclude<ImageAction, "input">) {
	return defineButton(taskCustomIds[action], async (interaction, { taskId }, services) => {
		const task = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
		const spec = specOf(action, task.request, interaction.message, services);
		const start = spec ? { action, spec } : { action: "regenerate" as const, spec: regenerationSpec(task, services) };
		await startFromResult(interaction, { task, ...start }, services);
	});
}

/** Returns `undefined` for a variation that is not possible. */
function specOf(
	action: Exclude<ImageAction, "input">,
	request: GenerationRequest,
	message: Message,
	{ catalog }: CommandServices,
): GenerationSpec | undefined {
	switch (action) {
		case "vary": {
			const imageUrl = hasImage(message) ? ownImageUrlOf(message) : undefined;
			const input = variationOf(request, modelOf(catalog, request), imageUrl);
			return input && { mediaType: request.mediaType, model: request.model, input, style: null };
		}
		case "animate": {
			const input = imageInputOf(request.prompt, request, [ownImageUrlOf(message)]);
			return { mediaType: "video", model: null, input, style: null };
		}
		case "upscale": {
			const input = upscaleOf(request.prompt, ownImageUrlOf(message));
			return { mediaType: "image", model: null, input, style: null };
		}
	}
}

/** Returns the same request with another seed; that of an upscale stays unchanged. */
function regenerationSpec({ request }: Task, { clock }: CommandServices): GenerationSpec {
	const input = regenerationOf(request, clock.nowMs());
	return { mediaType: request.mediaType, model: request.model, input, style: null };
}

/** Defers the reply, and starts a generation from a result. After `improve`, the member sees an improved prompt first. */
export async function startFromResult(
	interaction: RepliableInteraction<InGuild>,
	{ task, action, spec }: { readonly task: Task; readonly action: TaskAction; readonly spec: GenerationSpec },
	services: CommandServices,
): Promise<void> {
	const privacy = privacyOfDerivative(task.reply.isEphemeral);
	const reply = await deferGeneration(interaction, { privacy, offersImprovedPrompt: action === "improve" }, services);
	const source = sourceOf(task, interaction, action);
	await startGeneration(interaction, reply, { ...spec, source }, services);
}
