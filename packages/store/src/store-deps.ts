import type { Logger } from "pino";
import type { Encryption } from "./encryption.ts";

export interface StoreDeps {
	/** Receives lost connections, full disks, and warnings about servers whose configuration may lose credits. */
	readonly logger: Logger;
	/** The timeout of one call to a server. */
	readonly responseTimeoutMs?: number | undefined;
	/** Encrypts member input; without it, documents are plain. */
	readonly encryption?: Encryption | undefined;
}
