import { AttachmentBuilder } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { memberAuthor } from "../services/access/change-author.ts";
import { blockedCount } from "../services/moderation/policy.ts";
import { settingsPanel } from "./settings-panel.ts";
import {
	readSettingsFile,
	requireGuildChannels,
	SETTINGS_FILE_BYTES_MAX,
	writeSettingsFile,
} from "../services/settings/settings-file.ts";
import { t } from "../i18n/messages.ts";
import { UserError } from "../services/user-error.ts";
import type { ChannelDirectory } from "../services/moderation/authorization.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Subcommand } from "./command.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

const FETCH_TIMEOUT_MS = 10_000;

export interface SettingsFileDeps {
	readonly settings: GuildSettingsStore;
	readonly channels: Pick<ChannelDirectory, "isInGuild">;
	readonly clock: Clock;
}

export const exportSettings: Subcommand<SettingsFileDeps> = async (interaction, { settings }) => {
	const text = writeSettingsFile(await settings.read(interaction.guildId));
	const file = new AttachmentBuilder(Buffer.from(text), { name: "settings.json" });
	await interaction.editReply({ content: t(interaction.locale, { key: "settings.exported" }), files: [file] });
};

/** Checks the whole file before it writes, and writes one change. */
export const importSettings: Subcommand<SettingsFileDeps> = async (
	interaction,
	{ settings, channels, clock },
	logger,
) => {
	const { guildId, locale, user, options } = interaction;
	const imported = readSettingsFile(await textOf(options.getAttachment("file", true)));
	await requireGuildChannels(imported, (channelId) => channels.isInGuild(guildId, channelId));
	const after = await settings.change(guildId, () => imported, memberAuthor(user.id, "discord"));
	logger.info({ userId: user.id }, "settings imported");
	const blockedMembers = blockedCount(after, clock.nowMs());
	const notice = { key: "settings.imported" } as const;
	await interaction.editReply(settingsPanel({ settings: after, blockedMembers, notice, page: "access" }, locale));
};

/** Downloads the text of an attachment. Discord gives the URL; members cannot type it. */
async function textOf({ url, size }: { readonly url: string; readonly size: number }): Promise<string> {
	const sizeMaxKiB = SETTINGS_FILE_BYTES_MAX / 1024;
	if (size > SETTINGS_FILE_BYTES_MAX) throw new UserError({ key: "settings.importTooLarge", params: { sizeMaxKiB } });
	const response = await fetch(url, {
		redirect: "error",
		headers: { "user-agent": USER_AGENT },
		signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
	});
	if (!response.ok) {
		await response.body?.cancel();
		throw new UserError({ key: "settings.importUnreadable" });
	}
	const parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const part of response.body ?? []) {
		bytes += part.byteLength;
		if (bytes > SETTINGS_FILE_BYTES_MAX)
			throw new UserError({ key: "settings.importTooLarge", params: { sizeMaxKiB } });
		parts.push(part);
	}
	return Buffer.concat(parts).toString("utf8");
}
