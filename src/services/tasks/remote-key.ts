import { createHash } from "node:crypto";

/** Names a task of a service in the store: its id may be longer than a key, and is unique only within that service. */
export function remoteKeyOf(serviceOrigin: string, remoteId: string): string {
	return createHash("sha256").update(`${serviceOrigin}\n${remoteId}`).digest("base64url");
}
