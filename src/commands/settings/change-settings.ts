import type { BaseInteraction } from "discord.js";
import { memberAuthor } from "../../services/access/change-author.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { changesMessage } from "../../services/settings/format-changes.ts";
import { diffSettings, type SettingsUpdate } from "../../services/settings/guild-settings.ts";
import type { GuildSettings } from "../../services/settings/settings-schema.ts";
import type { InGuild } from "../framework/command.ts";
import type { CommandServices } from "../command-services.ts";

interface ChangedSettings {
	readonly settings: GuildSettings;
	/** Names the changes; `undefined` if nothing was changed. */
	readonly notice: MessageDescriptor | undefined;
}

/** Changes the settings of the server in the name of the member. */
export async function changeSettings(
	{ guildId, user }: BaseInteraction<InGuild>,
	update: SettingsUpdate,
	{ settingsService, logger }: CommandServices,
): Promise<ChangedSettings> {
	const author = memberAuthor(user.id, "discord");
	let before: GuildSettings | undefined;
	const updateAndKeep: SettingsUpdate = (current) => {
		before = current;
		return update(current);
	};
	const { settings } = await settingsService.change({ guildId, author, update: updateAndKeep }, logger);
	return { settings, notice: changesMessage(diffSettings(before, settings)) };
}
