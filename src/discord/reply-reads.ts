/** Reads the messages of tasks back from Discord, after a response was lost or did not show them. */
import { DiscordAPIError, Routes } from "discord.js";
import type { ReplyTarget, TokenReply } from "../services/delivery/reply-target.ts";
import type { DiscordCalls } from "./call-discord.ts";
import { messagesIn, requireMessage, type PostedMessage } from "./read-message.ts";

/** Number of messages searched for a reply whose response was lost. */
const MESSAGES_SEARCHED = 50;

/** A route by which the bot can edit or read its reply. */
export type EditRoute = "tokenEdit" | "botEdit";

export type ReplyReads = ReturnType<typeof createReplyReads>;

export function createReplyReads({ request, requireTokenAlive }: Pick<DiscordCalls, "request" | "requireTokenAlive">) {
	return {
		async readRecentMessages(channelId: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
			const query = new URLSearchParams({ limit: String(MESSAGES_SEARCHED) });
			try {
				return messagesIn(await request("get", Routes.channelMessages(channelId), signal, { query }));
			} catch (error) {
				// Without permission to read the channel, only the nonce prevents a duplicate.
				if (error instanceof DiscordAPIError && error.status === 403) return [];
				throw error;
			}
		},
		async readReply(route: EditRoute, target: ReplyTarget, signal: AbortSignal): Promise<PostedMessage> {
			if (route === "tokenEdit") requireTokenAlive(target);
			const options = { auth: route !== "tokenEdit" };
			return requireMessage(await request("get", replyPathOf(route, target), signal, options));
		},
	};
}

export function originalReplyPath({ applicationId, token }: TokenReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

export function replyPathOf(route: EditRoute, target: ReplyTarget): `/${string}` {
	return route === "tokenEdit" ? originalReplyPath(target) : Routes.channelMessage(target.channelId, target.messageId);
}
