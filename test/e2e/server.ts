import { MessageFlags, type APIMessage } from "discord-api-types/v10";
import { onTestFinished } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { openAtelier } from "./start-atelier.ts";

/** You, who manage the server; Ada with the roles Artists and Patrons; Grace with the role Artists. */
export async function openServer(setup: Parameters<typeof openAtelier>[0] = {}) {
	const { atelier, userClient: admin, logs } = await openAtelier(setup);
	const { members, roles } = await admin.state();
	const open = async (name: string): Promise<UserClient> => {
		const user = members.find((member) => member.user.global_name === name)?.user.id ?? "nobody";
		const userClient = await openUserClient(atelier.origin, { user });
		onTestFinished(() => userClient.close());
		return userClient;
	};
	const roleId = (name: string): string => roles.find((role) => role.name === name)?.id ?? "no role";
	return { admin, ada: await open("Ada"), grace: await open("Grace"), open, roleId, logs, stop: () => atelier.stop() };
}

/** The final text of the reply. */
export const answerTo = async (userClient: UserClient, command: string, options = {}): Promise<string> =>
	(await (await userClient.type(command, options)).until(isFinalReply)).content;
export const image = (userClient: UserClient): Promise<string> => answerTo(userClient, "/image", { prompt: "a boat" });

export const channelId = async (userClient: UserClient, name: string): Promise<string> =>
	(await userClient.state()).channels.find((channel) => channel.name === name)?.id ?? "no channel";
export const isPrivate = ({ flags }: Pick<APIMessage, "flags">): boolean =>
	((flags ?? 0) & MessageFlags.Ephemeral) !== 0;
/** The visible text, without characters that neutralize markdown. */
export const plain = (text: string): string => text.replaceAll(/[\\\u2068\u2069]/g, "");
