import type { Services } from "../app/create-services.ts";
import type { FirstResponseBarrier } from "./generation/first-response-barrier.ts";
import type { DeniedForms } from "./settings/denied-forms.ts";

/** The services that commands and components call: those of the bot, and two that only interactions need. */
export interface CommandServices extends Services {
	readonly firstResponseBarrier: FirstResponseBarrier;
	readonly deniedForms: DeniedForms;
}
