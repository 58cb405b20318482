import type { Config } from "../config/load-config.ts";
import type { AppContext } from "./app-context.ts";

export interface BotContext extends AppContext {
	readonly config: Config;
	/** True if other processes of the bot use the store at the same time. */
	readonly isStoreShared: boolean;
}

/** The delay of the first run of daily work that is too heavy for the minutes after a start. */
export const FIRST_CLEANING_AFTER_MS = 5 * 60_000;
