import { Routes } from "discord.js";
import type { ReplyTarget, TokenReply } from "../services/delivery/reply-target.ts";

/** A route by which the bot can edit or read its reply. */
export type EditRoute = "tokenEdit" | "botEdit";

export function originalReplyPath({ applicationId, token }: TokenReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

export function replyPathOf(route: EditRoute, target: ReplyTarget): `/${string}` {
	return route === "tokenEdit" ? originalReplyPath(target) : Routes.channelMessage(target.channelId, target.messageId);
}
