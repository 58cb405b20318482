import type { Logger } from "pino";
import type { Sealing } from "./encryption.ts";

/** What a store that is reached over a network needs. */
export interface StoreDeps {
	/** Hears of lost connections, and of a server that is set up to lose money. */
	readonly logger: Logger;
	/** How long a server may be silent before a call fails. */
	readonly answerTimeoutMs?: number | undefined;
	/** With what the words that people typed are sealed; without it they are not. */
	readonly sealing?: Sealing | undefined;
}
