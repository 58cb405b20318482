import { ACCESS_RULES, LANGUAGES } from "../services/settings/settings-updates.ts";
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
import { makesNew } from "../services/generation/request.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import { focusedOptionChoices, styleChoices } from "./generation/autocomplete.ts";
import {
	attachmentOption,
	booleanOption,
	channelOption,
	integerOption,
	roleOption,
	stringOption,
} from "./framework/command-options.ts";
import { defineCommandGroup, subcommand } from "./framework/command.ts";
import { MANAGERS } from "./framework/invoking-member.ts";
import {
	showAudit,
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
	type SettingsSubcommandDeps,
} from "./settings-subcommands.ts";
import { POST_CHANNEL_TYPES, COMMAND_CHANNEL_TYPES } from "../discord/channel-types.ts";
import { exportSettings, importSettings, type SettingsFileDeps } from "./settings-file.ts";
import { localizedChoice } from "./framework/localize.ts";
import { CHOICE_CHARS_MAX } from "../discord/card.ts";

type SettingsDeps = SettingsSubcommandDeps & SettingsFileDeps & { readonly commandOverrides: CommandOverrides };

const ruleOption = stringOption("rule", "option.rule", {
	required: true,
	choices: ACCESS_RULES.map((rule) => localizedChoice(`choice.${rule}`, rule)),
});
const MEDIA_TYPE_SWITCHES = [
	booleanOption("image", "option.images"),
	booleanOption("video", "option.videos"),
	booleanOption("music", "option.songs"),
];

export const settings = defineCommandGroup<SettingsDeps>(
	"settings",
	"command.settings",
	[
		subcommand("show", "command.settingsShow", [], showSettings),
		subcommand(
			"media",
			"command.settingsMedia",
			[
				booleanOption("spoiler", "option.spoiler"),
				booleanOption("private", "option.privateDefault"),
				booleanOption("prompt_in_files", "option.promptInFiles"),
				booleanOption("improve_prompts", "option.improvePrompts"),
				...MEDIA_TYPE_SWITCHES,
			],
			setMedia,
		),
		subcommand(
			"model",
			"command.settingsModel",
			[
				stringOption("model", "option.modelToSwitch", {
					required: true,
					max_length: CHOICE_CHARS_MAX,
					autocomplete: true,
				}),
				booleanOption("on", "option.on", { required: true }),
			],
			setModel,
		),
		subcommand(
			"channel",
			"command.settingsChannel",
			[
				channelOption("channel", "option.ruleChannel", { required: true, channel_types: COMMAND_CHANNEL_TYPES }),
				ruleOption,
			],
			setChannel,
		),
		subcommand(
			"defaults",
			"command.settingsDefaults",
			[
				channelOption("channel", "option.defaultsChannel", { required: true, channel_types: COMMAND_CHANNEL_TYPES }),
				stringOption("model", "option.defaultModel", { max_length: CHOICE_CHARS_MAX, autocomplete: true }),
				stringOption("style", "option.defaultStyle", { max_length: STYLE_NAME_CHARS_MAX, autocomplete: true }),
				booleanOption("private", "option.privateDefault"),
				...MEDIA_TYPE_SWITCHES,
				booleanOption("threads", "option.threads"),
				booleanOption("clear", "option.clearDefaults"),
			],
			setDefaults,
		),
		subcommand(
			"role",
			"command.settingsRole",
			[roleOption("role", "option.ruleRole", { required: true }), ruleOption],
			setRole,
		),
		subcommand(
			"general",
			"command.settingsGeneral",
			[
				stringOption("language", "option.language", {
					choices: Object.entries(LANGUAGES).map(([value, name]) => ({ name, value })),
				}),
				integerOption("confirm_above", "option.confirmAbove", { min_value: 0, max_value: LIMIT_CREDITS_MAX }),
				stringOption("pings", "option.pings", {
					choices: PINGS.map((value) => localizedChoice(PING_CHOICE_KEYS[value], value)),
				}),
				channelOption("log_channel", "option.logChannel", { channel_types: POST_CHANNEL_TYPES }),
				channelOption("report_channel", "option.reportChannel", { channel_types: POST_CHANNEL_TYPES }),
				stringOption("reset", "option.reset", {
					choices: [
						localizedChoice("choice.resetLanguage", "language"),
						localizedChoice("choice.resetConfirm", "confirmAbove"),
						localizedChoice("choice.resetLog", "logChannelId"),
						localizedChoice("choice.resetReports", "reportChannelId"),
					],
				}),
			],
			setGeneral,
		),
		subcommand(
			"showcase",
			"command.settingsShowcase",
			[
				channelOption("channel", "option.showcaseChannel", { channel_types: POST_CHANNEL_TYPES }),
				integerOption("stars", "option.showcaseStars", { min_value: 1, max_value: SHOWCASE_STARS_MAX }),
				booleanOption("on", "option.on"),
			],
			setShowcase,
		),
		subcommand(
			"safety",
			"command.settingsSafety",
			CATEGORIES.map((category) =>
				stringOption(SAFETY_OPTIONS[category], "option.categoryRule", {
					choices: CATEGORY_RULE_VALUES.map((rule) => localizedChoice(CATEGORY_RULE_NAME_KEYS[rule], rule)),
				}),
			),
			setSafety,
		),
		subcommand(
			"pause",
			"command.settingsPause",
			[
				booleanOption("on", "option.pauseOn", { required: true }),
				stringOption("message", "option.pauseMessage", { max_length: PAUSE_CHARS_MAX }),
			],
			setPause,
		),
		subcommand("audit", "command.settingsAudit", [], showAudit),
		subcommand("export", "command.settingsExport", [], exportSettings),
		subcommand(
			"import",
			"command.settingsImport",
			[attachmentOption("file", "option.importFile", { required: true })],
			importSettings,
		),
	],
	{
		audience: MANAGERS,
		/** Offers styles, or models of every media type whose name or id contains the text. */
		async autocomplete(interaction, { catalog, settings: store }) {
			const { guildId } = interaction;
			const { locale, options } = interaction;
			const focused = options.getFocused(true);
			if (focused.name === "style") {
				const stored = guildId === null ? undefined : await store.read(guildId);
				return await interaction.respond(stored ? styleChoices(stored, null, focused.value) : []);
			}
			const known = knownModels(catalog);
			const models = options.getSubcommand() === "defaults" ? known.filter(makesNew) : known;
			const format = { locale, creditPrice: catalog.creditPrice };
			await interaction.respond(focusedOptionChoices(models, focused, null, format));
		},
	},
);
