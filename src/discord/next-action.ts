/** Decides what follows a failed call to Discord. Pure: one row for each known response. */
import type { DeliveryRoute } from "../services/delivery/delivery-routes.ts";

export type CallFailure =
	| { readonly kind: "rejected"; readonly status: number; readonly code: number | string }
	| { readonly kind: "rateLimited"; readonly retryAfterMs: number }
	/** Not connected, interrupted, too slow, or a success with another body: Discord may have performed the request. */
	| { readonly kind: "noResponse" };

/** The action of the reply client after a failed call. */
export type NextAction =
	/** This route does not work; another one may. */
	| { readonly kind: "nextRoute" }
	/** The files are too large for this channel. */
	| { readonly kind: "smallerFiles" }
	/** This channel accepts no files. */
	| { readonly kind: "withoutFiles" }
	/** The server's AutoMod rejects the text. */
	| { readonly kind: "withoutPrompt" }
	/** Discord rejects something in the form or the text of the message. */
	| { readonly kind: "otherForm" };

/** A later attempt may work. */
interface Retry {
	readonly kind: "retry";
	readonly retryAfterMs?: number;
}

const NEXT_ROUTE: NextAction = { kind: "nextRoute" };
const RETRY: Retry = { kind: "retry" };
const SMALLER_FILES: NextAction = { kind: "smallerFiles" };
const WITHOUT_PROMPT: NextAction = { kind: "withoutPrompt" };
const OTHER_FORM: NextAction = { kind: "otherForm" };

/**
 * Actions by Discord's error code, where they differ from that of the status:
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
const BY_CODE: ReadonlyMap<number | string, NextAction> = new Map<number | string, NextAction>([
	// Too many edits of messages older than an hour. A new message is possible.
	[30_046, NEXT_ROUTE],
	[50_045, SMALLER_FILES],
	[400_001, { kind: "withoutFiles" }],
	// Wrong kind of channel, expired token, unknown recipient, archived or locked thread.
	[50_008, NEXT_ROUTE],
	[50_027, NEXT_ROUTE],
	[50_033, NEXT_ROUTE],
	[50_083, NEXT_ROUTE],
	// AutoMod of the server, by rule, title or link.
	[200_000, WITHOUT_PROMPT],
	[200_001, WITHOUT_PROMPT],
	[240_000, WITHOUT_PROMPT],
]);

export function nextActionAfter(route: DeliveryRoute, failure: CallFailure): NextAction | Retry {
	switch (failure.kind) {
		case "noResponse":
			return RETRY;
		case "rateLimited":
			return { kind: "retry", retryAfterMs: failure.retryAfterMs };
		case "rejected":
			return BY_CODE.get(failure.code) ?? actionForStatus(route, failure.status);
	}
}

function actionForStatus(route: DeliveryRoute, status: number): NextAction | Retry {
	if (status >= 500 || status === 408 || status === 429) return RETRY;
	if (status === 413) return SMALLER_FILES;
	if (status === 400) return OTHER_FORM;
	// A rejected bot token fails every other route too. The process ends, and the next one continues.
	const usesToken = route === "tokenEdit" || route === "ephemeralFollowUp";
	if (status === 401 && !usesToken) return RETRY;
	return NEXT_ROUTE;
}
