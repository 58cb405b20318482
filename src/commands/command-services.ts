import type { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Services } from "../app/create-services.ts";
import type { SubmittedValues } from "./framework/form-fields.ts";
import type { FirstResponseBarrier } from "./generation/first-response-barrier.ts";

/** The services that commands and components use. They reach tasks, files and the queue only through them. */
type UsedServices = Pick<
	Services,
	| "accounts"
	| "catalog"
	| "channels"
	| "clock"
	| "commandMentions"
	| "commandOverrides"
	| "creditService"
	| "dashboardUrl"
	| "directory"
	| "drafts"
	| "gallery"
	| "languages"
	| "ledger"
	| "mayManagersGrant"
	| "memberTasks"
	| "privacyService"
	| "promptImprover"
	| "reportActions"
	| "reportService"
	| "resultAccess"
	| "resultDeletion"
	| "settings"
	| "settingsService"
	| "submissions"
	| "topUp"
	| "withheldDecisions"
>;

/** Commands and components work with services of the bot, and with those that only interactions need. */
export interface CommandServices extends UsedServices {
	/** Adds the ids of the interaction to every line. */
	readonly logger: Logger;
	readonly firstResponseBarrier: FirstResponseBarrier;
	/** The values of denied forms, with which the next form of a member starts. In memory: a lost value is entered again. */
	readonly deniedForms: LRUCache<string, SubmittedValues>;
}
