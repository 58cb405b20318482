import { createHash } from "node:crypto";

/** Discord's maximum. */
const NONCE_CHARS = 25;

/**
 * Derives the nonce of a message: while Discord remembers it, the same key posts one message only in a channel. Discord documents
 * that it compares the messages of one author, of all channels.
 */
export function nonceOf(channelId: string, key: string): string {
	return createHash("sha256").update(`${channelId}:${key}`).digest("hex").slice(0, NONCE_CHARS);
}
