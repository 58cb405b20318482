/** What a call that went wrong means for the delivery: pure, one row for each thing that Discord is known to say. */
import type { DeliveryRoute } from "./reply-client.ts";

export type CallFailure =
	| { readonly kind: "refused"; readonly status: number; readonly code: number | string }
	| { readonly kind: "rateLimited"; readonly retryAfterMs: number }
	/** Not connected, broken off, or too slow: Discord may have acted or not. */
	| { readonly kind: "noAnswer" }
	/** A success without the message, and the message does not show what was sent. */
	| { readonly kind: "noMessage" };

export type Decision =
	/** This way does not lead there; another may. */
	| { readonly kind: "nextRoute" }
	/** This message is in order, and the files are too large for this place. */
	| { readonly kind: "smallerFiles"; readonly isPerFile: boolean }
	/** No files at all are taken in this place. */
	| { readonly kind: "withoutFiles" }
	/** Something in the text is not let through. */
	| { readonly kind: "withoutPrompt" }
	/** The same once more, later: nothing is known to be wrong with it. */
	| { readonly kind: "again"; readonly afterMs?: number };

const NEXT_ROUTE: Decision = { kind: "nextRoute" };
const AGAIN: Decision = { kind: "again" };
const WITHOUT_PROMPT: Decision = { kind: "withoutPrompt" };

/** By Discord's own codes; https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
const BY_CODE: ReadonlyMap<number | string, Decision> = new Map<number | string, Decision>([
	// Unknown channel, message, webhook and interaction: what is to be edited, or the token, is not there any more.
	[10_003, NEXT_ROUTE],
	[10_008, NEXT_ROUTE],
	[10_015, NEXT_ROUTE],
	[10_062, NEXT_ROUTE],
	// Slow mode, and too many messages in the channel.
	[20_016, AGAIN],
	[20_028, AGAIN],
	// Too many edits of messages older than an hour: a new message is none.
	[30_046, NEXT_ROUTE],
	[40_005, { kind: "smallerFiles", isPerFile: false }],
	[50_045, { kind: "smallerFiles", isPerFile: true }],
	[400_001, { kind: "withoutFiles" }],
	// Missing access and permissions, a token that is over, an archived or locked thread, a channel for other things.
	[50_001, NEXT_ROUTE],
	[50_005, NEXT_ROUTE],
	[50_008, NEXT_ROUTE],
	[50_013, NEXT_ROUTE],
	[50_027, NEXT_ROUTE],
	[50_083, NEXT_ROUTE],
	// Somebody who takes no direct messages, or shares no server with the bot; a recipient that is none.
	[50_007, NEXT_ROUTE],
	[50_033, NEXT_ROUTE],
	[50_278, NEXT_ROUTE],
	// A server's filter, by its rule, by its title, by a link.
	[200_000, WITHOUT_PROMPT],
	[200_001, WITHOUT_PROMPT],
	[240_000, WITHOUT_PROMPT],
	[50_035, WITHOUT_PROMPT],
]);

export function classifyDeliveryError(route: DeliveryRoute, fault: CallFailure): Decision {
	switch (fault.kind) {
		case "noAnswer":
			return AGAIN;
		case "noMessage":
			return NEXT_ROUTE;
		case "rateLimited":
			return { kind: "again", afterMs: fault.retryAfterMs };
		case "refused":
			return BY_CODE.get(fault.code) ?? decideStatus(route, fault.status);
	}
}

/** For what has no code, or one that is not known here. */
function decideStatus(route: DeliveryRoute, status: number): Decision {
	if (status >= 500 || status === 408 || status === 429) return AGAIN;
	if (status === 413) return { kind: "smallerFiles", isPerFile: false };
	if (status === 400) return WITHOUT_PROMPT;
	// A bot's token that is refused is refused on every other route too; the process ends over it, and the next one goes on.
	if (status === 401 && route !== "tokenEdit") return AGAIN;
	return NEXT_ROUTE;
}
