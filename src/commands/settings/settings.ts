import { t } from "../../i18n/messages.ts";
import { knownModels } from "../../services/generation/model-catalog.ts";
import { takesPrompt } from "../../services/generation/request.ts";
import { formatChange } from "../../services/settings/format-changes.ts";
import type { ChangeRecord } from "../../services/settings/settings-store.ts";
import { attachmentOption } from "../framework/command-options.ts";
import { defineCommandGroup, subcommand } from "../framework/command.ts";
import { MANAGERS_OR_ALLOWED, requireManager } from "../framework/invoking-member.ts";
import { definePagedList, entriesOfPage } from "../framework/paged-list.ts";
import { modelSuggestions, styleSuggestions } from "../generation/autocomplete.ts";
import { exportSettings, importSettings } from "./export-import.ts";
import { settingsCard } from "./settings-card.ts";
import { SETTINGS_SUBCOMMANDS } from "./settings-subcommands.ts";

export const settings = defineCommandGroup(
	"settings",
	[
		subcommand("show", [], async (interaction, services) => {
			const view = { settings: await services.settings.read(interaction.guildId), page: "access" } as const;
			await interaction.editReply(settingsCard(view, services, interaction));
		}),
		...SETTINGS_SUBCOMMANDS,
		subcommand("audit", [], async (interaction, services) => {
			requireManager(interaction);
			await auditList.show(interaction, {}, services);
		}),
		subcommand("export", [], exportSettings),
		subcommand("import", [attachmentOption("file", "option.importFile", { required: true })], importSettings),
	],
	{
		audience: MANAGERS_OR_ALLOWED,
		/** Offers styles, or models of every media type whose name or id contains the text. */
		async autocomplete(interaction, { catalog, settings: store }) {
			const { guildId, locale, options } = interaction;
			const focused = options.getFocused(true);
			if (focused.name === "style")
				return await interaction.respond(styleSuggestions(await store.read(guildId), null, focused.value));
			const known = knownModels(catalog);
			const models = options.getSubcommand() === "defaults" ? known.filter(takesPrompt) : known;
			const format = { locale, creditPrice: catalog.creditPrice };
			await interaction.respond(modelSuggestions(models, focused.value, format));
		},
	},
);

const PAGE_CHANGES = 10;

/** For managers only, like the export: the records name what `/quota`, `/block` and `/filter` changed. */
export const auditList = definePagedList(
	"audit",
	async (interaction, { page }, { settings: store }) => {
		const { guildId, locale } = interaction;
		const changes: ChangeRecord[] = [];
		for await (const change of store.changes(guildId)) {
			changes.push(change);
			if (changes.length > (page + 1) * PAGE_CHANGES) break;
		}
		const { entries, hasMore } = entriesOfPage(changes, page, PAGE_CHANGES);
		if (entries.length === 0) return t(locale, { key: "audit.empty" });
		const rows = entries.map((change) => ({ text: formatChange(change, locale) }));
		return { head: t(locale, { key: "audit.head" }), rows, hasMore };
	},
	requireManager,
);
