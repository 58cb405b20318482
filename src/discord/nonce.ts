import { createHash } from "node:crypto";

/** What Discord takes. */
const NONCE_CHARS = 25;

/** Derives a nonce: what has the same key is one message for as long as Discord remembers, however often it is sent. */
export function nonceOf(key: string): string {
	return createHash("sha256").update(key).digest("hex").slice(0, NONCE_CHARS);
}
