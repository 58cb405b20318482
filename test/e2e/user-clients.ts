import { textOf } from "@atelier/playground/user-client/message-contents";
import { MessageFlags, type APIMessage } from "discord-api-types/v10";
import { onTestFinished } from "vitest";
import { openUserClient, type Reply, type UserClient } from "@atelier/playground/user-client";
import type { CatalogModel } from "@atelier/studio/engines/catalog-model";
import { createFakeEngine, fakeImageModel, fakeVideoModel } from "@atelier/studio/testing/fake-engine";
import { openAtelier } from "./start-atelier.ts";
import { finalReply, openForm } from "./replies.ts";

/** Opens user clients of the owner, of Ada with the roles Artists and Patrons, and of Grace with the role Artists. */
export async function openAtelierWithMembers(setup: Parameters<typeof openAtelier>[0] = {}) {
	const { atelier, userClient: owner, logs } = await openAtelier(setup);
	const { members, roles } = await owner.state();
	const openMember = async (name: string): Promise<UserClient> => {
		const userId = members.find((member) => member.user.global_name === name)?.user.id ?? "no member";
		const client = await openUserClient(atelier.origin, { user: userId });
		onTestFinished(() => client.close());
		return client;
	};
	const roleId = (name: string): string => roles.find((role) => role.name === name)?.id ?? "no role";
	const ada = await openMember("Ada");
	const grace = await openMember("Grace");
	return { atelier, owner, ada, grace, open: openMember, roleId, logs, stop: () => atelier.stop() };
}

/** A video model that can start from an image. */
const animatingModel: CatalogModel = {
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

/** Returns the text of the final reply to a command. */
export const answerTo = async (userClient: UserClient, command: string, options = {}): Promise<string> =>
	textOf(await finalReply(userClient.type(command, options)));
/** Types `/image`, and returns the text of the final reply: "… 496 left" if the image was delivered. */
export const answerToImage = (userClient: UserClient): Promise<string> =>
	answerTo(userClient, "/image", { prompt: "a boat" });
/** Presses a button, and returns the final reply. */
export const pressAndWait = async (userClient: UserClient, message: APIMessage, label: string): Promise<APIMessage> =>
	finalReply(userClient.press(message, { label }));

export const channelIdOf = async (userClient: UserClient, name: string): Promise<string> =>
	(await userClient.state()).channels.find((channel) => channel.name === name)?.id ?? "no channel";

/** Reports a result. Resolves to the text of the answer. */
export async function reportResult(userClient: UserClient, result: APIMessage, reason: string): Promise<string> {
	const form = await openForm(userClient.context("Report", result));
	return textOf(await finalReply(userClient.submit(form, { reason })));
}

/** The reports in a channel, oldest first. */
export const reportsIn = async (userClient: UserClient, channelId: string): Promise<readonly APIMessage[]> =>
	(await userClient.messages()).filter(
		(message) => message.channel_id === channelId && textOf(message).startsWith("**Report**"),
	);

export const isMessagePresent = async (userClient: UserClient, { id }: APIMessage): Promise<boolean> =>
	(await userClient.messages()).some((message) => message.id === id);

export const isPrivate = ({ flags }: Pick<APIMessage, "flags">): boolean =>
	((flags ?? 0) & MessageFlags.Ephemeral) !== 0;

/** Presses Delete under a result, and confirms it. */
export async function deleteResult(userClient: UserClient, message: APIMessage): Promise<Reply> {
	return await userClient.submit(await openForm(userClient.press(message, { label: "Delete" })));
}
