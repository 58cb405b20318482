/** Formats and changes a server's styles. */
import type { ChatInputCommandInteraction, ModalSubmitInteraction } from "discord.js";
import type { Logger } from "pino";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { formatStyleOptions } from "../services/settings/apply-style.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import type { InGuild } from "./command.ts";
import { listReply } from "./list-reply.ts";
import { requireManager } from "./invoking-member.ts";

const TEXT_CHARS_SHOWN = 100;

/** Changes the styles for a manager, and edits the deferred reply to the new list. */
export async function changeStyles(
	interaction: ChatInputCommandInteraction<InGuild> | ModalSubmitInteraction<InGuild>,
	{ settings }: { readonly settings: Pick<GuildSettingsStore, "change"> },
	logger: Logger,
	changed: (settings: GuildSettings) => GuildSettings,
): Promise<void> {
	requireManager(interaction);
	const { guildId, locale, user } = interaction;
	const after = await settings.change(guildId, changed, `member:${user.id}`);
	logger.info({ userId: user.id, styles: Object.keys(after.styles).length }, "styles changed");
	await interaction.editReply(styleListReply(after, locale));
}

export function styleListReply({ styles }: GuildSettings, locale: string) {
	const all = Object.entries(styles);
	if (all.length === 0) return { content: t(locale, { key: "style.listEmpty" }) };
	const lines = all.map(([name, style]) => {
		const words = style.text === "" ? [] : [quote(style.text, TEXT_CHARS_SHOWN)];
		const text = [...words, ...formatStyleOptions(style, locale)].join(" · ");
		return t(locale, { key: "style.line", params: { name, mediaType: style.medium, text } });
	});
	const fileLines = all.map(([name, { text, medium, model, options }]) =>
		[name, medium ?? "", text, model ?? "", JSON.stringify(options)].join("\t"),
	);
	const foot = t(locale, { key: "list.inFile" });
	return listReply(t(locale, { key: "style.head" }), lines, { foot, fileName: "styles.txt", fileLines });
}
