import { createHash } from "node:crypto";

/** Discord's maximum. */
const NONCE_CHARS = 25;

/** Derives a nonce from a key: while Discord remembers it, the same key posts one message only. */
export function nonceOf(key: string): string {
	return createHash("sha256").update(key).digest("hex").slice(0, NONCE_CHARS);
}
