import { createDiscordAnnouncer } from "../discord/channel-poster.ts";
import { createGuildLanguages } from "../services/settings/guild-languages.ts";
import { createGuildSettings } from "../services/settings/guild-settings.ts";
import { createSettingsLog } from "../services/settings/settings-log.ts";
import { createSetupProgress } from "../services/settings/setup-steps.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./connect-discord.ts";

export type SettingsFeature = ReturnType<typeof createSettings>;

/** The settings of each guild, and the announcement of their changes in its log channel. */
export function createSettings(context: BotContext, { client }: Pick<DiscordConnection, "client">) {
	const { store, clock, logger, disposables } = context;
	const announcer = createDiscordAnnouncer({ rest: client.rest });
	const languages = createGuildLanguages();
	const settingsLog = createSettingsLog({ announcer, languages, clock, logger });
	disposables.defer(() => settingsLog.stop());
	const settings = createGuildSettings(store, { clock, onChange: (...changed) => settingsLog.changed(...changed) });
	return { settings, announcer, languages, setupProgress: createSetupProgress(store) };
}
