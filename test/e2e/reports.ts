/** Reports of results to the moderators. */
import { textOf } from "@atelier/playground/user-client/message-contents";
import type { UserClient } from "@atelier/playground/user-client";
import type { APIMessage } from "discord-api-types/v10";
import { finalReply, openForm } from "./replies.ts";

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
