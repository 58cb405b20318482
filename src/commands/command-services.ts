import type { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Services } from "../app/create-services.ts";
import type { SubmittedValues } from "./framework/form-fields.ts";
import type { createFirstResponseBarrier } from "./generation/first-response-barrier.ts";

/** Services that commands reach only through others. */
type InnerService =
	| "media"
	| "queue"
	| "refundTask"
	| "removeTask"
	| "resultLinks"
	| "results"
	| "runner"
	| "taskStore"
	| "tempDir";

/** Commands and components work with services of the bot, and with those that only interactions need. */
export interface CommandServices extends Omit<Services, InnerService> {
	/** Adds the ids of the interaction to every line. */
	readonly logger: Logger;
	readonly sendFirstResponse: ReturnType<typeof createFirstResponseBarrier>;
	/** The values of denied forms, with which the next form of a member starts. In memory: a lost value is entered again. */
	readonly deniedForms: LRUCache<string, SubmittedValues>;
}
