/** The subcommands of `/settings` that change settings. */
import type { Logger } from "pino";
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import type { Clock } from "@atelier/common/clock";
import { CHOICE_CHARS_MAX } from "../../discord/card.ts";
import { COMMAND_CHANNEL_TYPES, POST_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import { plainLine } from "../../i18n/quote.ts";
import { findModel, knownModels, type ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import { makesNew } from "../../services/generation/request.ts";
import { CATEGORIES, CATEGORY_RULE_VALUES, type Category } from "../../services/moderation/verdict.ts";
import { changeChannelDefaults, NO_DEFAULTS } from "../../services/settings/channel-defaults.ts";
import type { SettingPage } from "../../services/settings/format-settings.ts";
import type { GuildSettings, SettingsUpdate } from "../../services/settings/guild-settings.ts";
import { CATEGORY_RULE_NAME_KEYS, PING_CHOICE_KEYS } from "../../services/settings/setting-table.ts";
import {
	LIMIT_CREDITS_MAX,
	PAUSE_CHARS_MAX,
	PINGS,
	SHOWCASE_STARS_MAX,
	STYLE_NAME_CHARS_MAX,
} from "../../services/settings/settings-schema.ts";
import {
	ACCESS_RULES,
	changeAccess,
	changeGeneral,
	changeMedia,
	changeModel,
	changePause,
	changeSafety,
	changeShowcase,
	LANGUAGES,
	type GeneralChange,
} from "../../services/settings/change-access.ts";
import { requireStyle } from "../../services/settings/styles.ts";
import { UserError } from "../../services/user-error.ts";
import { changeSettings, type ChangeSettingsDeps } from "./change-settings.ts";
import { booleanOption, channelOption, integerOption, roleOption, stringOption } from "../framework/command-options.ts";
import { subcommand, type SlashInteraction } from "../framework/command.ts";
import { localizedChoice } from "../framework/localize.ts";
import { requireImprover } from "./panel-settings.ts";
import { settingsPanel } from "./settings-panel.ts";

export interface SettingsSubcommandDeps extends ChangeSettingsDeps {
	readonly catalog: ModelCatalog;
	readonly promptImprover: PromptImprover | undefined;
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
	readonly clock: Clock;
}

const RULE_OPTION = stringOption("rule", "option.rule", {
	required: true,
	choices: ACCESS_RULES.map((rule) => localizedChoice(`choice.${rule}`, rule)),
});
const MEDIA_TYPE_SWITCHES = [
	booleanOption("image", "option.images"),
	booleanOption("video", "option.videos"),
	booleanOption("music", "option.songs"),
];

const setMedia = subcommand(
	"media",
	"command.settingsMedia",
	[
		booleanOption("spoiler", "option.spoiler"),
		booleanOption("private", "option.privateDefault"),
		booleanOption("prompt_in_files", "option.promptInFiles"),
		booleanOption("improve_prompts", "option.improvePrompts"),
		...MEDIA_TYPE_SWITCHES,
	],
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { options } = interaction;
		const switchOf = (name: string): boolean | undefined => options.getBoolean(name) ?? undefined;
		const media = Object.fromEntries(MEDIA_TYPES.map((mediaType) => [mediaType, switchOf(mediaType)]));
		const changes = {
			media,
			spoiler: switchOf("spoiler"),
			private: switchOf("private"),
			promptInFiles: switchOf("prompt_in_files"),
			improvePrompts: switchOf("improve_prompts"),
		};
		if (changes.improvePrompts === true) requireImprover(deps.promptImprover);
		const page = Object.values(media).some((each) => each !== undefined) ? "access" : "results";
		await change(interaction, deps, logger, page, (before) => changeMedia(before, changes));
	},
);

const setModel = subcommand(
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
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { options, guildId } = interaction;
		const name = options.getString("model", true).trim();
		const isOn = options.getBoolean("on", true);
		const { modelsOff } = (await deps.settings.read(guildId)).access;
		// A model that the service no longer lists can still be switched on again.
		const removedModelId = isOn ? modelsOff.find((id) => id === name) : undefined;
		const modelId = removedModelId ?? findModel(await readModels(deps), name).id;
		await change(interaction, deps, logger, "access", (before) => changeModel(before, modelId, isOn));
	},
);

const setChannel = subcommand(
	"channel",
	"command.settingsChannel",
	[
		channelOption("channel", "option.ruleChannel", { required: true, channel_types: COMMAND_CHANNEL_TYPES }),
		RULE_OPTION,
	],
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { id } = interaction.options.getChannel("channel", true);
		const rule = ruleOf(interaction);
		await change(interaction, deps, logger, "access", (before) => changeAccess(before, "channels", id, rule));
	},
);

const setDefaults = subcommand(
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
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { options, guildId } = interaction;
		const { id: channelId } = options.getChannel("channel", true);
		const [model, style] = [options.getString("model"), options.getString("style")];
		const settings = await deps.settings.read(guildId);
		const chosenModel = model === null ? undefined : findModel((await readModels(deps)).filter(makesNew), model);
		const chosenStyle = style === null ? undefined : requireStyle(settings, null, style).name;
		const isPrivate = options.getBoolean("private");
		const threads = options.getBoolean("threads");
		const media = MEDIA_TYPES.map((mediaType) => [mediaType, options.getBoolean(mediaType)] as const);
		await change(interaction, deps, logger, "channels", (before) => {
			const cleared =
				options.getBoolean("clear") === true ? changeChannelDefaults(before, channelId, NO_DEFAULTS) : before;
			const { models, mediaOff } = cleared.channelDefaults[channelId] ?? NO_DEFAULTS;
			return changeChannelDefaults(cleared, channelId, {
				...(chosenModel && { models: { ...models, [chosenModel.mediaType]: chosenModel.id } }),
				...(chosenStyle !== undefined && { style: chosenStyle }),
				...(isPrivate !== null && { private: isPrivate }),
				...(threads !== null && { threads }),
				mediaOff: media.flatMap(([mediaType, isOn]) => ((isOn ?? !mediaOff.includes(mediaType)) ? [] : [mediaType])),
			});
		});
	},
);

const setRole = subcommand(
	"role",
	"command.settingsRole",
	[roleOption("role", "option.ruleRole", { required: true }), RULE_OPTION],
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { id } = interaction.options.getRole("role", true);
		if (id === interaction.guildId) throw new UserError({ key: "settings.everyoneRole" });
		const rule = ruleOf(interaction);
		await change(interaction, deps, logger, "access", (before) => changeAccess(before, "roles", id, rule));
	},
);

const setGeneral = subcommand(
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
				localizedChoice("field.language", "language"),
				localizedChoice("field.confirmAbove", "confirmAbove"),
				localizedChoice("field.logChannel", "logChannelId"),
				localizedChoice("field.reportChannel", "reportChannelId"),
			],
		}),
	],
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { options } = interaction;
		const reset = options.getString("reset");
		const chosen = {
			language: options.getString("language") ?? undefined,
			confirmAbove: options.getInteger("confirm_above") ?? undefined,
			pings: PINGS.find((each) => each === options.getString("pings")),
			logChannelId: options.getChannel("log_channel")?.id,
			reportChannelId: options.getChannel("report_channel")?.id,
		} satisfies GeneralChange;
		if (reset !== null && chosen[reset as keyof typeof chosen] !== undefined)
			throw new UserError({ key: "settings.valueOrReset" });
		const changes: GeneralChange = reset === null ? chosen : { ...chosen, [reset]: null };
		const isAboutResults = changes.confirmAbove !== undefined || changes.pings !== undefined;
		const page = isAboutResults ? "results" : "server";
		await change(interaction, deps, logger, page, (before) => changeGeneral(before, changes));
	},
);

const setShowcase = subcommand(
	"showcase",
	"command.settingsShowcase",
	[
		channelOption("channel", "option.showcaseChannel", { channel_types: POST_CHANNEL_TYPES }),
		integerOption("stars", "option.showcaseStars", { min_value: 1, max_value: SHOWCASE_STARS_MAX }),
		booleanOption("on", "option.on"),
	],
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const { options, guildId } = interaction;
		const channelId = options.getBoolean("on") === false ? null : options.getChannel("channel")?.id;
		const stars = options.getInteger("stars") ?? undefined;
		const { showcase } = await deps.settings.read(guildId);
		if (channelId === undefined && showcase.channelId === null)
			throw new UserError({ key: "settings.showcaseNoChannel" });
		await change(interaction, deps, logger, "results", (before) => changeShowcase(before, { channelId, stars }));
	},
);

const SAFETY_OPTIONS = {
	sexual: "sexual",
	violence: "violence",
	selfHarm: "self_harm",
	other: "other",
} as const satisfies Record<Category, string>;

const setSafety = subcommand(
	"safety",
	"command.settingsSafety",
	CATEGORIES.map((category) =>
		stringOption(SAFETY_OPTIONS[category], "option.categoryRule", {
			choices: CATEGORY_RULE_VALUES.map((rule) => localizedChoice(CATEGORY_RULE_NAME_KEYS[rule], rule)),
		}),
	),
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		if (!deps.hasModeration) throw new UserError({ key: "settings.moderationMissing" });
		const { options } = interaction;
		const rules = CATEGORIES.map((category) => {
			const chosen = options.getString(SAFETY_OPTIONS[category]);
			return [category, CATEGORY_RULE_VALUES.find((rule) => rule === chosen)] as const;
		});
		await change(interaction, deps, logger, "access", (before) => changeSafety(before, Object.fromEntries(rules)));
	},
);

const setPause = subcommand(
	"pause",
	"command.settingsPause",
	[
		booleanOption("on", "option.pauseOn", { required: true }),
		stringOption("message", "option.pauseMessage", { max_length: PAUSE_CHARS_MAX }),
	],
	async (interaction, deps: SettingsSubcommandDeps, logger) => {
		const isPaused = interaction.options.getBoolean("on", true);
		const message = plainLine(interaction.options.getString("message") ?? "", PAUSE_CHARS_MAX);
		await change(interaction, deps, logger, "access", (before) =>
			changePause(before, isPaused, message === "" ? null : message),
		);
	},
);

export const SETTINGS_SUBCOMMANDS = [
	setMedia,
	setModel,
	setChannel,
	setDefaults,
	setRole,
	setGeneral,
	setShowcase,
	setSafety,
	setPause,
];

/** Changes the settings, and shows the page of the panel with the new ones. */
async function change(
	interaction: SlashInteraction,
	deps: SettingsSubcommandDeps,
	logger: Logger,
	page: SettingPage,
	update: SettingsUpdate,
): Promise<void> {
	await showPage(interaction, deps, await changeSettings(interaction, update, deps, logger), page);
}

export async function showPage(
	interaction: SlashInteraction,
	{ catalog, clock }: Pick<SettingsSubcommandDeps, "catalog" | "clock">,
	settings: GuildSettings,
	page: SettingPage,
): Promise<void> {
	const content = { settings, nowMs: clock.nowMs(), models: knownModels(catalog), page };
	await interaction.editReply(settingsPanel(content, interaction.locale));
}

function ruleOf({ options }: SlashInteraction) {
	const choice = options.getString("rule", true);
	const rule = ACCESS_RULES.find((each) => each === choice);
	if (!rule) throw new Error(`unknown rule: ${choice}`);
	return rule;
}

/** Returns the known models, read from the service if none are known yet. */
async function readModels({ catalog }: Pick<SettingsSubcommandDeps, "catalog">): Promise<readonly Model[]> {
	if (knownModels(catalog).length === 0) await catalog.refresh();
	return knownModels(catalog);
}
