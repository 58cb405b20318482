import { formatFieldChange } from "../../../services/settings/format-changes.ts";
import { diffSettings, type GuildSettings } from "../../../services/settings/guild-settings.ts";
import { readSettingsFile, requireGuildChannels } from "../../../services/settings/settings-file.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";
import { documentOf, orConflict } from "./settings.ts";

export const settingsImportHandlers: Handlers<"previewImport" | "importSettings"> = {
	async previewImport({ params: { server }, body: { text }, reader }, services) {
		const imported = await readFile(server, text, services);
		const { settings, revision } = await services.settings.readRevision(server);
		const changes = diffSettings(settings, imported).map((change) => formatFieldChange(change, reader.locale));
		return { revision, changes };
	},

	async importSettings({ params: { server }, body: { text, revision }, reader }, services) {
		const imported = await readFile(server, text, services);
		const saved = await orConflict(
			services.settings.changeRevision(server, revision, () => imported, settingsAuthorOf(reader)),
		);
		reader.logger.info({ userId: reader.userId, revision: saved.revision }, "settings imported");
		return documentOf(saved);
	},
};

/** Throws a denial that names the invalid fields, as the command does. */
async function readFile(
	guildId: string,
	text: string,
	{ channels }: Pick<DashboardServices, "channels">,
): Promise<GuildSettings> {
	const imported = readSettingsFile(text);
	await requireGuildChannels(imported, (channelId) => channels.isInGuild(guildId, channelId));
	return imported;
}
