/** What people have made of a picture in any message, by the menu of the message. */
import {
	ApplicationCommandType,
	ApplicationIntegrationType,
	ContextMenuCommandBuilder,
	InteractionContextType,
	MessageFlags,
	type Message,
	type MessageContextMenuCommandInteraction,
} from "discord.js";
import { takesPicture, type Order } from "../services/generation/order.ts";
import { motionOf } from "../services/generation/wish-again.ts";
import type { PlainKey } from "../services/messages/messages.ts";
import { plainLine } from "../services/messages/quote.ts";
import type { InServer, MessageCommand, Services } from "./command.ts";
import { askerOf } from "./job-asker.ts";
import { make } from "./make.ts";
import { taskIdOf } from "./message-task.ts";
import { pictureUrlOf } from "./picture.ts";
import { titled } from "./wording.ts";

/** Of what somebody wrote beside their picture, as much as a prompt is. */
const WORDS_CHARS_MAX = 1000;
/** Where nobody wrote anything. Models read English best. */
const MOTION_PROMPT = "the scene comes to life";
const VARIATION_PROMPT = "a variation of this picture";

export const animateMessage: MessageCommand = {
	definition: definitionOf("animateMenuName"),
	async execute(interaction, services, logger) {
		const pictureUrl = pictureUrlOf(interaction.targetMessage);
		const order = await orderOf(interaction, services);
		const prompt = order?.prompt ?? wordsOf(interaction.targetMessage, MOTION_PROMPT);
		await make(interaction, services, logger, {
			wanted: isPrivate(interaction.targetMessage) || null,
			wish: () => ({
				mediaType: "video",
				model: null,
				mayBe: takesPicture,
				wishes: (model) => motionOf(prompt, order, model, pictureUrl),
				style: null,
			}),
		});
	},
};

export const varyMessage: MessageCommand = {
	definition: definitionOf("variationsMenuName"),
	async execute(interaction, services, logger) {
		const pictureUrl = pictureUrlOf(interaction.targetMessage);
		const order = await orderOf(interaction, services);
		const prompt = order?.prompt ?? wordsOf(interaction.targetMessage, VARIATION_PROMPT);
		await make(interaction, services, logger, {
			wanted: isPrivate(interaction.targetMessage) || null,
			wish: () => ({
				mediaType: "image",
				model: null,
				mayBe: takesPicture,
				wishes: (model) => motionOf(prompt, order, model, pictureUrl),
				style: null,
			}),
		});
	},
};

function definitionOf(name: PlainKey): MessageCommand["definition"] {
	return titled(new ContextMenuCommandBuilder(), name)
		.setType(ApplicationCommandType.Message)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.toJSON();
}

/** What only one person sees is made nothing of that others see. */
function isPrivate({ flags }: Message): boolean {
	return flags.has(MessageFlags.Ephemeral);
}

/** What the picture was asked for with, where it is a result of ours that is still known. */
async function orderOf(
	interaction: MessageContextMenuCommandInteraction<InServer>,
	{ jobs }: Services,
): Promise<Order | undefined> {
	const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
	if (taskId === undefined) return undefined;
	return (await jobs.findSource(askerOf(interaction), taskId, interaction.channelId))?.order;
}

/** What stands beside a picture; where nothing does, the plain wish. */
function wordsOf({ content }: Message, otherwise: string): string {
	const words = plainLine(content, WORDS_CHARS_MAX);
	return words === "" ? otherwise : words;
}
