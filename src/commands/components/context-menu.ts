/** Message menus that generate from the image of any message. */
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
import type { PlainKey } from "../../i18n/message-params.ts";
import { plainLine } from "../../i18n/quote.ts";
import type { InGuild, MessageCommand } from "../command.ts";
import { jobRequesterOf } from "../invoking-member.ts";
import { startGeneration, type ResultDeps } from "../start-generation.ts";
import { taskIdOf } from "../task-from-message.ts";
import { imageUrlOf } from "../image-attachment.ts";
import { localizeTitle } from "../localize.ts";

/** The text of the message is the prompt, up to this length. */
const TEXT_CHARS_MAX = 1000;
/** Prompts for messages without text. Models understand English best. */
const MOTION_PROMPT = "the scene comes to life";
const VARIATION_PROMPT = "a variation of this image";

export const animateMessage = fromImage("menu.animate", "video", MOTION_PROMPT);
export const varyMessage = fromImage("menu.variations", "image", VARIATION_PROMPT);

function fromImage(name: PlainKey, mediaType: "image" | "video", defaultPrompt: string): MessageCommand<ResultDeps> {
	return {
		definition: definitionOf(name),
		async execute(interaction, deps, logger) {
			const { targetMessage } = interaction;
			const imageUrl = imageUrlOf(targetMessage);
			const source = await sourceOf(interaction, deps);
			const prompt = source?.prompt ?? promptOf(targetMessage, defaultPrompt);
			await startGeneration(interaction, deps, logger, {
				// Derivatives of ephemeral messages stay ephemeral.
				isPrivate: targetMessage.flags.has(MessageFlags.Ephemeral) || null,
				spec: () => ({
					mediaType,
					model: null,
					isSuitable: takesImage,
					inputFor: (model) => motionOf(prompt, source, model, imageUrl),
					style: null,
				}),
			});
		},
	};
}

function definitionOf(name: PlainKey): MessageCommand<never>["definition"] {
	return localizeTitle(new ContextMenuCommandBuilder(), name)
		.setType(ApplicationCommandType.Message)
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.toJSON();
}

/** Returns the request of the image if it is a result of this bot whose task still exists. */
async function sourceOf(
	interaction: MessageContextMenuCommandInteraction<InGuild>,
	{ jobs }: Pick<ResultDeps, "jobs">,
): Promise<GenerationRequest | undefined> {
	const taskId = taskIdOf(interaction.targetMessage, interaction.applicationId);
	if (taskId === undefined) return undefined;
	return (await jobs.findSource(jobRequesterOf(interaction), taskId, interaction.channelId))?.request;
}

function promptOf({ content }: Message, defaultPrompt: string): string {
	const text = plainLine(content, TEXT_CHARS_MAX);
	return text === "" ? defaultPrompt : text;
}
