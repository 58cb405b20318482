import { AttachmentBuilder } from "discord.js";
import type { Logger } from "pino";
import { addPattern, removePattern } from "../services/moderation/moderation-changes.ts";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { PATTERN_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { findFilterMatch } from "../services/moderation/word-filter.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import { stringOption } from "./command-options.ts";
import { defineCommandGroup, subcommand, type SlashInteraction } from "./command.ts";
import { MANAGERS } from "./invoking-member.ts";
import { changeSettings } from "./save-settings.ts";
import { CHOICES_MAX } from "../discord/card.ts";

/** Discord's maximum for a string option. */
const TEXT_CHARS_MAX = 6000;
/** Twice the stored maximum: normalizing a pattern can shorten it. */
const INPUT_CHARS_MAX = 2 * PATTERN_CHARS_MAX;

/** A message has at most 2,000 characters; these, which include the first line, leave space for the last one. */
const LINES_CHARS_MAX = 1_700;

interface FilterDeps {
	readonly settings: GuildSettingsStore;
	readonly commandOverrides: CommandOverrides;
}

export const filter = defineCommandGroup<FilterDeps>(
	"filter",
	"command.filter",
	[
		subcommand(
			"add",
			"command.filterAdd",
			[stringOption("pattern", "option.pattern", { required: true, max_length: INPUT_CHARS_MAX })],
			changing(addPattern),
		),
		subcommand(
			"remove",
			"command.filterRemove",
			[
				stringOption("pattern", "option.patternToRemove", {
					required: true,
					max_length: INPUT_CHARS_MAX,
					autocomplete: true,
				}),
			],
			changing(removePattern),
		),
		subcommand("list", "command.filterList", [], async (interaction, { settings }: FilterDeps) =>
			list(interaction, await settings.read(interaction.guildId)),
		),
		subcommand(
			"test",
			"command.filterTest",
			[stringOption("text", "option.filterText", { required: true, max_length: TEXT_CHARS_MAX })],
			testText,
		),
	],
	{
		audience: MANAGERS,
		async autocomplete(interaction, deps) {
			if (!interaction.inGuild()) return;
			// Autocomplete shows the same patterns as `/filter list`, so it needs the same permission.
			await MANAGERS.require(interaction, deps);
			const { guildId, options } = interaction;
			const text = options.getFocused().trim().toLowerCase();
			const { filter: stored } = await deps.settings.read(guildId);
			const found = stored.patterns.filter((pattern) => pattern.includes(text)).slice(0, CHOICES_MAX);
			await interaction.respond(found.map((pattern) => ({ name: pattern, value: pattern })));
		},
	},
);

/** Returns the subcommand that changes the filter by a pattern, and lists the patterns. */
function changing(changePattern: (settings: GuildSettings, pattern: string) => GuildSettings) {
	return async (interaction: SlashInteraction, { settings }: FilterDeps, logger: Logger): Promise<void> => {
		const { options, user } = interaction;
		const after = await changeSettings(interaction, settings, (before) =>
			changePattern(before, options.getString("pattern", true)),
		);
		logger.info({ userId: user.id, patterns: after.filter.patterns.length }, "filter changed");
		await list(interaction, after);
	};
}

/** Shows as many patterns as fit into a message. Attaches all of them as a file if some do not fit. */
async function list(interaction: SlashInteraction, { filter: { patterns } }: GuildSettings): Promise<void> {
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

async function testText(interaction: SlashInteraction, { settings }: FilterDeps): Promise<void> {
	const { guildId, locale, options } = interaction;
	const { filter: stored } = await settings.read(guildId);
	const match = findFilterMatch(stored.patterns, options.getString("text", true));
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
