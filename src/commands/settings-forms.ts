/** The settings of the panel of `/settings`, with their forms. Pure. */
import type { ModalSubmitFields } from "discord.js";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { knownModels, type ModelCatalog } from "../services/generation/model-catalog.ts";
import type { PromptImprover } from "../services/generation/prompt-improver.ts";
import { mediaTypeName } from "../i18n/message-param-values.ts";
import { t } from "../i18n/messages.ts";
import { plainLine } from "../i18n/quote.ts";
import { PING_CHOICE_KEYS, CATEGORY_RULE_NAME_KEYS, type SettingField } from "../services/settings/format-settings.ts";
import { CATEGORIES, CATEGORY_NAME_KEYS, CATEGORY_RULE_VALUES } from "../services/moderation/verdict.ts";
import {
	changeGeneral,
	changeLists,
	changeMedia,
	changeModels,
	changePause,
	changeSafety,
	changeShowcase,
	LANGUAGES,
} from "../services/settings/settings-updates.ts";
import { PAUSE_CHARS_MAX, PINGS, SHOWCASE_STARS_MAX } from "../services/settings/settings-schema.ts";
import { UserError } from "../services/user-error.ts";
import { COMMAND_CHANNEL_TYPES } from "../discord/channel-types.ts";
import {
	channelMenu,
	choiceOfMany,
	choiceOfOne,
	chosenValues,
	labelFor,
	chosenChannelId,
	postChannelMenu,
	roleMenu,
	textInput,
	typedTexts,
} from "./framework/form-fields.ts";
import { numberInput, parseCredits, parseWholeNumber } from "./framework/number-field.ts";
import type { PanelSetting } from "./framework/panel.ts";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../discord/card.ts";

const SERVER_LANGUAGE = "server";

export interface SettingsFormDeps {
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly promptImprover: PromptImprover | undefined;
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
}

type Setting = PanelSetting<SettingsFormDeps>;

/** The settings of the panel: how each is read, changed and asked for in a form. */
export const SETTINGS: Readonly<Record<SettingField, Setting>> = {
	paused: {
		valueOf: ({ access }) => access.paused,
		// A pause ends at once. Its start asks for a message.
		toggle: ({ access }) => (access.paused ? (before) => changePause(before, false, null) : undefined),
		form: {
			fields(_settings, locale) {
				const input = textInput("message", "", PAUSE_CHARS_MAX);
				return [labelFor(locale)({ key: "form.pauseMessage" }, input, { key: "form.pauseMessageHint" })];
			},
			apply(before, { fields }) {
				const message = plainLine(typedTexts(fields)["message"] ?? "", PAUSE_CHARS_MAX);
				return changePause(before, true, message === "" ? null : message);
			},
		},
	},
	channels: {
		valueOf: ({ access }) => access.channels,
		form: {
			fields({ access: { channels } }, locale) {
				const label = labelFor(locale);
				return [
					label({ key: "field.channelsAllowed" }, channelMenu("allowed", channels.allowed, COMMAND_CHANNEL_TYPES)),
					label({ key: "field.channelsDenied" }, channelMenu("denied", channels.denied, COMMAND_CHANNEL_TYPES)),
				];
			},
			apply: (before, { fields }) => changeLists(before, "channels", chosenLists(fields)),
		},
	},
	roles: {
		valueOf: ({ access }) => access.roles,
		form: {
			fields({ access: { roles } }, locale) {
				const label = labelFor(locale);
				return [
					label({ key: "field.rolesAllowed" }, roleMenu("allowed", roles.allowed)),
					label({ key: "field.rolesDenied" }, roleMenu("denied", roles.denied)),
				];
			},
			apply(before, { fields, guildId }) {
				const lists = chosenLists(fields);
				if ([...lists.allowed, ...lists.denied].includes(guildId))
					throw new UserError({ key: "settings.everyoneRole" });
				return changeLists(before, "roles", lists);
			},
		},
	},
	media: {
		valueOf: ({ access }) => access.mediaOff,
		form: {
			fields({ access }, locale) {
				const choices = MEDIA_TYPES.map((value) => ({ value, label: t(locale, mediaTypeName(value)) }));
				return [labelFor(locale)({ key: "field.mediaOff" }, choiceOfMany("off", choices, access.mediaOff))];
			},
			apply(before, { fields }) {
				const off = chosenValues(fields, "off");
				return changeMedia(before, {
					media: Object.fromEntries(MEDIA_TYPES.map((each) => [each, !off.includes(each)])),
				});
			},
		},
	},
	models: {
		valueOf: ({ access }) => access.modelsOff,
		form: {
			fields({ access }, locale, { catalog }) {
				const models = knownModels(catalog);
				if (models.length === 0) throw new UserError({ key: "service.down" });
				const choices = models.map(({ id, name }) => ({ value: id, label: name.slice(0, CHOICE_CHARS_MAX) }));
				return [labelFor(locale)({ key: "field.modelsOff" }, choiceOfMany("off", choices, access.modelsOff))];
			},
			apply(before, { fields }, { catalog }) {
				const listed = knownModels(catalog).slice(0, CHOICES_MAX);
				return changeModels(
					before,
					listed.map(({ id }) => id),
					chosenValues(fields, "off"),
				);
			},
		},
	},
	safety: {
		valueOf: ({ safety }) => safety,
		form: {
			fields({ safety }, locale, { hasModeration }) {
				if (!hasModeration) throw new UserError({ key: "settings.moderationMissing" });
				const choices = CATEGORY_RULE_VALUES.map((value) => ({
					value,
					label: t(locale, { key: CATEGORY_RULE_NAME_KEYS[value] }),
				}));
				return CATEGORIES.map((category) =>
					labelFor(locale)({ key: CATEGORY_NAME_KEYS[category] }, choiceOfOne(category, choices, safety[category])),
				);
			},
			apply(before, { fields }) {
				const rules = CATEGORIES.map((category) => {
					const [chosen] = chosenValues(fields, category);
					return [category, CATEGORY_RULE_VALUES.find((rule) => rule === chosen)] as const;
				});
				return changeSafety(before, Object.fromEntries(rules));
			},
		},
	},
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
	confirmAbove: {
		valueOf: ({ confirmAbove }) => confirmAbove,
		form: {
			fields({ confirmAbove }, locale) {
				const input = numberInput("credits", confirmAbove);
				return [labelFor(locale)({ key: "field.confirmAbove" }, input, { key: "form.confirmAboveHint" })];
			},
			apply(before, { fields }) {
				const confirmAbove = parseCredits({ key: "field.confirmAbove" }, typedTexts(fields)["credits"] ?? "");
				return changeGeneral(before, { confirmAbove });
			},
		},
	},
	pings: {
		valueOf: ({ pings }) => pings,
		form: {
			fields({ pings }, locale) {
				const choices = PINGS.map((value) => ({ value, label: t(locale, { key: PING_CHOICE_KEYS[value] }) }));
				return [labelFor(locale)({ key: "field.pings" }, choiceOfOne("pings", choices, pings))];
			},
			apply(before, { fields }) {
				const [chosen] = chosenValues(fields, "pings");
				return changeGeneral(before, { pings: PINGS.find((each) => each === chosen) });
			},
		},
	},
	showcase: {
		valueOf: ({ showcase }) => showcase,
		form: {
			fields({ showcase: { channelId, stars } }, locale) {
				const label = labelFor(locale);
				return [
					label({ key: "field.showcaseChannel" }, postChannelMenu(channelId)),
					label({ key: "field.showcaseStars" }, numberInput("stars", stars)),
				];
			},
			apply(before, { fields }) {
				const stars = parseStars(typedTexts(fields)["stars"] ?? "");
				return changeShowcase(before, { channelId: chosenChannelId(fields), stars });
			},
		},
	},
	language: {
		valueOf: ({ language }) => language,
		form: {
			fields({ language }, locale) {
				const server = { value: SERVER_LANGUAGE, label: t(locale, { key: "choice.serverLanguage" }) };
				const choices = [server, ...Object.entries(LANGUAGES).map(([value, name]) => ({ value, label: name }))];
				const menu = choiceOfOne("language", choices, language ?? SERVER_LANGUAGE);
				return [labelFor(locale)({ key: "field.language" }, menu)];
			},
			apply(before, { fields }) {
				const [value = SERVER_LANGUAGE] = chosenValues(fields, "language");
				return changeGeneral(before, { language: value === SERVER_LANGUAGE ? null : value });
			},
		},
	},
	log: postChannel("logChannelId", "field.logChannel"),
	reports: postChannel("reportChannelId", "field.reportChannel"),
};

/** Denies prompt improvement while the bot has no text model; only the operator can configure one. */
export function requireImprover(promptImprover: unknown): void {
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
	return {
		valueOf: (settings) => settings[field],
		form: {
			fields: (settings, locale) => [labelFor(locale)({ key: nameKey }, postChannelMenu(settings[field]))],
			apply: (before, { fields }) => changeGeneral(before, { [field]: chosenChannelId(fields) }),
		},
	};
}

function chosenLists(fields: ModalSubmitFields) {
	return {
		// A menu shows only this many entries; the stored ones after them are kept.
		shownMax: CHOICES_MAX,
		allowed: chosenValues(fields, "allowed"),
		denied: chosenValues(fields, "denied"),
	};
}

/** Parses a number of stars, at least 1; `undefined` for an empty text, which keeps the stored number. */
function parseStars(typed: string): number | undefined {
	const stars = parseWholeNumber({ key: "field.showcaseStars" }, typed, SHOWCASE_STARS_MAX);
	return stars === null ? undefined : Math.max(1, stars);
}
