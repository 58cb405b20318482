import { SETTINGS_FILE_BYTES_MAX } from "@atelier/dashboard/limits";
import { fileReply } from "../../discord/card.ts";
import { settingsCard } from "./settings-card.ts";
import { readSettingsFile, writeSettingsFile } from "../../services/settings/settings-file.ts";
import { UserError } from "../../services/user-error.ts";
import { changeSettings } from "./change-settings.ts";
import { requireManager } from "../framework/invoking-member.ts";
import type { SlashInteraction } from "../framework/command.ts";
import { USER_AGENT } from "@atelier/common/user-agent";
import type { CommandServices } from "../command-services.ts";

const FETCH_TIMEOUT_MS = 10_000;

/** For managers only, like the import. */
export async function exportSettings(
	interaction: SlashInteraction,
	{ settings, commandMentions }: CommandServices,
): Promise<void> {
	requireManager(interaction);
	const exported = writeSettingsFile(await settings.read(interaction.guildId));
	const content = commandMentions.say(interaction.locale, { key: "settings.exported" });
	await interaction.editReply(fileReply(content, "settings.json", exported));
}

/**
 * Checks the whole file before it writes, and writes one change. For managers only: the file also contains what `/quota`, `/block`
 * and `/filter` change, which have permissions of their own.
 */
export async function importSettings(interaction: SlashInteraction, services: CommandServices): Promise<void> {
	requireManager(interaction);
	const imported = readSettingsFile(await textOf(interaction.options.getAttachment("file", true)));
	const { settings } = await changeSettings(interaction, () => imported, services);
	const notice = { key: "settings.imported" } as const;
	await interaction.editReply(settingsCard({ settings, page: "access", notice }, services, interaction));
}

/** Downloads the text of an attachment. Discord gives the URL; members cannot type it. */
async function textOf({ url, size }: { readonly url: string; readonly size: number }): Promise<string> {
	const sizeMaxKiB = SETTINGS_FILE_BYTES_MAX / 1024;
	if (size > SETTINGS_FILE_BYTES_MAX) throw new UserError({ key: "settings.importTooLarge", params: { sizeMaxKiB } });
	const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
	try {
		const response = await fetch(url, { redirect: "error", headers: { "user-agent": USER_AGENT }, signal });
		if (response.ok) return await response.text();
		await response.body?.cancel();
	} catch (cause) {
		throw new UserError({ key: "settings.importUnreadable" }, { cause });
	}
	throw new UserError({ key: "settings.importUnreadable" });
}
