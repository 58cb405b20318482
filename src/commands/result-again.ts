/** What people have made of a result by a button or a menu under it. Each costs what typing it would, and passes what typing it would. */
import { MessageFlags, type ButtonInteraction, type Message, type StringSelectMenuInteraction } from "discord.js";
import type { Logger } from "pino";
import { pictureMenuIds, readPictureChoice } from "../discord/picture-menu.ts";
import { taskButtonIds } from "../discord/task-buttons.ts";
import type { PictureAction } from "../services/delivery/messenger.ts";
import { takesPicture, upscales } from "../services/generation/order.ts";
import { motionOf, sameAgain, upscaleOf, variationOf } from "../services/generation/wish-again.ts";
import type { Task } from "../services/tasks/task.ts";
import { UserError } from "../services/user-error.ts";
import type { InServer, Services } from "./command.ts";
import { control } from "./control.ts";
import { askerOf } from "./job-asker.ts";
import { make, type Wish } from "./make.ts";
import { isPicture, pictureUrlOf } from "./picture.ts";
import { showInputForm } from "./result-input.ts";

export const again = control("button", taskButtonIds.again, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, ({ order }) => ({
		mediaType: order.mediaType,
		model: order.model,
		wishes: () => sameAgain(order, services.clock.nowMs()),
		style: null,
	})),
);

export const vary = control("button", taskButtonIds.vary, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, (task) => wishOf("vary", task, interaction.message, 0, services)),
);

export const animate = control("button", taskButtonIds.animate, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, (task) => wishOf("animate", task, interaction.message, 0, services)),
);

export const upscale = control("button", taskButtonIds.upscale, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, (task) => wishOf("upscale", task, interaction.message, 0, services)),
);

/** Of one picture of several. */
export const ofPicture = control("stringSelect", pictureMenuIds, async (interaction, { taskId }, services, logger) => {
	const chosen = readPictureChoice(interaction.values[0]);
	if (!chosen) throw new UserError({ key: "controlUnknown" });
	const { action, picture } = chosen;
	if (action === "input") return await showInputForm(interaction, taskId, services, picture);
	await makeOf(interaction, taskId, services, logger, (task) =>
		wishOf(action, task, interaction.message, picture, services),
	);
});

function wishOf(
	action: Exclude<PictureAction, "input">,
	{ order }: Task,
	message: Message,
	picture: number,
	services: Services,
): Wish {
	switch (action) {
		case "vary": {
			// A picture that is not there any more is made once more.
			const pictureUrl = message.attachments.some(isPicture) ? pictureUrlOf(message, picture) : undefined;
			return {
				mediaType: order.mediaType,
				model: order.model,
				wishes: (model) => variationOf(order, model, pictureUrl, services.clock.nowMs()),
				style: null,
			};
		}
		case "animate": {
			const pictureUrl = pictureUrlOf(message, picture);
			return {
				mediaType: "video",
				model: null,
				mayBe: takesPicture,
				wishes: (model) => motionOf(order.prompt, order, model, pictureUrl),
				style: null,
			};
		}
		case "upscale": {
			const pictureUrl = pictureUrlOf(message, picture);
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
	interaction: ButtonInteraction<InServer> | StringSelectMenuInteraction<InServer>,
	taskId: string,
	services: Services,
	logger: Logger,
	wishFor: (task: Task) => Wish,
): Promise<void> {
	const wish = wishFor(await services.jobs.source(askerOf(interaction), taskId, interaction.channelId));
	const isPrivate = interaction.message.flags.has(MessageFlags.Ephemeral);
	await make(interaction, services, logger, { wanted: isPrivate || null, wish: () => wish });
}
