import type { BaseInteraction } from "discord.js";
import type { Logger } from "pino";
import { memberAuthor } from "../../services/access/change-author.ts";
import type { GuildSettingsStore, SettingsUpdate } from "../../services/settings/guild-settings.ts";
import type { GuildSettings } from "../../services/settings/settings-schema.ts";
import type { SettingsService } from "../../services/settings/settings-service.ts";
import type { InGuild } from "../framework/command.ts";

export interface ChangeSettingsDeps {
	readonly settings: Pick<GuildSettingsStore, "read" | "readRevision">;
	readonly settingsService: Pick<SettingsService, "change" | "requireProvided">;
}

/** Changes the settings of the server in the name of the member, and resolves to the new ones. */
export async function changeSettings(
	{ guildId, user }: BaseInteraction<InGuild>,
	update: SettingsUpdate,
	{ settingsService }: ChangeSettingsDeps,
	logger: Logger,
): Promise<GuildSettings> {
	const author = memberAuthor(user.id, "discord");
	return (await settingsService.change({ guildId, author, update }, logger)).settings;
}
