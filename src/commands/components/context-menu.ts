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
import { takesImage, type GenerationRequest } from "../../services/generation/request.ts";
import { motionOf } from "../../services/generation/derive-request.ts";
import type { PlainKey } from "../../i18n/messages.ts";
import { plainLine } from "../../i18n/quote.ts";
import type { InGuild, MessageCommand, Services } from "../command.ts";
import { jobRequesterOf } from "../job-asker.ts";
import { startGeneration } from "../start-generation.ts";
import { taskIdOf } from "../task-from-message.ts";
import { imageUrlOf } from "../image-attachment.ts";
import { localizeTitle } from "../localize.ts";

/** Of what somebody wrote beside their picture, as much as a prompt is. */
const WORDS_CHARS_MAX = 1000;
/** Where nobody wrote anything. Models read English best. */
const MOTION_PROMPT = "the scene comes to life";
const VARIATION_PROMPT = "a variation of this picture";

export const animateMessage: MessageCommand = {
	definition: definitionOf("animateMenuName"),
	async execute(interaction, services, logger) {
		const pictureUrl = imageUrlOf(interaction.targetMessage);
		const order = await orderOf(interaction, services);
		const prompt = order?.prompt ?? wordsOf(interaction.targetMessage, MOTION_PROMPT);
		await startGeneration(interaction, services, logger, {
			wanted: isPrivate(interaction.targetMessage) || null,
			wish: () => ({
				mediaType: "video",
				model: null,
				mayBe: takesImage,
				wishes: (model) => motionOf(prompt, order, model, pictureUrl),
				style: null,
			}),
		});
	},
};

export const varyMessage: MessageCommand = {
	definition: definitionOf("variationsMenuName"),
	async execute(interaction, services, logger) {
		const pictureUrl = imageUrlOf(interaction.targetMessage);
		const order = await orderOf(interaction, services);
		const prompt = order?.prompt ?? wordsOf(interaction.targetMessage, VARIATION_PROMPT);
		await startGeneration(interaction, services, logger, {
			wanted: isPrivate(interaction.targetMessage) || null,
			wish: () => ({
				mediaType: "image",
				model: null,
				mayBe: takesImage,
				wishes: (model) => motionOf(prompt, order, model, pictureUrl),
				style: null,
			}),
		});
	},
};

function definitionOf(name: PlainKey): MessageCommand["definition"] {
	return localizeTitle(new ContextMenuCommandBuilder(), name)
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
	interaction: MessageContextMenuCommandInteraction<InGuild>,
	{ jobs }: Services,
): Promise<GenerationRequest | undefined> {
	const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
	if (taskId === undefined) return undefined;
	return (await jobs.findSource(jobRequesterOf(interaction), taskId, interaction.channelId))?.order;
}

/** What stands beside a picture; where nothing does, the plain wish. */
function wordsOf({ content }: Message, otherwise: string): string {
	const words = plainLine(content, WORDS_CHARS_MAX);
	return words === "" ? otherwise : words;
}
