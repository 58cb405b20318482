import type { Logger } from "pino";
import type { Services } from "../app/create-services.ts";
import type { FirstResponseBarrier } from "./generation/first-response-barrier.ts";
import type { DeniedForms } from "./settings/denied-forms.ts";

/** Commands and components work with the services of the bot, and with those that only interactions need. */
export interface CommandServices extends Services {
	/** Adds the ids of the interaction to every line. */
	readonly logger: Logger;
	readonly firstResponseBarrier: FirstResponseBarrier;
	readonly deniedForms: DeniedForms;
}
