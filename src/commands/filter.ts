import {
	ApplicationIntegrationType,
	InteractionContextType,
	MessageFlags,
	PermissionFlagsBits,
	SlashCommandBuilder,
	type ChatInputCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { addPattern, removePattern } from "../services/guilds/block-changes.ts";
import type { GuildSettings } from "../services/guilds/guild-settings.ts";
import { PATTERN_CHARS_MAX } from "../services/guilds/settings-schema.ts";
import { findForbidden } from "../services/guilds/word-filter.ts";
import { say } from "../services/messages/messages.ts";
import { quote } from "../services/messages/quote.ts";
import type { Command, Services } from "./command.ts";
import { listAnswer } from "./list-answer.ts";
import { requireAdmission } from "./member.ts";
import { worded } from "./wording.ts";

const TEXT_CHARS_MAX = 6000;
const CHOICES_MAX = 25;
/** Twice what is stored: what is typed may be longer than what is left of it. */
const TYPED_CHARS_MAX = 2 * PATTERN_CHARS_MAX;

type Interaction = ChatInputCommandInteraction<"raw" | "cached">;

export const filter: Command = {
	definition: worded(new SlashCommandBuilder(), "filter", "filterDescription")
		.setContexts(InteractionContextType.Guild)
		.setIntegrationTypes(ApplicationIntegrationType.GuildInstall)
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((add) =>
			worded(add, "add", "filterAddDescription").addStringOption((option) =>
				worded(option, "pattern", "optionPattern").setRequired(true).setMaxLength(TYPED_CHARS_MAX),
			),
		)
		.addSubcommand((remove) =>
			worded(remove, "remove", "filterRemoveDescription").addStringOption((option) =>
				worded(option, "pattern", "optionPatternToRemove")
					.setRequired(true)
					.setMaxLength(TYPED_CHARS_MAX)
					.setAutocomplete(true),
			),
		)
		.addSubcommand((all) => worded(all, "list", "filterListDescription"))
		.addSubcommand((test) =>
			worded(test, "test", "filterTestDescription").addStringOption((option) =>
				worded(option, "text", "optionFilterText").setRequired(true).setMaxLength(TEXT_CHARS_MAX),
			),
		)
		.toJSON(),

	async execute(interaction, services, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAdmission(interaction, services);
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
		await requireAdmission(interaction, services);
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
	await interaction.editReply(listAnswer(head, lines, { foot, fileName: "filter.txt", fileLines: patterns }));
}

async function tryOut(interaction: Interaction, { filter: { patterns } }: GuildSettings): Promise<void> {
	const { locale, options } = interaction;
	const forbidden = findForbidden(patterns, options.getString("text", true));
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
