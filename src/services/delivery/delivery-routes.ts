import type { MediaType } from "@atelier/media-protocol/model";
import { UserError } from "../user-error.ts";
import type { FinalReply } from "./final-reply.ts";
import type { ReplyTarget } from "./reply-target.ts";

/**
 * The delivery routes, best first: an edit of the reply with the interaction token, an edit as the bot, a message in the
 * channel, an ephemeral follow-up that replaces a public reply, a direct message.
 */
export const DELIVERY_ROUTES = ["tokenEdit", "botEdit", "botPost", "ephemeralFollowUp", "directMessage"] as const;
export type DeliveryRoute = (typeof DELIVERY_ROUTES)[number];

/** Returns whether a route edits the reply: a repeated edit shows it once. */
export function isEdit(route: DeliveryRoute): boolean {
	return route === "tokenEdit" || route === "botEdit";
}

/**
 * An edit that starts late must still arrive in time: an expired token is a 401, which counts towards Discord's ban
 * limit.
 */
const TOKEN_MARGIN_MS = 30_000;

/** Returns whether an edit with the interaction token can still arrive in time. */
export function isTokenAlive({ tokenExpiresAtMs }: Pick<ReplyTarget, "tokenExpiresAtMs">, nowMs: number): boolean {
	return nowMs < tokenExpiresAtMs - TOKEN_MARGIN_MS;
}

/** Returns whether the bot can find the reply without its token: never an ephemeral one. */
export function canBotFindReply({ isBotInGuild, isEphemeral }: ReplyTarget): boolean {
	return isBotInGuild && !isEphemeral;
}

/** Returns the available routes, best first. An ephemeral reply, and a text for its member only, never become a public message. */
export function availableRoutes(
	target: ReplyTarget,
	{ publicText, isEditOnly = false }: Pick<FinalReply, "publicText" | "isEditOnly">,
	nowMs: number,
): readonly DeliveryRoute[] {
	const hasToken = isTokenAlive(target, nowMs);
	const canBotFind = canBotFindReply(target);
	const mayShowInReply = publicText === undefined || target.isEphemeral;
	const isAvailable = {
		tokenEdit: hasToken && mayShowInReply,
		botEdit: canBotFind && mayShowInReply,
		botPost: canBotFind && mayShowInReply && !isEditOnly,
		ephemeralFollowUp: hasToken && !mayShowInReply && !isEditOnly,
		// Only an attempt shows whether the member accepts direct messages.
		directMessage: !isEditOnly,
	};
	return DELIVERY_ROUTES.filter((route) => isAvailable[route]);
}

/** Media types whose generation may take longer than a token is valid. */
const SLOW_MEDIA_TYPES: ReadonlySet<MediaType> = new Set(["video", "music"]);

/**
 * Throws a `UserError` for a slow request where the bot is not in the server or does not see the channel: after the token has
 * expired, it could not post the result there. Elsewhere, a late private result is sent as a direct message.
 */
export function assertDeliverable(reply: ReplyTarget, mediaType: MediaType): void {
	if (SLOW_MEDIA_TYPES.has(mediaType) && !reply.isBotInGuild) throw new UserError({ key: "request.noRoute" });
}
