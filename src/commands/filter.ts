import { addPattern, removePattern, TYPED_PATTERN_CHARS_MAX } from "../services/settings/change-moderation.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { PATTERN_CHARS_MAX } from "@atelier/dashboard/limits";
import { findFilterMatch } from "../services/settings/word-filter.ts";
import { t } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import { changeSettings } from "./settings/change-settings.ts";
import { defineEntryCustomId, defineEntryRemoval, entryButton } from "./settings/entry-button.ts";
import { stringOption, STRING_CHARS_MAX } from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type SlashInteraction } from "./framework/command.ts";
import { MANAGERS_OR_ALLOWED } from "./framework/invoking-member.ts";
import { definePagedList, entriesOfPage } from "./framework/paged-list.ts";
import { CHOICES_MAX } from "../discord/card.ts";
import type { CommandServices } from "./command-services.ts";

/** A pattern with its button takes three components of a message, which has 40 at most. */
const PAGE_PATTERNS = 11;

export const filter = defineCommandGroup(
	"filter",
	[
		subcommand(
			"add",
			[stringOption("pattern", "option.pattern", { required: true, max_length: TYPED_PATTERN_CHARS_MAX })],
			patternChange(addPattern),
		),
		subcommand(
			"remove",
			[
				stringOption("pattern", "option.patternToRemove", {
					required: true,
					max_length: TYPED_PATTERN_CHARS_MAX,
					autocomplete: true,
				}),
			],
			patternChange(removePattern),
		),
		subcommand("list", [], (interaction, services) => filterList.show(interaction, {}, services)),
		subcommand(
			"test",
			[stringOption("text", "option.filterText", { required: true, max_length: STRING_CHARS_MAX })],
			testText,
		),
	],
	{
		audience: MANAGERS_OR_ALLOWED,
		async autocomplete(interaction, services) {
			// Autocomplete shows the same patterns as `/filter list`, so it needs the same permission.
			await MANAGERS_OR_ALLOWED.require(interaction, services);
			const { guildId, options } = interaction;
			const text = options.getFocused().trim().toLowerCase();
			const { filter: stored } = await services.settings.read(guildId);
			const found = stored.patterns.filter((pattern) => pattern.includes(text)).slice(0, CHOICES_MAX);
			await interaction.respond(found.map((pattern) => ({ name: pattern, value: pattern })));
		},
	},
);

/** Returns what a subcommand does: it changes the filter by the typed pattern, and lists the patterns. */
function patternChange(changePattern: (settings: GuildSettings, pattern: string) => GuildSettings) {
	return async (interaction: SlashInteraction, services: CommandServices): Promise<void> => {
		const pattern = interaction.options.getString("pattern", true);
		await changeSettings(interaction, (before) => changePattern(before, pattern), services);
		await filterList.show(interaction, {}, services);
	};
}

const authorizePress = MANAGERS_OR_ALLOWED.authorizePressOf("filter");
const removeCustomId = defineEntryCustomId("filter-remove");

export const filterList = definePagedList(
	"filter",
	async ({ guildId, locale }, { page }, { settings }) => {
		// An import may repeat a pattern.
		const patterns = [...new Set((await settings.read(guildId)).filter.patterns)];
		// Newest first: the reply to a new pattern shows it.
		const { entries, hasMore } = entriesOfPage(patterns.toReversed(), page, PAGE_PATTERNS);
		if (entries.length === 0) return t(locale, { key: "filter.empty" });
		return {
			head: t(locale, { key: "filter.head", params: { patterns: patterns.length } }),
			rows: entries.map((pattern) => ({
				text: `- ${quote(pattern, PATTERN_CHARS_MAX)}`,
				buttons: [entryButton(removeCustomId, pattern, page, { key: "button.remove" }, locale)],
			})),
			hasMore,
		};
	},
	authorizePress,
);

/** Removes the pattern beside the button. */
export const removeListedPattern = defineEntryRemoval({
	customIdCodec: removeCustomId,
	list: filterList,
	authorizePress,
	entriesOf: ({ filter: { patterns } }) => patterns,
	remove: removePattern,
});

async function testText(interaction: SlashInteraction, { settings }: CommandServices): Promise<void> {
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
