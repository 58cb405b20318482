import { formatChange } from "../services/settings/format-changes.ts";
import { t } from "../i18n/messages.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { Subcommand } from "./command.ts";
import { requireManager } from "./invoking-member.ts";
import { definePagedList } from "./paged-list.ts";

const PAGE_CHANGES = 10;

interface AuditDeps {
	readonly settings: Pick<GuildSettingsStore, "changes">;
}

const auditList = definePagedList<AuditDeps>(
	"audit",
	async (interaction, { page }, { settings }) => {
		const { guildId, locale } = interaction;
		const lines: string[] = [];
		const firstIndex = page * PAGE_CHANGES;
		for await (const change of settings.changes(guildId)) {
			lines.push(formatChange(change, locale));
			if (lines.length > firstIndex + PAGE_CHANGES) break;
		}
		const shown = lines.slice(firstIndex, firstIndex + PAGE_CHANGES);
		if (shown.length === 0) return t(locale, { key: "audit.empty" });
		return {
			head: t(locale, { key: "audit.head" }),
			rows: shown.map((text) => ({ text })),
			hasMore: lines.length > firstIndex + PAGE_CHANGES,
		};
	},
	requireManager,
);

export const turnAuditPage = auditList.turnPage;
export const showAudit: Subcommand<AuditDeps> = (interaction, deps) => auditList.show(interaction, {}, deps);
