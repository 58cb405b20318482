import { textOf } from "@atelier/playground/user-client/message-contents";
import { MessageFlags, type APIMessage } from "discord-api-types/v10";
import { onTestFinished } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { labelsOf, openUserClient, type Reply, type UserClient } from "@atelier/playground/user-client";
import type { Model } from "@atelier/studio/engines/engine";
import { createFakeEngine, fakeImageModel, fakeVideoModel } from "@atelier/studio/testing/fake-engine";
import { openAtelier } from "./start-atelier.ts";

/** Opens user clients of the owner, of Ada with the roles Artists and Patrons, and of Grace with the role Artists. */
export async function openServer(setup: Parameters<typeof openAtelier>[0] = {}) {
	const { atelier, userClient: admin, logs } = await openAtelier(setup);
	const { members, roles } = await admin.state();
	const open = async (name: string): Promise<UserClient> => {
		const user = members.find((member) => member.user.global_name === name)?.user.id ?? "nobody";
		const client = await openUserClient(atelier.origin, { user });
		onTestFinished(() => client.close());
		return client;
	};
	const roleId = (name: string): string => roles.find((role) => role.name === name)?.id ?? "no role";
	const ada = await open("Ada");
	const grace = await open("Grace");
	return { atelier, admin, ada, grace, open, roleId, logs, stop: () => atelier.stop() };
}

/** A video model that can start from an image. */
const animatingModel: Model = {
	...fakeVideoModel,
	scenes: ["text-to-video", "image-to-video"],
	options: {
		...fakeVideoModel.options,
		image_input: {
			type: "array",
			description: "An image to start from.",
			items: { type: "string", format: "uri" },
			maxItems: 1,
		},
	},
};
export const createAnimatingEngine = () => createFakeEngine({ models: [fakeImageModel, animatingModel] });

/** The final text of the reply. */
export const answerTo = async (userClient: UserClient, command: string, options = {}): Promise<string> =>
	textOf(await (await userClient.type(command, options)).until(isFinalReply));
export const image = (userClient: UserClient): Promise<string> => answerTo(userClient, "/image", { prompt: "a boat" });
/** The final message of a button. */
export const pressed = async (userClient: UserClient, message: APIMessage, label: string): Promise<APIMessage> =>
	(await userClient.press(message, { label })).until(isFinalReply);

export const channelId = async (userClient: UserClient, name: string): Promise<string> =>
	(await userClient.state()).channels.find((channel) => channel.name === name)?.id ?? "no channel";
export const isPresent = async (userClient: UserClient, { id }: APIMessage): Promise<boolean> =>
	(await userClient.messages()).some((message) => message.id === id);

export const isPrivate = ({ flags }: Pick<APIMessage, "flags">): boolean =>
	((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
/** The labels of the buttons and of the options of menus. */
export const labels = labelsOf;
/** The visible text, without characters that neutralize markdown. */
export const plain = (text: string): string => text.replaceAll(/[\\\u2068\u2069]/g, "");

/** Presses Delete under a result, and confirms it. */
export async function deleteResult(userClient: UserClient, message: APIMessage): Promise<Reply> {
	return await userClient.submit(await (await userClient.press(message, { label: "Delete" })).modal());
}
