/** The subcommands of `/settings` that show and change settings. */
import type { Logger } from "pino";
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import type { GuildSettings, GuildSettingsStore, SettingsUpdate } from "../services/settings/guild-settings.ts";
import { CATEGORIES, CATEGORY_RULE_VALUES, type Category } from "../services/moderation/verdict.ts";
import {
	ACCESS_RULES,
	changeAccess,
	changeGeneral,
	changeMedia,
	changeModel,
	changePause,
	changeSafety,
	changeShowcase,
	type GeneralChange,
} from "../services/settings/settings-updates.ts";
import { changeChannelDefaults, NO_DEFAULTS } from "../services/settings/channel-defaults.ts";
import { requireStyle } from "../services/settings/styles.ts";
import type { SettingPage } from "../services/settings/format-settings.ts";
import { PAUSE_CHARS_MAX, PINGS } from "../services/settings/settings-schema.ts";
import { plainLine } from "../i18n/quote.ts";
import { UserError } from "../services/user-error.ts";
import type { Clock } from "@atelier/common/clock";
import type { ChannelPoster } from "../services/channel-poster.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import { findModel, knownModels, type ModelCatalog } from "../services/generation/model-catalog.ts";
import { makesNew } from "../services/generation/request.ts";
import type { SlashInteraction, Subcommand } from "./framework/command.ts";
import type { LocaleDeps } from "./framework/guild-locale.ts";
import { greetNewChannel } from "./framework/post-greeting.ts";
import { changeSettings } from "./framework/save-settings.ts";
import { requireImprover } from "./settings-forms.ts";
import { settingsPanel } from "./settings-panel.ts";
import { formatChange } from "../services/settings/format-changes.ts";
import { t } from "../i18n/messages.ts";
import { requireManager } from "./framework/invoking-member.ts";
import { definePagedList } from "./framework/paged-list.ts";

export interface SettingsSubcommandDeps extends LocaleDeps {
	readonly settings: GuildSettingsStore;
	readonly catalog: ModelCatalog;
	readonly channelPoster: ChannelPoster;
	readonly promptImprover: PromptImprover | undefined;
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
	readonly clock: Clock;
}

type Execute = Subcommand<SettingsSubcommandDeps>["execute"];

export const SAFETY_OPTIONS = {
	sexual: "sexual",
	violence: "violence",
	selfHarm: "self_harm",
	other: "other",
} as const satisfies Record<Category, string>;

export const showSettings: Execute = async (interaction, deps) => {
	await show(interaction, deps, await deps.settings.read(interaction.guildId), "access");
};

export const setMedia: Execute = async (interaction, deps, logger) => {
	const { options } = interaction;
	const booleanOption = (name: string): boolean | undefined => options.getBoolean(name) ?? undefined;
	const media = Object.fromEntries(MEDIA_TYPES.map((mediaType) => [mediaType, booleanOption(mediaType)]));
	const changes = {
		media,
		spoiler: booleanOption("spoiler"),
		private: booleanOption("private"),
		promptInFiles: booleanOption("prompt_in_files"),
		improvePrompts: booleanOption("improve_prompts"),
	};
	if (changes.improvePrompts === true) requireImprover(deps.promptImprover);
	const page = Object.values(media).some((each) => each !== undefined) ? "access" : "results";
	await change(interaction, deps, logger, page, (before) => changeMedia(before, changes));
};

export const setModel: Execute = async (interaction, deps, logger) => {
	const { options, guildId } = interaction;
	const name = options.getString("model", true).trim();
	const isOn = options.getBoolean("on", true);
	const { modelsOff } = (await deps.settings.read(guildId)).access;
	// A model that the service no longer lists can still be switched on again.
	const removedModelId = isOn ? modelsOff.find((id) => id === name) : undefined;
	const modelId = removedModelId ?? findModel(await readModels(deps), name).id;
	await change(interaction, deps, logger, "access", (before) => changeModel(before, modelId, isOn));
};

export const setChannel: Execute = async (interaction, deps, logger) => {
	const { id } = interaction.options.getChannel("channel", true);
	const rule = ruleOf(interaction);
	await change(interaction, deps, logger, "access", (before) => changeAccess(before, "channels", id, rule));
};

export const setRole: Execute = async (interaction, deps, logger) => {
	const { id } = interaction.options.getRole("role", true);
	if (id === interaction.guildId) throw new UserError({ key: "settings.everyoneRole" });
	const rule = ruleOf(interaction);
	await change(interaction, deps, logger, "access", (before) => changeAccess(before, "roles", id, rule));
};

export const setGeneral: Execute = async (interaction, deps, logger) => {
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
	const update: SettingsUpdate = (before) => changeGeneral(before, changes);
	await greetNewChannel(deps, interaction, update, "log");
	await greetNewChannel(deps, interaction, update, "reports");
	const isAboutResults = changes.confirmAbove !== undefined || changes.pings !== undefined;
	const page = isAboutResults ? "results" : "server";
	await change(interaction, deps, logger, page, update);
};

export const setShowcase: Execute = async (interaction, deps, logger) => {
	const { options, guildId } = interaction;
	const channelId = options.getBoolean("on") === false ? null : options.getChannel("channel")?.id;
	const stars = options.getInteger("stars") ?? undefined;
	const { showcase } = await deps.settings.read(guildId);
	if (channelId === undefined && showcase.channelId === null)
		throw new UserError({ key: "settings.showcaseNoChannel" });
	const update: SettingsUpdate = (before) => changeShowcase(before, { channelId, stars });
	await greetNewChannel(deps, interaction, update, "showcase");
	await change(interaction, deps, logger, "results", update);
};

export const setSafety: Execute = async (interaction, deps, logger) => {
	if (!deps.hasModeration) throw new UserError({ key: "settings.moderationMissing" });
	const { options } = interaction;
	const rules = CATEGORIES.map((category) => {
		const chosen = options.getString(SAFETY_OPTIONS[category]);
		return [category, CATEGORY_RULE_VALUES.find((rule) => rule === chosen)] as const;
	});
	await change(interaction, deps, logger, "access", (before) => changeSafety(before, Object.fromEntries(rules)));
};

export const setDefaults: Execute = async (interaction, deps, logger) => {
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
};

export const setPause: Execute = async (interaction, deps, logger) => {
	const isPaused = interaction.options.getBoolean("on", true);
	const message = plainLine(interaction.options.getString("message") ?? "", PAUSE_CHARS_MAX);
	await change(interaction, deps, logger, "access", (before) =>
		changePause(before, isPaused, message === "" ? null : message),
	);
};

/** Changes the settings, logs the subcommand without its values, and shows the new settings. */
async function change(
	interaction: SlashInteraction,
	deps: SettingsSubcommandDeps,
	logger: Logger,
	page: SettingPage,
	update: SettingsUpdate,
): Promise<void> {
	const after = await changeSettings(interaction, deps.settings, update);
	logger.info({ userId: interaction.user.id, subcommand: interaction.options.getSubcommand() }, "settings changed");
	await show(interaction, deps, after, page);
}

async function show(
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

const PAGE_CHANGES = 10;

interface AuditDeps {
	readonly settings: Pick<GuildSettingsStore, "changes">;
}

const auditList = definePagedList<AuditDeps>(
	"audit",
	async (interaction, { page }, { settings }) => {
		const { guildId, locale } = interaction;
		const lines: string[] = [];
		const firstIndex = page * PAGE_CHANGES;
		for await (const stored of settings.changes(guildId)) {
			lines.push(formatChange(stored, locale));
			if (lines.length > firstIndex + PAGE_CHANGES) break;
		}
		const shown = lines.slice(firstIndex, firstIndex + PAGE_CHANGES);
		if (shown.length === 0) return t(locale, { key: "audit.empty" });
		return {
			head: t(locale, { key: "audit.head" }),
			rows: shown.map((text) => ({ text })),
			hasMore: lines.length > firstIndex + PAGE_CHANGES,
		};
	},
	requireManager,
);

export const turnAuditPage = auditList.turnPage;
export const showAudit = (interaction: SlashInteraction, deps: AuditDeps) => auditList.show(interaction, {}, deps);
