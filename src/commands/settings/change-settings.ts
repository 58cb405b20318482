import type { BaseInteraction } from "discord.js";
import { memberAuthor } from "../../services/access/change-author.ts";
import type { SettingsUpdate } from "../../services/settings/guild-settings.ts";
import type { GuildSettings } from "../../services/settings/settings-schema.ts";
import type { InGuild } from "../framework/command.ts";
import type { CommandServices } from "../command-services.ts";

/** Changes the settings of the server in the name of the member, and resolves to the new ones. */
export async function changeSettings(
	{ guildId, user }: BaseInteraction<InGuild>,
	update: SettingsUpdate,
	{ settingsService, logger }: CommandServices,
): Promise<GuildSettings> {
	const author = memberAuthor(user.id, "discord");
	return (await settingsService.change({ guildId, author, update }, logger)).settings;
}
