import type { DailyWork } from "@atelier/common/periodic-work";
import type { BoundCommandSet } from "../commands/framework/bind-commands.ts";
import type { Config } from "../config/load-config.ts";
import type { AppContext } from "./app-context.ts";

export interface BotContext extends AppContext {
	readonly config: Config;
	/** True if other processes of the bot use the store at the same time. */
	readonly isStoreShared: boolean;
}

/** A feature of the bot. Its factory takes the context and the features it builds on, and registers its own disposal. */
export interface Feature {
	readonly commands?: BoundCommandSet;
	readonly dailyWork?: readonly DailyWork[];
}

/** The delay of the first run of daily work that is too heavy for the minutes after a start. */
export const FIRST_CLEANING_AFTER_MS = 5 * 60_000;
