/** Waits for the replies of the bot to commands, buttons and forms. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { Reply, UserClient } from "@atelier/playground/user-client";
import type { PageModal } from "@atelier/playground/page/page-contract";
import type { APIMessage } from "discord-api-types/v10";
import { expect } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";

/** The visible text, without characters that neutralize markdown. */
export const plainText = (text: string): string => text.replaceAll(/[\\\u2068\u2069]/g, "");
export const hasFile = (message: APIMessage): boolean => filesOf(message).length > 0;

/** Resolves to the final reply to a command, a button or a form. */
export const finalReply = async (interaction: Promise<Reply>): Promise<APIMessage> =>
	(await interaction).until(isFinalReply);

/** Resolves to the form that the bot opens in response to a button or a command. */
export const openForm = async (interaction: Promise<Reply>): Promise<PageModal> => (await interaction).modal();

/** Resolves to the first state of a reply that contains this text. */
export const replyWithText = async (interaction: Promise<Reply>, text: string): Promise<APIMessage> =>
	(await interaction).until((message) => plainText(textOf(message)).includes(text));

/** Resolves to the text that follows a button which was acknowledged without a change of its message. */
export const followUpText = async (interaction: Promise<Reply>): Promise<string> => {
	const reply = await interaction;
	await expect.poll(() => reply.messages()).not.toHaveLength(0);
	return textOf(reply.messages()[0] ?? expect.fail("the follow-up was deleted"));
};

/** Presses a button, and resolves to the first state of the reply that contains this text. */
export const pressUntil = (client: UserClient, message: APIMessage, label: string, text: string): Promise<APIMessage> =>
	replyWithText(client.press(message, { label }), text);

/** Presses the button of a setting in a panel. `customId`: the part without the checksum of the shown value. */
export async function pressSetting(client: UserClient, panel: APIMessage, customId: string): Promise<Reply> {
	const [found = customId] = new RegExp(`${customId}:\\d+`).exec(JSON.stringify(panel.components)) ?? [];
	return await client.press(panel, { customId: found });
}

/** Resolves to the final reply to `/image`, by default in the first channel of the server. */
export const generateImage = (
	client: UserClient,
	options: Parameters<UserClient["type"]>[1] = {},
	channel: Parameters<UserClient["type"]>[2] = {},
): Promise<APIMessage> => finalReply(client.type("/image", { prompt: "a boat", ...options }, channel));
