import type { Logger } from "pino";

/** What a store that is reached over a network needs. */
export interface StoreDeps {
	/** Hears of lost connections, and of a server that is set up to lose money. */
	readonly logger: Logger;
	/** How long a server may be silent before a call fails. */
	readonly answerTimeoutMs?: number | undefined;
}
