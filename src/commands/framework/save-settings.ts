/** Saves changes of the settings that members make. */
import type { BaseInteraction, MessageComponentInteraction, ModalSubmitInteraction } from "discord.js";
import type { Logger } from "pino";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { memberAuthor } from "../../services/access/change-author.ts";
import type { GuildSettings, GuildSettingsStore, SettingsUpdate } from "../../services/settings/guild-settings.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "./command.ts";

interface SavedSettings {
	/** The stored settings, with the change unless it was denied. */
	readonly settings: GuildSettings;
	/** The reason if the change was denied. */
	readonly denial: MessageDescriptor | undefined;
}

interface SettingsChange {
	readonly settings: GuildSettingsStore;
	/** Identifies the changed setting in the log. */
	readonly logFields: Readonly<Record<string, string>>;
	readonly update: SettingsUpdate;
	/** Has a side effect that must precede the change, and may deny it. */
	readonly beforeSave?: () => Promise<void>;
}

/** Changes the settings of the server in the name of the member. */
export async function changeSettings(
	{ guildId, user }: BaseInteraction<InGuild>,
	settings: Pick<GuildSettingsStore, "change">,
	update: SettingsUpdate,
): Promise<GuildSettings> {
	return await settings.change(guildId, update, memberAuthor(user.id, "discord"));
}

/** Acknowledges the interaction and saves the change. A denial is a result, because the panel shows it beside the setting. */
export async function saveSettings(
	interaction: MessageComponentInteraction<InGuild> | ModalSubmitInteraction<InGuild>,
	{ settings, logFields, update, beforeSave }: SettingsChange,
	logger: Logger,
): Promise<SavedSettings> {
	await interaction.deferUpdate();
	const { guildId, user } = interaction;
	try {
		await beforeSave?.();
		const after = await changeSettings(interaction, settings, update);
		logger.info({ userId: user.id, ...logFields }, "settings changed");
		return { settings: after, denial: undefined };
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		logger.info({ denial: error.messageDescriptor.key }, "command denied");
		// Another process may have changed them after the last cached read.
		return { settings: (await settings.readRevision(guildId)).settings, denial: error.messageDescriptor };
	}
}
