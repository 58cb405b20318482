/** What people have made of a result by a button under it. Each costs what typing it would, and passes what typing it would. */
import { MessageFlags, type ButtonInteraction } from "discord.js";
import type { Logger } from "pino";
import { taskButtonIds } from "../discord/task-buttons.ts";
import { takesPicture } from "../services/generation/order.ts";
import { motionOf, sameAgain, variationOf } from "../services/generation/wish-again.ts";
import type { Task } from "../services/tasks/task.ts";
import type { InServer, Services } from "./command.ts";
import { control } from "./control.ts";
import { askerOf } from "./job-asker.ts";
import { make, type Wish } from "./make.ts";
import { isPicture, pictureUrlOf } from "./picture.ts";

export const again = control("button", taskButtonIds.again, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, ({ order }) => ({
		mediaType: order.mediaType,
		model: order.model,
		wishes: () => sameAgain(order, services.clock.nowMs()),
		style: null,
	})),
);

export const vary = control("button", taskButtonIds.vary, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, ({ order }) => {
		const pictureUrl = interaction.message.attachments.find(isPicture)?.url;
		return {
			mediaType: order.mediaType,
			model: order.model,
			wishes: (model) => variationOf(order, model, pictureUrl, services.clock.nowMs()),
			style: null,
		};
	}),
);

export const animate = control("button", taskButtonIds.animate, (interaction, { taskId }, services, logger) =>
	makeOf(interaction, taskId, services, logger, ({ order }) => {
		const pictureUrl = pictureUrlOf(interaction.message);
		return {
			mediaType: "video",
			model: null,
			mayBe: takesPicture,
			wishes: (model) => motionOf(order.prompt, order, model, pictureUrl),
			style: null,
		};
	}),
);

/** Refused to whoever pressed alone; what is made of a private result is private too. */
async function makeOf(
	interaction: ButtonInteraction<InServer>,
	taskId: string,
	services: Services,
	logger: Logger,
	wishOf: (task: Task) => Wish,
): Promise<void> {
	const wish = wishOf(await services.jobs.source(askerOf(interaction), taskId, interaction.channelId));
	const isPrivate = interaction.message.flags.has(MessageFlags.Ephemeral);
	await make(interaction, services, logger, { wanted: isPrivate || null, wish: () => wish });
}
