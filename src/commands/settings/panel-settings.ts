/** The settings of the panel of `/settings`, with their forms. No I/O. */
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import { CHOICES_MAX } from "../../discord/card.ts";
import { mediaTypeName } from "../../i18n/message-param-values.ts";
import { plainLine } from "../../i18n/quote.ts";
import { knownModels, type ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import {
	CATEGORIES,
	CATEGORY_NAME_KEYS,
	CATEGORY_RULE_VALUES,
	type Category,
} from "../../services/moderation/verdict.ts";
import type { SettingField } from "../../services/settings/format-settings.ts";
import { CATEGORY_RULE_NAME_KEYS, PING_CHOICE_KEYS } from "../../services/settings/setting-table.ts";
import { PAUSE_CHARS_MAX, PINGS, SHOWCASE_STARS_MAX } from "../../services/settings/settings-schema.ts";
import {
	changeGeneral,
	changeLists,
	changeMedia,
	changeModels,
	changePause,
	changeSafety,
	changeShowcase,
	LANGUAGES,
} from "../../services/settings/change-access.ts";
import { UserError } from "../../services/user-error.ts";
import type { PanelSetting } from "./panel.ts";
import {
	channelsField,
	choiceField,
	choicesField,
	creditsField,
	formSetting,
	numberField,
	postChannelField,
	rolesField,
	textField,
} from "./setting-form.ts";

const SERVER_LANGUAGE = "server";

export interface SettingsFormDeps {
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly promptImprover: PromptImprover | undefined;
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
}

type Setting = PanelSetting<SettingsFormDeps>;

export const MEDIA_TYPE_LABELS = MEDIA_TYPES.map((value) => ({ value, label: mediaTypeName(value) }));
const CATEGORY_RULES = CATEGORY_RULE_VALUES.map((value) => ({ value, label: { key: CATEGORY_RULE_NAME_KEYS[value] } }));

/** The settings of the panel: how each is read, changed and asked for in a form. */
export const SETTINGS: Readonly<Record<SettingField, Setting>> = {
	paused: {
		...formSetting({
			fields: () => ({
				message: textField({ key: "option.pauseMessage" }, PAUSE_CHARS_MAX, { key: "form.pauseMessageHint" }),
			}),
			// The form only starts a pause, so there is no earlier message.
			valuesOf: () => ({ message: "" }),
			apply(before, submitted) {
				const message = plainLine(submitted.message, PAUSE_CHARS_MAX);
				return changePause(before, true, message === "" ? null : message);
			},
		}),
		valueOf: ({ access }) => access.paused,
		// A pause ends at once. Its start asks for a message.
		toggle: ({ access }) => (access.paused ? (before) => changePause(before, false, null) : undefined),
	},
	channels: formSetting({
		fields: () => ({
			allowed: channelsField({ key: "field.channelsAllowed" }),
			denied: channelsField({ key: "field.channelsDenied" }),
		}),
		valuesOf: ({ access }) => access.channels,
		apply: (before, lists) => changeLists(before, "channels", { ...lists, shownMax: CHOICES_MAX }),
	}),
	roles: formSetting({
		fields: () => ({
			allowed: rolesField({ key: "field.rolesAllowed" }),
			denied: rolesField({ key: "field.rolesDenied" }),
		}),
		valuesOf: ({ access }) => access.roles,
		apply(before, lists, { guildId }) {
			if ([...lists.allowed, ...lists.denied].includes(guildId)) throw new UserError({ key: "settings.everyoneRole" });
			return changeLists(before, "roles", { ...lists, shownMax: CHOICES_MAX });
		},
	}),
	media: formSetting({
		fields: () => ({ off: choicesField({ key: "field.mediaOff" }, MEDIA_TYPE_LABELS) }),
		valuesOf: ({ access }) => ({ off: access.mediaOff }),
		apply: (before, { off }) =>
			changeMedia(before, { media: Object.fromEntries(MEDIA_TYPES.map((each) => [each, !off.includes(each)])) }),
	}),
	models: formSetting({
		fields({ catalog }: SettingsFormDeps) {
			return { off: choicesField({ key: "field.modelsOff" }, modelChoices(listedModels(catalog))) };
		},
		valuesOf: ({ access }) => ({ off: access.modelsOff }),
		apply(before, { off }, { deps }) {
			const listedIds = listedModels(deps.catalog).map(({ id }) => id);
			return changeModels(before, listedIds, off);
		},
	}),
	safety: formSetting({
		fields({ hasModeration }: SettingsFormDeps) {
			if (!hasModeration) throw new UserError({ key: "settings.moderationMissing" });
			const entries = CATEGORIES.map((category) => [category, categoryRuleField(category)] as const);
			return Object.fromEntries(entries) as Record<Category, ReturnType<typeof categoryRuleField>>;
		},
		valuesOf: ({ safety }) => safety,
		apply: changeSafety,
	}),
	private: mediaSwitch("private"),
	spoiler: mediaSwitch("spoiler"),
	promptInFiles: mediaSwitch("promptInFiles"),
	improvePrompts: {
		valueOf: ({ media }) => media.improvePrompts,
		toggle:
			(_settings, { promptImprover }) =>
			(before) => {
				const improvePrompts = !before.media.improvePrompts;
				if (improvePrompts) requireImprover(promptImprover);
				return changeMedia(before, { improvePrompts });
			},
	},
	confirmAbove: formSetting({
		fields: () => ({ credits: creditsField({ key: "field.confirmAbove" }, { key: "form.confirmAboveHint" }) }),
		valuesOf: ({ confirmAbove }) => ({ credits: confirmAbove }),
		apply: (before, { credits }) => changeGeneral(before, { confirmAbove: credits }),
	}),
	pings: formSetting({
		fields: () => ({
			pings: choiceField(
				{ key: "field.pings" },
				PINGS.map((value) => ({ value, label: { key: PING_CHOICE_KEYS[value] } })),
			),
		}),
		valuesOf: ({ pings }) => ({ pings }),
		apply: changeGeneral,
	}),
	showcase: formSetting({
		fields: () => ({
			channel: postChannelField({ key: "field.showcaseChannel" }),
			stars: numberField({ key: "field.showcaseStars" }, SHOWCASE_STARS_MAX),
		}),
		valuesOf: ({ showcase }) => ({ channel: showcase.channelId, stars: showcase.stars }),
		apply: (before, { channel, stars }) =>
			// An empty field keeps the stored number. The fewest stars are one: a typed 0 can only mean that, and needs no denial.
			changeShowcase(before, { channelId: channel, stars: stars === null ? undefined : Math.max(1, stars) }),
	}),
	language: formSetting({
		fields() {
			const server = { value: SERVER_LANGUAGE, label: { key: "audit.serverLanguage" } } as const;
			const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
			return { language: choiceField({ key: "field.language" }, [server, ...languages]) };
		},
		valuesOf: ({ language }) => ({ language: language ?? SERVER_LANGUAGE }),
		apply: (before, { language }) =>
			changeGeneral(before, { language: language === SERVER_LANGUAGE ? null : language }),
	}),
	log: postChannel("logChannelId", "field.logChannel"),
	reports: postChannel("reportChannelId", "field.reportChannel"),
};

/** Returns the models that a menu has room for. Others keep their setting. */
export function listedModels(
	catalog: Pick<ModelCatalog, "known">,
	isOffered: (model: Model) => boolean = () => true,
): readonly Model[] {
	return knownModels(catalog).filter(isOffered).slice(0, CHOICES_MAX);
}

/** Returns models as choices of a menu. Throws a `UserError` while none are known: a menu cannot be empty. */
export function modelChoices(models: readonly Model[]) {
	if (models.length === 0) throw new UserError({ key: "service.down" });
	return models.map(({ id, name }) => ({ value: id, label: name }));
}

function categoryRuleField(category: Category) {
	return choiceField({ key: CATEGORY_NAME_KEYS[category] }, CATEGORY_RULES);
}

/** Throws a `UserError` while the bot has no text model for prompt improvement; only the operator can configure one. */
export function requireImprover(promptImprover: PromptImprover | undefined): void {
	if (promptImprover === undefined) throw new UserError({ key: "settings.improverMissing" });
}

function mediaSwitch(field: "private" | "spoiler" | "promptInFiles"): Setting {
	return {
		valueOf: ({ media }) => media[field],
		toggle: () => (before) => changeMedia(before, { [field]: !before.media[field] }),
	};
}

function postChannel(
	field: "logChannelId" | "reportChannelId",
	nameKey: "field.logChannel" | "field.reportChannel",
): Setting {
	return formSetting({
		fields: () => ({ channel: postChannelField({ key: nameKey }) }),
		valuesOf: (settings) => ({ channel: settings[field] }),
		apply: (before, { channel }) => changeGeneral(before, { [field]: channel }),
	});
}
