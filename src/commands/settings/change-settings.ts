import type { BaseInteraction } from "discord.js";
import { memberAuthor } from "../../services/access/change-author.ts";
import { changesMessage } from "../../services/settings/format-changes.ts";
import type { SettingsUpdate } from "../../services/settings/settings-store.ts";
import type { InGuild } from "../framework/command.ts";
import type { CommandServices } from "../command-services.ts";

/** Changes the settings of the server in the name of the member. The `notice` names the changes; `undefined` if nothing was changed. */
export async function changeSettings(
	{ guildId, user }: BaseInteraction<InGuild>,
	update: SettingsUpdate,
	{ settingsService, logger }: CommandServices,
) {
	const author = memberAuthor(user.id, "discord");
	const { settings, changes } = await settingsService.change({ guildId, author, update }, logger);
	return { settings, notice: changesMessage(changes) };
}
