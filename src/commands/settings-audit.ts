import { formatChange } from "../services/settings/format-changes.ts";
import { say } from "../i18n/messages.ts";
import type { Command } from "./command.ts";

const PAGE_CHANGES = 10;
/** Of the 2,000 characters of a message, what is left beside its head and foot. */
const LINES_CHARS_MAX = 1_800;

/** One page of changes, and from where to go on. */
export const showAudit: Command["execute"] = async (interaction, { settings }) => {
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
		await interaction.editReply({ content: say(locale, { key: "auditEmpty" }) });
		return;
	}
	const foot = more ? [say(locale, { key: "auditMore", params: { before: oldest } })] : [];
	await interaction.editReply({ content: [say(locale, { key: "auditHead" }), ...lines, ...foot].join("\n") });
};
