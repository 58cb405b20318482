/** The subcommands of `/settings` that change settings. */
import { MEDIA_TYPES, type MediaType, type Model } from "@atelier/media-protocol/model";
import { CHOICE_CHARS_MAX } from "../../discord/card.ts";
import { COMMAND_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import type { PlainKey } from "../../i18n/message-descriptor.ts";
import { findModel, knownModels } from "../../services/generation/model-catalog.ts";
import { takesPrompt } from "../../services/generation/request.ts";
import { ACCESS_RULES, setAccessRule, switchModel, setPause } from "../../services/settings/change-access.ts";
import { NO_DEFAULTS } from "@atelier/dashboard/server-settings";
import { changeChannelDefaults } from "../../services/settings/channel-defaults.ts";
import type { SettingsUpdate } from "../../services/settings/settings-store.ts";
import {
	setValues,
	settingRow,
	type SettingPage,
	type SettingPath,
	type SettingValues,
} from "../../services/settings/setting-table.ts";
import { PAUSE_CHARS_MAX, STYLE_NAME_CHARS_MAX } from "@atelier/dashboard/limits";
import { requireStyle } from "../../services/settings/styles.ts";
import { UserError } from "../../services/user-error.ts";
import { booleanOption, channelOption, roleOption, stringOption } from "../framework/command-options.ts";
import { subcommand, type SlashInteraction } from "../framework/command.ts";
import { localizedChoice } from "../framework/localize.ts";
import { changeSettings } from "./change-settings.ts";
import { slashOptionsOf } from "./slash-options.ts";
import { settingsCard } from "./settings-card.ts";
import type { CommandServices } from "../command-services.ts";

const RULE_OPTION = stringOption("rule", "option.rule", {
	required: true,
	choices: ACCESS_RULES.map((rule) => localizedChoice(`choice.${rule}`, rule)),
});
const MEDIA_TYPE_SWITCHES = [
	booleanOption("image", "option.images"),
	booleanOption("video", "option.videos"),
	booleanOption("music", "option.songs"),
];

const RESULT_OPTIONS = slashOptionsOf("media");

const mediaSubcommand = subcommand(
	"media",
	[...RESULT_OPTIONS.options, ...MEDIA_TYPE_SWITCHES],
	async (interaction, services) => {
		const chosen = RESULT_OPTIONS.read(interaction);
		const isAboutMediaTypes = MEDIA_TYPES.some((mediaType) => interaction.options.getBoolean(mediaType) !== null);
		await change(interaction, services, isAboutMediaTypes ? "access" : "results", (before) =>
			setValues(before, { ...chosen, "access.mediaOff": mediaTypesOff(interaction, before.access.mediaOff) }),
		);
	},
);

const modelSubcommand = subcommand(
	"model",
	[
		stringOption("model", "option.modelToSwitch", {
			required: true,
			max_length: CHOICE_CHARS_MAX,
			autocomplete: true,
		}),
		booleanOption("on", "option.on", { required: true }),
	],
	async (interaction, services) => {
		const { options, guildId } = interaction;
		const name = options.getString("model", true).trim();
		const isOn = options.getBoolean("on", true);
		const { modelsOff } = (await services.settings.read(guildId)).access;
		// A model that the service no longer lists can still be switched on again.
		const removedModelId = isOn ? modelsOff.find((id) => id === name) : undefined;
		const modelId = removedModelId ?? findModel(await readModels(services), name).id;
		await change(interaction, services, "access", (before) => switchModel(before, modelId, isOn));
	},
);

const channelSubcommand = subcommand(
	"channel",
	[
		channelOption("channel", "option.ruleChannel", { required: true, channel_types: COMMAND_CHANNEL_TYPES }),
		RULE_OPTION,
	],
	async (interaction, services) => {
		const { id } = interaction.options.getChannel("channel", true);
		const rule = ruleOf(interaction);
		await change(interaction, services, "access", (before) => setAccessRule(before, "channels", id, rule));
	},
);

const defaultsSubcommand = subcommand(
	"defaults",
	[
		channelOption("channel", "option.defaultsChannel", { required: true, channel_types: COMMAND_CHANNEL_TYPES }),
		stringOption("model", "option.defaultModel", { max_length: CHOICE_CHARS_MAX, autocomplete: true }),
		stringOption("style", "option.defaultStyle", { max_length: STYLE_NAME_CHARS_MAX, autocomplete: true }),
		booleanOption("private", "option.privateDefault"),
		...MEDIA_TYPE_SWITCHES,
		booleanOption("threads", "option.threads"),
		booleanOption("clear", "option.clearDefaults"),
	],
	async (interaction, services) => {
		const { options, guildId } = interaction;
		const { id: channelId } = options.getChannel("channel", true);
		const [model, style] = [options.getString("model"), options.getString("style")];
		const settings = await services.settings.read(guildId);
		const chosenModel = model === null ? undefined : findModel((await readModels(services)).filter(takesPrompt), model);
		const chosenStyle = style === null ? undefined : requireStyle(settings, null, style).name;
		const isPrivate = options.getBoolean("private");
		const threads = options.getBoolean("threads");
		await change(interaction, services, "channels", (before) => {
			const cleared =
				options.getBoolean("clear") === true ? changeChannelDefaults(before, channelId, NO_DEFAULTS) : before;
			const { models, mediaOff } = cleared.channelDefaults[channelId] ?? NO_DEFAULTS;
			return changeChannelDefaults(cleared, channelId, {
				...(chosenModel && { models: { ...models, [chosenModel.mediaType]: chosenModel.id } }),
				...(chosenStyle !== undefined && { style: chosenStyle }),
				...(isPrivate !== null && { private: isPrivate }),
				...(threads !== null && { threads }),
				mediaOff: mediaTypesOff(interaction, mediaOff),
			});
		});
	},
);

const roleSubcommand = subcommand(
	"role",
	[roleOption("role", "option.ruleRole", { required: true }), RULE_OPTION],
	async (interaction, services) => {
		const { id } = interaction.options.getRole("role", true);
		const rule = ruleOf(interaction);
		await change(interaction, services, "access", (before) => setAccessRule(before, "roles", id, rule));
	},
);

const GENERAL_OPTIONS = slashOptionsOf("general");
/** The settings that `reset` sets to `null`. */
const RESETTABLE = ["language", "confirmAbove", "logChannelId", "reportChannelId"] as const;

const generalSubcommand = subcommand(
	"general",
	[
		...GENERAL_OPTIONS.options,
		stringOption("reset", "option.reset", {
			choices: RESETTABLE.map((path) => localizedChoice(settingRow(path).name.key as PlainKey, path)),
		}),
	],
	async (interaction, services) => {
		const chosen = GENERAL_OPTIONS.read(interaction);
		const reset = RESETTABLE.find((path) => path === interaction.options.getString("reset"));
		if (reset && chosen[reset] !== undefined) throw new UserError({ key: "settings.valueOrReset" });
		const values: SettingValues = { ...chosen, ...(reset && { [reset]: null }) };
		const [page = "server"] = Object.keys(values).map((path) => settingRow(path as SettingPath).page);
		await change(interaction, services, page, (before) => setValues(before, values));
	},
);

const SHOWCASE_OPTIONS = slashOptionsOf("showcase");

const showcaseSubcommand = subcommand(
	"showcase",
	[...SHOWCASE_OPTIONS.options, booleanOption("on", "option.on")],
	async (interaction, services) => {
		const { options, guildId } = interaction;
		const isOff = options.getBoolean("on") === false;
		const values = { ...SHOWCASE_OPTIONS.read(interaction), ...(isOff && { "showcase.channelId": null }) };
		const { showcase } = await services.settings.read(guildId);
		if (values["showcase.channelId"] === undefined && showcase.channelId === null)
			throw new UserError({ key: "settings.showcaseNoChannel" });
		await change(interaction, services, "results", (before) => setValues(before, values));
	},
);

const SAFETY_OPTIONS = slashOptionsOf("safety");

const safetySubcommand = subcommand("safety", SAFETY_OPTIONS.options, async (interaction, services) => {
	services.settingsService.requireProvided("moderation");
	const rules = SAFETY_OPTIONS.read(interaction);
	await change(interaction, services, "access", (before) => setValues(before, rules));
});

const pauseSubcommand = subcommand(
	"pause",
	[
		booleanOption("on", "option.pauseOn", { required: true }),
		stringOption("message", "option.pauseMessage", { max_length: PAUSE_CHARS_MAX }),
	],
	async (interaction, services) => {
		const isPaused = interaction.options.getBoolean("on", true);
		const message = interaction.options.getString("message") ?? "";
		await change(interaction, services, "access", (before) => setPause(before, isPaused, message));
	},
);

export const SETTINGS_SUBCOMMANDS = [
	mediaSubcommand,
	modelSubcommand,
	channelSubcommand,
	defaultsSubcommand,
	roleSubcommand,
	generalSubcommand,
	showcaseSubcommand,
	safetySubcommand,
	pauseSubcommand,
];

/** Changes the settings, and shows the page of the panel with the new ones. */
async function change(
	interaction: SlashInteraction,
	services: CommandServices,
	page: SettingPage,
	update: SettingsUpdate,
): Promise<void> {
	const { settings, notice } = await changeSettings(interaction, update, services);
	await interaction.editReply(settingsCard({ settings, page, notice }, services, interaction));
}

/** Returns the media types that are off after the member's choice; those without a choice stay as they are. */
function mediaTypesOff({ options }: SlashInteraction, before: readonly MediaType[]): MediaType[] {
	return MEDIA_TYPES.filter((mediaType) => !(options.getBoolean(mediaType) ?? !before.includes(mediaType)));
}

function ruleOf({ options }: SlashInteraction) {
	const choice = options.getString("rule", true);
	const rule = ACCESS_RULES.find((each) => each === choice);
	if (!rule) throw new Error(`unknown rule: ${choice}`);
	return rule;
}

/** Returns the known models, read from the service if none are known yet. */
async function readModels({ catalog }: CommandServices): Promise<readonly Model[]> {
	if (knownModels(catalog).length === 0) await catalog.refresh();
	return knownModels(catalog);
}
