import { DELIVERY_ROUTES, type ReplyTarget, type DeliveryRoute } from "./reply-client.ts";

/** An edit that starts late must still arrive in time: an expired token is a 401, and those count against the bot. */
const TOKEN_MARGIN_MS = 30_000;

export function isTokenAlive({ tokenExpiresAtMs }: Pick<ReplyTarget, "tokenExpiresAtMs">, nowMs: number): boolean {
	return nowMs < tokenExpiresAtMs - TOKEN_MARGIN_MS;
}

/** Whether the bot finds the reply without its token: never one that only one person sees. */
export function canBotFindReply({ botInGuild, ephemeral }: ReplyTarget): boolean {
	return botInGuild && !ephemeral;
}

/** Which routes are still open, best first. An ephemeral reply never becomes a public message. */
export function availableRoutes(target: ReplyTarget, nowMs: number): readonly DeliveryRoute[] {
	const botMayShow = canBotFindReply(target);
	const mayBeShown = target.isRestored === true;
	const open = {
		tokenEdit: isTokenAlive(target, nowMs),
		botEdit: botMayShow,
		botPost: botMayShow && !mayBeShown,
		// Whether this person takes them is known only once one is sent.
		directMessage: !mayBeShown,
	};
	return DELIVERY_ROUTES.filter((route) => open[route]);
}
