/** Message commands that generate from the image of any message. */
import { MessageFlags, type Message } from "discord.js";
import { textsIn } from "../discord/message-contents.ts";
import { privacyOfDerivative } from "../services/settings/result-privacy.ts";
import { imageInputOf } from "../services/generation/derive-request.ts";
import type { PlainKey } from "../i18n/message-descriptor.ts";
import { plainLine } from "../i18n/quote.ts";
import { defineMessageCommand, type MessageInteraction } from "./framework/command.ts";
import { viewerOf } from "./framework/invoking-member.ts";
import type { Task } from "../services/tasks/task.ts";
import { deferGeneration, sourceOf, startGeneration } from "./generation/start-generation.ts";
import { taskIdOf } from "./framework/task-from-message.ts";
import { imageUrlOf } from "./generation/image-attachment.ts";
import type { CommandServices } from "./command-services.ts";

/** The text of the message is the prompt, up to this length. */
const TEXT_CHARS_MAX = 1000;
/** Prompts for messages without text. Models understand English best. */
const MOTION_PROMPT = "the scene comes to life";
const VARIATION_PROMPT = "a variation of this image";

export const animateMessage = imageMessageCommand("menu.animate", "video", MOTION_PROMPT);
export const varyMessage = imageMessageCommand("menu.variations", "image", VARIATION_PROMPT);

function imageMessageCommand(name: PlainKey, mediaType: "image" | "video", defaultPrompt: string) {
	return defineMessageCommand(name, async (interaction, services) => {
		const { targetMessage } = interaction;
		const imageUrl = imageUrlOf(targetMessage);
		const privacy = privacyOfDerivative(targetMessage.flags.has(MessageFlags.Ephemeral));
		const reply = await deferGeneration(interaction, { privacy }, services);
		const task = await taskOf(interaction, services);
		// The text of a message of the bot is about a result, and no prompt.
		const isOurs = targetMessage.author.id === services.botUserId();
		const prompt = task?.request.prompt ?? (isOurs ? defaultPrompt : promptOf(targetMessage, defaultPrompt));
		const input = imageInputOf(prompt, task?.request, [imageUrl]);
		const source = task && sourceOf(task, interaction, mediaType === "video" ? "animate" : "vary");
		await startGeneration(interaction, reply, { mediaType, model: null, input, style: null, source }, services);
	});
}

/** Returns the task of the image if it is a result of this bot and its task still exists. */
async function taskOf(
	interaction: MessageInteraction,
	{ resultAccess, botUserId }: CommandServices,
): Promise<Task | undefined> {
	const taskId = taskIdOf(interaction.targetMessage, botUserId());
	if (taskId === undefined) return undefined;
	return await resultAccess.findVisible(viewerOf(interaction), taskId);
}

function promptOf({ content, components }: Message, defaultPrompt: string): string {
	const shown = [content, ...textsIn(components.map((component) => component.toJSON()))].join(" ");
	const text = plainLine(shown, TEXT_CHARS_MAX);
	return text === "" ? defaultPrompt : text;
}
