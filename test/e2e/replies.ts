/** Waits for the replies of the bot to commands, buttons and forms, and reads them. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { Reply, UserClient } from "@atelier/playground/user-client";
import type { PageModal } from "@atelier/playground/page/page-contract";
import { MessageFlags, type APIMessage } from "discord-api-types/v10";
import { assert, expect } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";

/** The visible text, without characters that neutralize markdown. Commands that members can click are shown as their names. */
export const plainText = (text: string): string =>
	text.replaceAll(/[\\\u2068\u2069]/g, "").replaceAll(/<(\/[^:>]+):\d+>/g, "`$1`");
export const hasFile = (message: APIMessage): boolean => filesOf(message).length > 0;

/** Resolves to the final reply to a command, a button or a form. */
export const finalReply = async (interaction: Promise<Reply>): Promise<APIMessage> =>
	(await interaction).until(isFinalReply);

/** Returns the text of the final reply to a command. */
export const answerTo = async (userClient: UserClient, command: string, options = {}): Promise<string> =>
	textOf(await finalReply(userClient.type(command, options)));
/** Types `/image`, and returns the text of the final reply: its end is the credits left if the image was delivered. */
export const answerToImage = (userClient: UserClient): Promise<string> =>
	answerTo(userClient, "/image", { prompt: "a boat" });
/** Presses a button, and returns the final reply. */
export const pressAndWait = async (userClient: UserClient, message: APIMessage, label: string): Promise<APIMessage> =>
	finalReply(userClient.press(message, { label }));

/** Resolves to the form that the bot opens in response to a button or a command. */
export const openForm = async (interaction: Promise<Reply>): Promise<PageModal> => (await interaction).modal();

/** Resolves to the first state of a reply that contains this text. */
export const replyWithText = async (interaction: Promise<Reply>, text: string): Promise<APIMessage> =>
	(await interaction).until((message) => plainText(textOf(message)).includes(text));

/** Resolves to the text that follows a button which was acknowledged without a change of its message. */
export const followUpText = async (interaction: Promise<Reply>): Promise<string> => {
	const reply = await interaction;
	await expect.poll(() => reply.messages()).not.toHaveLength(0);
	return textOf(reply.messages()[0] ?? assert.fail("the follow-up was deleted"));
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

export const messagesIn = async (userClient: UserClient, channelId: string): Promise<readonly APIMessage[]> =>
	(await userClient.messages()).filter((message) => message.channel_id === channelId);

export const isMessagePresent = async (userClient: UserClient, { id }: APIMessage): Promise<boolean> =>
	(await userClient.messages()).some((message) => message.id === id);

export const isPrivate = ({ flags }: Pick<APIMessage, "flags">): boolean =>
	((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** Presses Delete under a result, and confirms it. */
export async function deleteResult(userClient: UserClient, message: APIMessage): Promise<Reply> {
	return await userClient.submit(await openForm(userClient.press(message, { label: "Delete" })));
}

/** Returns the id of the task whose result the message shows. */
export const taskIdOf = ({ interaction_metadata: interaction }: APIMessage): string =>
	interaction?.id ?? assert.fail("the message replies to no command");

/** Reports a result. Resolves to the text of the answer. */
export async function reportResult(userClient: UserClient, result: APIMessage, reason: string): Promise<string> {
	const form = await openForm(userClient.context("Report", result));
	return textOf(await finalReply(userClient.submit(form, { reason })));
}

/** The reports in a channel, oldest first. */
export const reportsIn = async (userClient: UserClient, channelId: string): Promise<readonly APIMessage[]> =>
	(await messagesIn(userClient, channelId)).filter((message) => textOf(message).includes("**Report** by"));
