import { MessageFlags, PermissionFlagsBits, type SlashCommandSubcommandBuilder } from "discord.js";
import { LANGUAGES } from "../services/settings/settings-changes.ts";
import { CATEGORIES, CATEGORY_RULE_VALUES } from "../services/moderation/verdict.ts";
import { PING_CHOICE_KEYS, CATEGORY_RULE_NAME_KEYS } from "../services/settings/format-settings.ts";
import {
	LIMIT_CREDITS_MAX,
	PAUSE_CHARS_MAX,
	PINGS,
	SHOWCASE_STARS_MAX,
	STYLE_NAME_CHARS_MAX,
} from "../services/settings/settings-schema.ts";
import { knownModels } from "../services/generation/model-catalog.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import { styleChoices } from "./autocomplete.ts";
import { subcommandOf, type Command, type Subcommand } from "./command.ts";
import { requireAuthorization } from "./invoking-member.ts";
import { showAudit } from "./settings-audit.ts";
import {
	setChannel,
	setDefaults,
	setGeneral,
	setMedia,
	setModel,
	setPause,
	setSafety,
	SAFETY_OPTIONS,
	setRole,
	setShowcase,
	showSettings,
	type SettingsChangeDeps,
} from "./settings-change.ts";
import { POST_CHANNEL_TYPES, COMMAND_CHANNEL_TYPES } from "./channel-types.ts";
import { exportSettings, importSettings, type SettingsFileDeps } from "./settings-file.ts";
import { localizeChoice, localize } from "./localize.ts";
import { guildCommand } from "./guild-command.ts";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../discord/choice-limits.ts";

type SettingsDeps = SettingsChangeDeps & SettingsFileDeps & { readonly commandOverrides: CommandOverrides };

const SUBCOMMANDS: Readonly<Record<string, Subcommand<SettingsDeps>>> = {
	show: showSettings,
	media: setMedia,
	model: setModel,
	channel: setChannel,
	role: setRole,
	general: setGeneral,
	showcase: setShowcase,
	defaults: setDefaults,
	safety: setSafety,
	pause: setPause,
	audit: showAudit,
	export: exportSettings,
	import: importSettings,
};

const RULE_CHOICES = [
	localizeChoice({ key: "choice.allow" }, "allow"),
	localizeChoice({ key: "choice.deny" }, "deny"),
	localizeChoice({ key: "choice.clear" }, "clear"),
] as const;

const CATEGORY_RULE_CHOICES = CATEGORY_RULE_VALUES.map((rule) =>
	localizeChoice({ key: CATEGORY_RULE_NAME_KEYS[rule] }, rule),
);

export const settings: Command<SettingsDeps> = {
	definition: guildCommand("settings", "command.settings")
		.setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
		.addSubcommand((show) => localize(show, "show", "command.settingsShow"))
		.addSubcommand((media) =>
			localize(media, "media", "command.settingsMedia")
				.addBooleanOption((option) => localize(option, "spoiler", "option.spoiler"))
				.addBooleanOption((option) => localize(option, "private", "option.privateDefault"))
				.addBooleanOption((option) => localize(option, "prompt_in_files", "option.promptInFiles"))
				.addBooleanOption((option) => localize(option, "improve_prompts", "option.improvePrompts"))
				.addBooleanOption((option) => localize(option, "image", "option.images"))
				.addBooleanOption((option) => localize(option, "video", "option.videos"))
				.addBooleanOption((option) => localize(option, "music", "option.songs")),
		)
		.addSubcommand((model) =>
			localize(model, "model", "command.settingsModel")
				.addStringOption((option) =>
					localize(option, "model", "option.modelToSwitch")
						.setRequired(true)
						.setMaxLength(CHOICE_CHARS_MAX)
						.setAutocomplete(true),
				)
				.addBooleanOption((option) => localize(option, "on", "option.on").setRequired(true)),
		)
		.addSubcommand((channel) =>
			localize(channel, "channel", "command.settingsChannel")
				.addChannelOption((option) =>
					localize(option, "channel", "option.ruleChannel")
						.setRequired(true)
						.addChannelTypes(...COMMAND_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					localize(option, "rule", "option.rule")
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((defaults) =>
			localize(defaults, "defaults", "command.settingsDefaults")
				.addChannelOption((option) =>
					localize(option, "channel", "option.defaultsChannel")
						.setRequired(true)
						.addChannelTypes(...COMMAND_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					localize(option, "model", "option.defaultModel").setMaxLength(CHOICE_CHARS_MAX).setAutocomplete(true),
				)
				.addStringOption((option) =>
					localize(option, "style", "option.defaultStyle").setMaxLength(STYLE_NAME_CHARS_MAX).setAutocomplete(true),
				)
				.addBooleanOption((option) => localize(option, "private", "option.privateDefault"))
				.addBooleanOption((option) => localize(option, "image", "option.images"))
				.addBooleanOption((option) => localize(option, "video", "option.videos"))
				.addBooleanOption((option) => localize(option, "music", "option.songs"))
				.addBooleanOption((option) => localize(option, "threads", "option.threads"))
				.addBooleanOption((option) => localize(option, "clear", "option.clearDefaults")),
		)
		.addSubcommand((role) =>
			localize(role, "role", "command.settingsRole")
				.addRoleOption((option) => localize(option, "role", "option.ruleRole").setRequired(true))
				.addStringOption((option) =>
					localize(option, "rule", "option.rule")
						.setRequired(true)
						.addChoices(...RULE_CHOICES),
				),
		)
		.addSubcommand((general) =>
			localize(general, "general", "command.settingsGeneral")
				.addStringOption((option) =>
					localize(option, "language", "option.language").addChoices(
						Object.entries(LANGUAGES).map(([value, name]) => ({ name, value })),
					),
				)
				.addIntegerOption((option) =>
					localize(option, "confirm_above", "option.confirmAbove").setMinValue(0).setMaxValue(LIMIT_CREDITS_MAX),
				)
				.addStringOption((option) =>
					localize(option, "pings", "option.pings").addChoices(
						...PINGS.map((value) => localizeChoice({ key: PING_CHOICE_KEYS[value] }, value)),
					),
				)
				.addChannelOption((option) =>
					localize(option, "log_channel", "option.logChannel").addChannelTypes(...POST_CHANNEL_TYPES),
				)
				.addChannelOption((option) =>
					localize(option, "report_channel", "option.reportChannel").addChannelTypes(...POST_CHANNEL_TYPES),
				)
				.addStringOption((option) =>
					localize(option, "reset", "option.reset").addChoices(
						localizeChoice({ key: "choice.resetLanguage" }, "language"),
						localizeChoice({ key: "choice.resetConfirm" }, "confirmAbove"),
						localizeChoice({ key: "choice.resetLog" }, "logChannelId"),
						localizeChoice({ key: "choice.resetReports" }, "reportChannelId"),
					),
				),
		)
		.addSubcommand((showcase) =>
			localize(showcase, "showcase", "command.settingsShowcase")
				.addChannelOption((option) =>
					localize(option, "channel", "option.showcaseChannel").addChannelTypes(...POST_CHANNEL_TYPES),
				)
				.addIntegerOption((option) =>
					localize(option, "stars", "option.showcaseStars").setMinValue(1).setMaxValue(SHOWCASE_STARS_MAX),
				)
				.addBooleanOption((option) => localize(option, "on", "option.on")),
		)
		.addSubcommand((safety) => withCategoryRules(localize(safety, "safety", "command.settingsSafety")))
		.addSubcommand((pause) =>
			localize(pause, "pause", "command.settingsPause")
				.addBooleanOption((option) => localize(option, "on", "option.pauseOn").setRequired(true))
				.addStringOption((option) => localize(option, "message", "option.pauseMessage").setMaxLength(PAUSE_CHARS_MAX)),
		)
		.addSubcommand((audit) => localize(audit, "audit", "command.settingsAudit"))
		.addSubcommand((exporting) => localize(exporting, "export", "command.settingsExport"))
		.addSubcommand((importing) =>
			localize(importing, "import", "command.settingsImport").addAttachmentOption((option) =>
				localize(option, "file", "option.importFile").setRequired(true),
			),
		)
		.toJSON(),

	async execute(interaction, deps, logger) {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await requireAuthorization(interaction, deps);
		await subcommandOf(interaction, SUBCOMMANDS)(interaction, deps, logger);
	},

	/** Offers styles, or models of every media type whose name or id contains the text. */
	async autocomplete(interaction, { catalog, settings: store }) {
		const { guildId } = interaction;
		const { name: option, value } = interaction.options.getFocused(true);
		if (option === "style") {
			await interaction.respond(guildId === null ? [] : styleChoices(await store.read(guildId), null, value));
			return;
		}
		const text = value.trim().toLowerCase();
		const models = knownModels(catalog);
		const found = models.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(text));
		await interaction.respond(
			found.slice(0, CHOICES_MAX).map(({ id, name }) => ({ name: name.slice(0, CHOICE_CHARS_MAX), value: id })),
		);
	},
};

function withCategoryRules(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
	for (const category of CATEGORIES) {
		subcommand.addStringOption((option) =>
			localize(option, SAFETY_OPTIONS[category], "option.categoryRule").addChoices(...CATEGORY_RULE_CHOICES),
		);
	}
	return subcommand;
}
