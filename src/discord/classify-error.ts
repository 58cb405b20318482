/** Decides what follows a failed call to Discord. Pure: one row for each known response. */
import type { DeliveryRoute } from "../services/delivery/reply-client.ts";

export type CallFailure =
	| { readonly kind: "rejected"; readonly status: number; readonly code: number | string }
	| { readonly kind: "rateLimited"; readonly retryAfterMs: number }
	/** Not connected, interrupted, or too slow: Discord may have performed the request. */
	| { readonly kind: "noResponse" }
	/** Discord reported success without a message, or its message differs from the one sent. */
	| { readonly kind: "noMessage" };

export type DeliveryDecision =
	/** This route does not work; another one may. */
	| { readonly kind: "nextRoute" }
	/** The files are too large for this channel. */
	| { readonly kind: "smallerFiles"; readonly isPerFile: boolean }
	/** This channel accepts no files. */
	| { readonly kind: "withoutFiles" }
	/** The server's AutoMod rejects the text. */
	| { readonly kind: "withoutPrompt" }
	/** Discord rejects something in the form or the text of the message. */
	| { readonly kind: "otherForm" }
	/** A later attempt may work. */
	| { readonly kind: "retry"; readonly retryAfterMs?: number };

const NEXT_ROUTE: DeliveryDecision = { kind: "nextRoute" };
const RETRY: DeliveryDecision = { kind: "retry" };
const WITHOUT_PROMPT: DeliveryDecision = { kind: "withoutPrompt" };
const OTHER_FORM: DeliveryDecision = { kind: "otherForm" };

/** Decisions by Discord's error code; https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const BY_CODE: ReadonlyMap<number | string, DeliveryDecision> = new Map<number | string, DeliveryDecision>([
	// Unknown channel, message, webhook or interaction: the message or the token is gone.
	[10_003, NEXT_ROUTE],
	[10_008, NEXT_ROUTE],
	[10_015, NEXT_ROUTE],
	[10_062, NEXT_ROUTE],
	// Slow mode, and too many messages in the channel.
	[20_016, RETRY],
	[20_028, RETRY],
	// Too many edits of messages older than an hour. A new message is possible.
	[30_046, NEXT_ROUTE],
	[40_005, { kind: "smallerFiles", isPerFile: false }],
	[50_045, { kind: "smallerFiles", isPerFile: true }],
	[400_001, { kind: "withoutFiles" }],
	// Missing access or permissions, expired token, archived or locked thread, wrong kind of channel.
	[50_001, NEXT_ROUTE],
	[50_005, NEXT_ROUTE],
	[50_008, NEXT_ROUTE],
	[50_013, NEXT_ROUTE],
	[50_027, NEXT_ROUTE],
	[50_083, NEXT_ROUTE],
	// The member accepts no direct messages, shares no server with the bot, or does not exist.
	[50_007, NEXT_ROUTE],
	[50_033, NEXT_ROUTE],
	[50_278, NEXT_ROUTE],
	// AutoMod of the server, by rule, title or link.
	[200_000, WITHOUT_PROMPT],
	[200_001, WITHOUT_PROMPT],
	[240_000, WITHOUT_PROMPT],
	[50_035, OTHER_FORM],
]);

export function classifyDeliveryError(route: DeliveryRoute, failure: CallFailure): DeliveryDecision {
	switch (failure.kind) {
		case "noResponse":
			return RETRY;
		case "noMessage":
			return NEXT_ROUTE;
		case "rateLimited":
			return { kind: "retry", retryAfterMs: failure.retryAfterMs };
		case "rejected":
			return BY_CODE.get(failure.code) ?? decideStatus(route, failure.status);
	}
}

/** Decides responses without a known code. */
function decideStatus(route: DeliveryRoute, status: number): DeliveryDecision {
	if (status >= 500 || status === 408 || status === 429) return RETRY;
	if (status === 413) return { kind: "smallerFiles", isPerFile: false };
	if (status === 400) return OTHER_FORM;
	// A rejected bot token fails every other route too. The process ends, and the next one continues.
	if (status === 401 && route !== "tokenEdit") return RETRY;
	return NEXT_ROUTE;
}
