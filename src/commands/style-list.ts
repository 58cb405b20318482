/** Formats and changes a server's styles. */
import type { ChatInputCommandInteraction, ModalSubmitInteraction } from "discord.js";
import type { Logger } from "pino";
import { memberAuthor } from "../services/access/change-author.ts";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { formatStyleOptions } from "../services/settings/apply-style.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import type { InGuild } from "./command.ts";
import { requireManager } from "./invoking-member.ts";
import { definePagedList } from "./paged-list.ts";

const TEXT_CHARS_SHOWN = 100;
const PAGE_STYLES = 10;

interface StyleListDeps {
	readonly settings: Pick<GuildSettingsStore, "read">;
}

/** Changes the styles for a manager, and edits the deferred reply to the new list. */
export async function changeStyles(
	interaction: ChatInputCommandInteraction<InGuild> | ModalSubmitInteraction<InGuild>,
	{ settings }: { readonly settings: Pick<GuildSettingsStore, "change" | "read"> },
	logger: Logger,
	applyChange: (settings: GuildSettings) => GuildSettings,
): Promise<void> {
	requireManager(interaction);
	const { guildId, user } = interaction;
	const after = await settings.change(guildId, applyChange, memberAuthor(user.id, "discord"));
	logger.info({ userId: user.id, styles: Object.keys(after.styles).length }, "styles changed");
	await styleList.show(interaction, {}, { settings });
}

export const styleList = definePagedList<StyleListDeps>("styles", async (interaction, { page }, { settings }) => {
	const { guildId, locale } = interaction;
	const { styles } = await settings.read(guildId);
	const all = Object.entries(styles);
	const firstIndex = page * PAGE_STYLES;
	const shown = all.slice(firstIndex, firstIndex + PAGE_STYLES);
	if (shown.length === 0) return t(locale, { key: "style.listEmpty" });
	const rows = shown.map(([name, style]) => {
		const quotedText = style.text === "" ? [] : [quote(style.text, TEXT_CHARS_SHOWN)];
		const text = [...quotedText, ...formatStyleOptions(style, locale)].join(" · ");
		return { text: t(locale, { key: "style.line", params: { name, mediaType: style.mediaType, text } }) };
	});
	return { head: t(locale, { key: "style.head" }), rows, hasMore: all.length > firstIndex + PAGE_STYLES };
});
