import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { addPattern, removePattern } from "../services/moderation/block-changes.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { PATTERN_CHARS_MAX } from "../services/settings/settings-schema.ts";
import { findFilterMatch } from "../services/moderation/word-filter.ts";
import { say } from "../i18n/messages.ts";
import { quote } from "../i18n/quote.ts";
import type { Command, Services } from "./command.ts";
import { listReply } from "./list-reply.ts";
import { requireAuthorization } from "./member.ts";
import { localize } from "./localize.ts";

const TEXT_CHARS_MAX = 6000;
const CHOICES_MAX = 25;
/** Twice what is stored: what is typed may be longer than what is left of it. */
const TYPED_CHARS_MAX = 2 * PATTERN_CHARS_MAX;

type Interaction = ChatInputCommandInteraction<"raw" | "cached">;

export const filter: Command = {
	definition: localize(new SlashCommandBuilder(), "filter", "filterDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((add) =>
			localize(add, "add", "filterAddDescription").addStringOption((option) =>
				localize(option, "pattern", "optionPattern").setRequired(true).setMaxLength(TYPED_CHARS_MAX),
			),
		)
		.addSubcommand((remove) =>
			localize(remove, "remove", "filterRemoveDescription").addStringOption((option) =>
				localize(option, "pattern", "optionPatternToRemove")
					.setRequired(true)
					.setMaxLength(TYPED_CHARS_MAX)
					.setAutocomplete(true),
			),
		)
		.addSubcommand((all) => localize(all, "list", "filterListDescription"))
		.addSubcommand((test) =>
			localize(test, "test", "filterTestDescription").addStringOption((option) =>
				localize(option, "text", "optionFilterText").setRequired(true).setMaxLength(TEXT_CHARS_MAX),
			),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, services);
		const { guildId, options } = interaction;
		switch (options.getSubcommand()) {
			case "add":
				return await change(interaction, services, logger, (before) =>
					addPattern(before, options.getString("pattern", true)),
				);
			case "remove":
				return await change(interaction, services, logger, (before) =>
					removePattern(before, options.getString("pattern", true)),
				);
			case "test":
				return await tryOut(interaction, await services.settings.read(guildId));
			default:
				return await list(interaction, await services.settings.read(guildId));
		}
	},

	async autocomplete(interaction, services) {
		if (!interaction.inGuild()) return;
		// What is offered here is what `/filter list` shows, and for the same people.
		await requireAuthorization(interaction, services);
		const { guildId, options } = interaction;
		const typed = options.getFocused().trim().toLowerCase();
		const { filter: decided } = await services.settings.read(guildId);
		const found = decided.patterns.filter((pattern) => pattern.includes(typed)).slice(0, CHOICES_MAX);
		await interaction.respond(found.map((pattern) => ({ name: pattern, value: pattern })));
	},
};

async function change(
	interaction: Interaction,
	{ settings }: Services,
	logger: Logger,
	changed: (settings: GuildSettings) => GuildSettings,
): Promise<void> {
	const { guildId, user } = interaction;
	const after = await settings.change(guildId, changed, `member:${user.id}`);
	logger.info({ userId: user.id, patterns: after.filter.patterns.length }, "filter changed");
	await list(interaction, after);
}

async function list(interaction: Interaction, { filter: { patterns } }: GuildSettings): Promise<void> {
	const { locale } = interaction;
	if (patterns.length === 0) {
		await interaction.editReply({ content: say(locale, { key: "filterEmpty" }) });
		return;
	}
	const head = say(locale, { key: "filterHead", params: { patterns: patterns.length } });
	const lines = patterns.map((pattern) => `- ${quote(pattern, PATTERN_CHARS_MAX)}`);
	const foot = say(locale, { key: "restInFile" });
	await interaction.editReply(listReply(head, lines, { foot, fileName: "filter.txt", fileLines: patterns }));
}

async function tryOut(interaction: Interaction, { filter: { patterns } }: GuildSettings): Promise<void> {
	const { locale, options } = interaction;
	const forbidden = findFilterMatch(patterns, options.getString("text", true));
	const content = forbidden
		? say(locale, {
				key: "filterMatches",
				params: {
					pattern: quote(forbidden.pattern, PATTERN_CHARS_MAX),
					found: quote(forbidden.found, PATTERN_CHARS_MAX),
				},
			})
		: say(locale, { key: "filterPasses" });
	await interaction.editReply({ content });
}
