/** Buttons and menus under a result that start another generation. They cost and check the same as the command. */
import { MessageFlags, type Message } from "discord.js";
import type { Logger } from "pino";
import { CARD_FLAG, cardReply, galleryOfUrls, text } from "../../discord/card.ts";
import { imageChoiceCustomId } from "../../discord/image-buttons.ts";
import { taskButtonCustomIds, taskButtonRows } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import { altText } from "../../services/delivery/stored-files.ts";
import { imageButtons } from "../../services/tasks/result-buttons.ts";
import type { ImageAction, TaskAction } from "../../services/delivery/task-buttons.ts";
import { takesImage, upscales } from "../../services/generation/request.ts";
import { imageInputOf, regenerationOf, upscaleOf, variationOf } from "../../services/generation/derive-request.ts";
import type { Task } from "../../services/tasks/task.ts";
import { UserError } from "../../services/user-error.ts";
import { defineComponent } from "../framework/component.ts";
import { memberOf } from "../framework/invoking-member.ts";
import type { GenerationSpec } from "../../services/generation/guild-request.ts";
import type { GenerationInteraction, ResultDeps } from "../generation/generation-deps.ts";
import { sourceOf, startGeneration } from "../generation/start-generation.ts";
import { hasImage, imageUrlOf, ownImageUrlOf } from "../generation/image-attachment.ts";

export const regenerate = defineComponent(
	"button",
	taskButtonCustomIds.regenerate,
	(interaction, { taskId }, deps: ResultDeps, logger) =>
		generateFromResult(interaction, taskId, { action: "regenerate" }, deps, logger, (task) =>
			regenerationSpec(task, deps),
		),
);

export const vary = actionButton("vary");
export const animate = actionButton("animate");
export const upscale = actionButton("upscale");

/** Shows one of several images to the member, with buttons for its actions. */
export const chooseImage = defineComponent(
	"button",
	imageChoiceCustomId,
	async (interaction, { taskId, imageIndex }, deps: ResultDeps) => {
		const task = await deps.jobs.requireSource(memberOf(interaction), taskId, interaction.channelId);
		const { locale } = interaction;
		const url = imageUrlOf(interaction.message, imageIndex);
		const buttons = "chargedCredits" in task ? imageButtons(task, imageIndex, locale, deps.catalog) : [];
		if (buttons.length === 0) throw new UserError({ key: "request.unknownButton" });
		const description = altText(task.request.prompt, imageIndex + 1);
		const { isSpoiler } = task.presentation;
		const title = t(locale, { key: "button.image", params: { number: imageIndex + 1 } });
		const parts = [text(title), galleryOfUrls([{ url, description, isSpoiler }]), ...taskButtonRows(taskId, buttons)];
		await interaction.reply({ ...cardReply(parts), flags: [MessageFlags.Ephemeral, CARD_FLAG] });
	},
);

function actionButton(action: Exclude<ImageAction, "input">) {
	return defineComponent("button", taskButtonCustomIds[action], (interaction, { taskId }, deps: ResultDeps, logger) =>
		generateFromResult(interaction, taskId, { action }, deps, logger, (task) =>
			specOf(action, task, interaction.message, deps),
		),
	);
}

function specOf(
	action: Exclude<ImageAction, "input">,
	{ request }: Task,
	message: Message,
	{ clock }: Pick<ResultDeps, "clock">,
): GenerationSpec {
	switch (action) {
		case "vary": {
			// Generates the same request again if the image was deleted.
			const imageUrl = hasImage(message) ? ownImageUrlOf(message) : undefined;
			return {
				mediaType: request.mediaType,
				model: request.model,
				inputFor: (model) => variationOf(request, model, imageUrl, clock.nowMs()),
				style: null,
			};
		}
		case "animate": {
			const imageUrl = ownImageUrlOf(message);
			return {
				mediaType: "video",
				model: null,
				isPreferred: takesImage,
				inputFor: (model) => imageInputOf(request.prompt, request, model, [imageUrl]),
				style: null,
			};
		}
		case "upscale": {
			const imageUrl = ownImageUrlOf(message);
			return {
				mediaType: "image",
				model: null,
				isPreferred: upscales,
				inputFor: () => upscaleOf(request.prompt, imageUrl),
				style: null,
			};
		}
	}
}

/** Returns the same request with another seed; that of an upscale stays unchanged. */
export function regenerationSpec({ request }: Task, { clock }: Pick<ResultDeps, "clock">): GenerationSpec {
	return {
		mediaType: request.mediaType,
		model: request.model,
		inputFor: () => regenerationOf(request, clock.nowMs()),
		style: null,
	};
}

/** Starts a generation from a result. `offersImprovedPrompt`: the member sees an improved prompt first. */
export async function generateFromResult(
	interaction: GenerationInteraction,
	taskId: string,
	{ action, offersImprovedPrompt = false }: { readonly action: TaskAction; readonly offersImprovedPrompt?: boolean },
	deps: ResultDeps,
	logger: Logger,
	specFor: (task: Task) => GenerationSpec,
): Promise<void> {
	const task = await deps.jobs.requireSource(memberOf(interaction), taskId, interaction.channelId);
	const spec = specFor(task);
	// Derivatives of ephemeral results stay ephemeral. For others, `null` leaves the choice to the settings.
	const privacyChoice = task.reply.isEphemeral || null;
	const source = sourceOf(task, interaction, action);
	await startGeneration(
		interaction,
		{ privacyChoice, offersImprovedPrompt, readSpec: () => ({ ...spec, source }) },
		deps,
		logger,
	);
}
