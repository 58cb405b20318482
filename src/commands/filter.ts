import { AttachmentBuilder, MessageFlags, PermissionFlagsBits, type ChatInputCommandInteraction } from "discord.js";
import type { Logger } from "pino";
import { memberAuthor } from "../services/access/change-author.ts";
import { addPattern, removePattern } from "../services/moderation/moderation-changes.ts";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { PATTERN_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { findFilterMatch } from "../services/moderation/word-filter.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import type { Command, InGuild } from "./command.ts";
import { requireAuthorization } from "./invoking-member.ts";
import { localize } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";
import { CHOICES_MAX } from "../discord/choice-limits.ts";

/** Discord's maximum for a string option. */
const TEXT_CHARS_MAX = 6000;
/** Twice the stored maximum: normalizing a pattern can shorten it. */
const INPUT_CHARS_MAX = 2 * PATTERN_CHARS_MAX;

/** A message has at most 2,000 characters; these, which include the first line, leave space for the last one. */
const LINES_CHARS_MAX = 1_700;

type Interaction = ChatInputCommandInteraction<InGuild>;

interface FilterDeps {
	readonly settings: GuildSettingsStore;
	readonly commandOverrides: CommandOverrides;
}

export const filter: Command<FilterDeps> = {
	definition: guildCommand("filter", "command.filter")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((add) =>
			localize(add, "add", "command.filterAdd").addStringOption((option) =>
				localize(option, "pattern", "option.pattern").setRequired(true).setMaxLength(INPUT_CHARS_MAX),
			),
		)
		.addSubcommand((remove) =>
			localize(remove, "remove", "command.filterRemove").addStringOption((option) =>
				localize(option, "pattern", "option.patternToRemove")
					.setRequired(true)
					.setMaxLength(INPUT_CHARS_MAX)
					.setAutocomplete(true),
			),
		)
		.addSubcommand((all) => localize(all, "list", "command.filterList"))
		.addSubcommand((test) =>
			localize(test, "test", "command.filterTest").addStringOption((option) =>
				localize(option, "text", "option.filterText").setRequired(true).setMaxLength(TEXT_CHARS_MAX),
			),
		)
		.toJSON(),

	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps);
		const { guildId, options } = interaction;
		switch (options.getSubcommand()) {
			case "add":
				return await change(interaction, deps, logger, (before) =>
					addPattern(before, options.getString("pattern", true)),
				);
			case "remove":
				return await change(interaction, deps, logger, (before) =>
					removePattern(before, options.getString("pattern", true)),
				);
			case "test":
				return await testText(interaction, await deps.settings.read(guildId));
			default:
				return await list(interaction, await deps.settings.read(guildId));
		}
	},

	async autocomplete(interaction, deps) {
		if (!interaction.inGuild()) return;
		// Autocomplete shows the same patterns as `/filter list`, so it needs the same permission.
		await requireAuthorization(interaction, deps);
		const { guildId, options } = interaction;
		const text = options.getFocused().trim().toLowerCase();
		const { filter: stored } = await deps.settings.read(guildId);
		const found = stored.patterns.filter((pattern) => pattern.includes(text)).slice(0, CHOICES_MAX);
		await interaction.respond(found.map((pattern) => ({ name: pattern, value: pattern })));
	},
};

async function change(
	interaction: Interaction,
	{ settings }: Pick<FilterDeps, "settings">,
	logger: Logger,
	applyChange: (settings: GuildSettings) => GuildSettings,
): Promise<void> {
	const { guildId, user } = interaction;
	const after = await settings.change(guildId, applyChange, memberAuthor(user.id, "discord"));
	logger.info({ userId: user.id, patterns: after.filter.patterns.length }, "filter changed");
	await list(interaction, after);
}

/** Shows as many patterns as fit into a message. Attaches all of them as a file if some do not fit. */
async function list(interaction: Interaction, { filter: { patterns } }: GuildSettings): Promise<void> {
	const { locale } = interaction;
	if (patterns.length === 0) {
		await interaction.editReply({ content: t(locale, { key: "filter.empty" }) });
		return;
	}
	const head = t(locale, { key: "filter.head", params: { patterns: patterns.length } });
	const shown: string[] = [];
	let chars = head.length;
	for (const line of patterns.map((pattern) => `- ${quote(pattern, PATTERN_CHARS_MAX)}`)) {
		chars += line.length + 1;
		if (chars > LINES_CHARS_MAX) break;
		shown.push(line);
	}
	if (shown.length === patterns.length) {
		await interaction.editReply({ content: [head, ...shown].join("\n") });
		return;
	}
	const content = [head, ...shown, t(locale, { key: "list.inFile" })].join("\n");
	const file = new AttachmentBuilder(Buffer.from(`${patterns.join("\n")}\n`), { name: "filter.txt" });
	await interaction.editReply({ content, files: [file] });
}

async function testText(interaction: Interaction, { filter: { patterns } }: GuildSettings): Promise<void> {
	const { locale, options } = interaction;
	const match = findFilterMatch(patterns, options.getString("text", true));
	const content = match
		? t(locale, {
				key: "filter.blocked",
				params: {
					pattern: quote(match.pattern, PATTERN_CHARS_MAX),
					found: quote(match.found, PATTERN_CHARS_MAX),
				},
			})
		: t(locale, { key: "filter.passed" });
	await interaction.editReply({ content });
}
