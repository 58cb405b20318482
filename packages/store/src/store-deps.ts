import type { Logger } from "pino";
import type { Encryption } from "./encryption.ts";

/** Dependencies of a store on a server. */
export interface StoreDeps {
	/** Logs lost connections, and servers whose configuration may lose credits. */
	readonly logger: Logger;
	/** The timeout of a call. */
	readonly answerTimeoutMs?: number | undefined;
	/** The encryption of member input; without it, documents are plain. */
	readonly encryption?: Encryption | undefined;
}
