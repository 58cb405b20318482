import type { ReplyFile } from "./final-reply.ts";

/** A message with files that the bot posts in a channel. */
export interface FilePost {
	/** Two posts with the same key within a few minutes show one message, because Discord compares the keys. */
	readonly key: string;
	readonly text: string;
	readonly files: readonly ReplyFile[];
}

/**
 * `rejected`: the bot may not post there, or Discord rejects every form of the message. `unknown`: Discord did not respond, or failed,
 * so the message may have been posted.
 */
export type PostOutcome =
	| { readonly kind: "posted"; readonly messageId: string }
	| { readonly kind: "rejected" }
	| { readonly kind: "unknown"; readonly error: unknown };

/** Posts as the bot, which needs permission to write and attach files in the channel. */
export interface FilePoster {
	post(channelId: string, post: FilePost): Promise<PostOutcome>;
}
