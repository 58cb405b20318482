/** What people have made of a result by a button or a menu under it. Each costs what typing it would, and passes what typing it would. */
import { MessageFlags, type ButtonInteraction, type Message, type StringSelectMenuInteraction } from "discord.js";
import type { Logger } from "pino";
import { imageMenuIds, readImageChoice } from "../../discord/image-menu.ts";
import { taskButtonIds } from "../../discord/task-buttons.ts";
import type { ImageAction } from "../../services/delivery/reply-client.ts";
import { takesImage, upscales } from "../../services/generation/request.ts";
import { motionOf, sameAgain, upscaleOf, variationOf } from "../../services/generation/derive-request.ts";
import type { Task } from "../../services/tasks/task.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild, Services } from "../command.ts";
import { defineComponent } from "./component.ts";
import { jobRequesterOf } from "../job-asker.ts";
import { startGeneration, type GenerationSpec } from "../start-generation.ts";
import { isImageAttachment, imageUrlOf } from "../image-attachment.ts";
import { showInputForm } from "./result-input.ts";

export const again = defineComponent("button", taskButtonIds.again, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, ({ order }) => ({
		mediaType: order.mediaType,
		model: order.model,
		wishes: () => sameAgain(order, services.clock.nowMs()),
		style: null,
	})),
);

export const vary = defineComponent("button", taskButtonIds.vary, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, (task) => wishOf("vary", task, interaction.message, 0, services)),
);

export const animate = defineComponent("button", taskButtonIds.animate, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, (task) => wishOf("animate", task, interaction.message, 0, services)),
);

export const upscale = defineComponent("button", taskButtonIds.upscale, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, (task) => wishOf("upscale", task, interaction.message, 0, services)),
);

/** Of one picture of several. */
export const imageAction = defineComponent(
	"stringSelect",
	imageMenuIds,
	async (interaction, { taskId }, services, logger) => {
		const chosen = readImageChoice(interaction.values[0]);
		if (!chosen) throw new UserError({ key: "controlUnknown" });
		const { action, picture } = chosen;
		if (action === "input") return await showInputForm(interaction, taskId, services, picture);
		await makeOf(interaction, taskId, services, logger, (task) =>
			wishOf(action, task, interaction.message, picture, services),
		);
	},
);

function wishOf(
	action: Exclude<ImageAction, "input">,
	{ order }: Task,
	message: Message,
	picture: number,
	services: Services,
): GenerationSpec {
	switch (action) {
		case "vary": {
			// A picture that is not there any more is made once more.
			const pictureUrl = message.attachments.some(isImageAttachment) ? imageUrlOf(message, picture) : undefined;
			return {
				mediaType: order.mediaType,
				model: order.model,
				wishes: (model) => variationOf(order, model, pictureUrl, services.clock.nowMs()),
				style: null,
			};
		}
		case "animate": {
			const pictureUrl = imageUrlOf(message, picture);
			return {
				mediaType: "video",
				model: null,
				mayBe: takesImage,
				wishes: (model) => motionOf(order.prompt, order, model, pictureUrl),
				style: null,
			};
		}
		case "upscale": {
			const pictureUrl = imageUrlOf(message, picture);
			return {
				mediaType: "image",
				model: null,
				mayBe: upscales,
				wishes: () => upscaleOf(order.prompt, pictureUrl),
				style: null,
			};
		}
	}
}

/** Refused to whoever pressed alone; what is made of a private result is private too. */
async function makeOf(
	interaction: ButtonInteraction<InGuild> | StringSelectMenuInteraction<InGuild>,
	taskId: string,
	services: Services,
	logger: Logger,
	wishFor: (task: Task) => GenerationSpec,
): Promise<void> {
	const wish = wishFor(await services.jobs.source(jobRequesterOf(interaction), taskId, interaction.channelId));
	const isPrivate = interaction.message.flags.has(MessageFlags.Ephemeral);
	await startGeneration(interaction, services, logger, { wanted: isPrivate || null, wish: () => wish });
}
