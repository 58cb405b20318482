import { bind } from "../commands/framework/bind-commands.ts";
import { settingsCommands } from "../commands/index.ts";
import { createDiscordChannelPoster } from "../discord/discord-channel-poster.ts";
import { createChannelDirectory } from "../discord/channel-directory.ts";
import type { GuildReader } from "../discord/guild-reader.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import { createCommandOverrides } from "../discord/command-overrides.ts";
import type { GuildDirectory } from "../services/access/guild-directory.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import { createGuildLanguages } from "../services/settings/guild-languages.ts";
import { createGuildSettings } from "../services/settings/guild-settings.ts";
import { createDeniedForms } from "../commands/settings/denied-forms.ts";
import { createSettingsService } from "../services/settings/settings-service.ts";
import { createSettingsLog } from "../services/settings/settings-log.ts";
import { createSetupProgress } from "../services/settings/setup-steps.ts";
import type { BotContext } from "./bot-context.ts";
import type { DiscordConnection } from "./discord-connection.ts";

interface SettingsDeps extends Pick<DiscordConnection, "client"> {
	readonly readGuild: GuildReader;
	readonly directory: GuildDirectory;
	readonly catalog: ModelCatalog;
	readonly promptImprover: PromptImprover | undefined;
	readonly commandMentions: Pick<CommandMentions, "learn" | "idOf">;
}

export type SettingsFeature = ReturnType<typeof createSettings>;

/** Builds the settings of each server, and the announcement of their changes in its log channel. */
export function createSettings(
	context: BotContext,
	{ client, readGuild, directory, catalog, promptImprover, commandMentions }: SettingsDeps,
) {
	const { store, clock, logger, disposables } = context;
	const channelPoster = createDiscordChannelPoster({ rest: client.rest });
	const channels = createChannelDirectory({ rest: client.rest });
	const commandOverrides = createCommandOverrides({ rest: client.rest, commandMentions, clock });
	const languages = createGuildLanguages({
		readLocale: async (guildId) => (await readGuild(guildId))?.guild.preferred_locale,
	});
	const settingsLog = createSettingsLog({ channelPoster, languages, clock, logger });
	disposables.defer(() => settingsLog.stop());
	const settings = createGuildSettings(store, { clock, onChange: (...changed) => settingsLog.changed(...changed) });
	const settingsService = createSettingsService({
		settings,
		channels,
		channelPoster,
		languages,
		provided: { improver: promptImprover !== undefined, moderation: context.config.MODERATION_URL !== undefined },
	});
	const deniedForms = createDeniedForms();
	const commands = bind(settingsCommands, {
		settings,
		settingsService,
		catalog,
		directory,
		commandOverrides,
		setupProgress: createSetupProgress(store),
		deniedForms,
		clock,
	});
	return { settings, settingsService, languages, channelPoster, channels, commandOverrides, deniedForms, commands };
}
