import type { ReplyFile } from "./reply-client.ts";

/** A message of the bot in a channel. The same key posts one message only, while Discord remembers it. */
export interface ChannelPost {
	readonly key: string;
	readonly text: string;
	readonly files: readonly ReplyFile[];
}

/** `unknown`: Discord did not respond, so the message may be there. */
export type PostOutcome =
	| { readonly kind: "posted"; readonly messageId: string }
	| { readonly kind: "rejected" }
	| { readonly kind: "unknown"; readonly error: unknown };
