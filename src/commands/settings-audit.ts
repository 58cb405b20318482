import { formatChange } from "../services/settings/format-changes.ts";
import { t } from "../i18n/messages.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Subcommand } from "./command.ts";

const PAGE_CHANGES = 10;
/** A message has 2,000 characters; the rest is for its first and last line. */
const LINES_CHARS_MAX = 1_800;

/** Shows one page of changes, and the command for the next page. */
export const showAudit: Subcommand<{ readonly settings: Pick<GuildSettingsStore, "changes"> }> = async (
	interaction,
	{ settings },
) => {
	const { guildId, locale, options } = interaction;
	const lines: string[] = [];
	let chars = 0;
	let oldest: number | undefined;
	let more = false;
	for await (const change of settings.changes(guildId, options.getInteger("before") ?? undefined)) {
		const line = formatChange(change, locale);
		more = lines.length === PAGE_CHANGES || chars + line.length > LINES_CHARS_MAX;
		if (more) break;
		chars += line.length + 1;
		oldest = change.revision;
		lines.push(line);
	}
	if (oldest === undefined) {
		await interaction.editReply({ content: t(locale, { key: "audit.empty" }) });
		return;
	}
	const foot = more ? [t(locale, { key: "audit.more", params: { before: oldest } })] : [];
	await interaction.editReply({ content: [t(locale, { key: "audit.head" }), ...lines, ...foot].join("\n") });
};
