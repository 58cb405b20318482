/** The forms of the settings panel, and the changes that submitted forms describe. Pure. */
import type { APILabelComponent, ModalSubmitFields } from "discord.js";
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import { mediaTypeName } from "../i18n/message-param-values.ts";
import { t } from "../i18n/messages.ts";
import { plainLine } from "../i18n/quote.ts";
import { PING_CHOICE_KEYS, CATEGORY_RULE_NAME_KEYS, type SettingField } from "../services/settings/format-settings.ts";
import { CATEGORIES, CATEGORY_NAME_KEYS, CATEGORY_RULE_VALUES } from "../services/moderation/verdict.ts";
import type { GuildSettings, SettingsUpdate } from "../services/settings/guild-settings.ts";
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
import { NUMBER_CHARS_MAX, creditsText, parseCredits, parseWholeNumber } from "../services/settings/setup-steps.ts";
import { UserError } from "../services/user-error.ts";
import { POST_CHANNEL_TYPES, COMMAND_CHANNEL_TYPES } from "../discord/channel-types.ts";
import {
	channelMenu,
	choiceOfMany,
	choiceOfOne,
	chosenValues,
	labelFor,
	idListOf,
	roleMenu,
	textInput,
	typedTexts,
} from "./framework/form-fields.ts";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../discord/card.ts";

const SERVER_LANGUAGE = "server";

/** Returns the stored value of a setting. */
export function settingValueOf({ access, media, ...settings }: GuildSettings, field: SettingField): unknown {
	switch (field) {
		case "paused":
		case "channels":
		case "roles":
			return access[field];
		case "media":
			return access.mediaOff;
		case "models":
			return access.modelsOff;
		case "private":
		case "spoiler":
		case "promptInFiles":
		case "improvePrompts":
			return media[field];
		case "log":
			return settings.logChannelId;
		case "reports":
			return settings.reportChannelId;
		case "safety":
		case "confirmAbove":
		case "pings":
		case "showcase":
		case "language":
			return settings[field];
	}
}

/**
 * Returns the change that a press makes without a form: the other value of a setting with two values, or the end of a pause.
 * `undefined` if the setting needs a form.
 */
export function toggleOf(
	{ access }: GuildSettings,
	field: SettingField,
	{ promptImprover }: { readonly promptImprover: unknown },
): SettingsUpdate | undefined {
	if (field === "private" || field === "spoiler" || field === "promptInFiles")
		return (before) => changeMedia(before, { [field]: !before.media[field] });
	if (field === "improvePrompts") {
		return (before) => {
			const improvePrompts = !before.media.improvePrompts;
			if (improvePrompts) requireImprover(promptImprover);
			return changeMedia(before, { improvePrompts });
		};
	}
	return field === "paused" && access.paused ? (before) => changePause(before, false, null) : undefined;
}

/** Denies prompt improvement while the bot has no text model; only the operator can configure one. */
export function requireImprover(promptImprover: unknown): void {
	if (promptImprover === undefined) throw new UserError({ key: "settings.improverMissing" });
}

interface FormDeps {
	readonly models: readonly Model[];
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
}

/** Builds the fields of the form of a setting. Throws for one that has none. */
export function settingFields(
	field: SettingField,
	settings: GuildSettings,
	{ models, hasModeration }: FormDeps,
	locale: string,
): readonly APILabelComponent[] {
	const { access, confirmAbove, language, logChannelId, reportChannelId } = settings;
	const label = labelFor(locale);
	switch (field) {
		case "channels":
			return [
				label({ key: "field.channelsAllowed" }, channelMenu("allowed", access.channels.allowed, COMMAND_CHANNEL_TYPES)),
				label({ key: "field.channelsDenied" }, channelMenu("denied", access.channels.denied, COMMAND_CHANNEL_TYPES)),
			];
		case "roles":
			return [
				label({ key: "field.rolesAllowed" }, roleMenu("allowed", access.roles.allowed)),
				label({ key: "field.rolesDenied" }, roleMenu("denied", access.roles.denied)),
			];
		case "media": {
			const choices = MEDIA_TYPES.map((value) => ({ value, label: t(locale, mediaTypeName(value)) }));
			return [label({ key: "field.mediaOff" }, choiceOfMany("off", choices, access.mediaOff))];
		}
		case "models": {
			if (models.length === 0) throw new UserError({ key: "service.down" });
			const choices = models.map(({ id, name }) => ({ value: id, label: name.slice(0, CHOICE_CHARS_MAX) }));
			return [label({ key: "field.modelsOff" }, choiceOfMany("off", choices, access.modelsOff))];
		}
		case "safety": {
			if (!hasModeration) throw new UserError({ key: "settings.moderationMissing" });
			const choices = CATEGORY_RULE_VALUES.map((value) => ({
				value,
				label: t(locale, { key: CATEGORY_RULE_NAME_KEYS[value] }),
			}));
			return CATEGORIES.map((category) =>
				label({ key: CATEGORY_NAME_KEYS[category] }, choiceOfOne(category, choices, settings.safety[category])),
			);
		}
		case "language": {
			const server = { value: SERVER_LANGUAGE, label: t(locale, { key: "choice.serverLanguage" }) };
			const choices = [server, ...Object.entries(LANGUAGES).map(([value, name]) => ({ value, label: name }))];
			return [label({ key: "field.language" }, choiceOfOne("language", choices, language ?? SERVER_LANGUAGE))];
		}
		case "log":
			return [
				label({ key: "field.logChannel" }, channelMenu("channel", idListOf(logChannelId), POST_CHANNEL_TYPES, 1)),
			];
		case "reports":
			return [
				label({ key: "field.reportChannel" }, channelMenu("channel", idListOf(reportChannelId), POST_CHANNEL_TYPES, 1)),
			];
		case "showcase": {
			const { channelId, stars } = settings.showcase;
			return [
				label({ key: "field.showcaseChannel" }, channelMenu("channel", idListOf(channelId), POST_CHANNEL_TYPES, 1)),
				label({ key: "field.showcaseStars" }, textInput("stars", String(stars), NUMBER_CHARS_MAX)),
			];
		}
		case "confirmAbove": {
			const input = textInput("credits", creditsText(confirmAbove), NUMBER_CHARS_MAX);
			return [label({ key: "field.confirmAbove" }, input, { key: "form.setupConfirmAboveHint" })];
		}
		case "pings": {
			const choices = PINGS.map((value) => ({ value, label: t(locale, { key: PING_CHOICE_KEYS[value] }) }));
			return [label({ key: "field.pings" }, choiceOfOne("pings", choices, settings.pings))];
		}
		case "paused": {
			const input = textInput("message", "", PAUSE_CHARS_MAX);
			return [label({ key: "form.pauseMessage" }, input, { key: "form.pauseMessageHint" })];
		}
		case "private":
		case "spoiler":
		case "promptInFiles":
		case "improvePrompts":
			throw new Error(`${field} has no form`);
	}
}

/** Reads a submitted form. Denies invalid values. */
export function readSettingForm(
	field: SettingField,
	fields: ModalSubmitFields,
	{ guildId, models }: { readonly guildId: string; readonly models: readonly Model[] },
): SettingsUpdate {
	const lists = {
		// A menu shows only this many entries; the stored ones after them are kept.
		shownMax: CHOICES_MAX,
		allowed: chosenValues(fields, "allowed"),
		denied: chosenValues(fields, "denied"),
	};
	const [channelId = null] = chosenValues(fields, "channel");
	const off = chosenValues(fields, "off");
	const { credits = "", message = "", stars = "" } = typedTexts(fields);
	switch (field) {
		case "channels":
			return (before) => changeLists(before, "channels", lists);
		case "roles":
			if ([...lists.allowed, ...lists.denied].includes(guildId)) throw new UserError({ key: "settings.everyoneRole" });
			return (before) => changeLists(before, "roles", lists);
		case "media": {
			const media = Object.fromEntries(MEDIA_TYPES.map((each) => [each, !off.includes(each)]));
			return (before) => changeMedia(before, { media });
		}
		case "models": {
			const listed = models.slice(0, CHOICES_MAX).map(({ id }) => id);
			return (before) => changeModels(before, listed, off);
		}
		case "safety": {
			const rules = CATEGORIES.map((category) => {
				const [chosen] = chosenValues(fields, category);
				return [category, CATEGORY_RULE_VALUES.find((rule) => rule === chosen)] as const;
			});
			return (before) => changeSafety(before, Object.fromEntries(rules));
		}
		case "language": {
			const [value = SERVER_LANGUAGE] = chosenValues(fields, "language");
			return (before) => changeGeneral(before, { language: value === SERVER_LANGUAGE ? null : value });
		}
		case "log":
			return (before) => changeGeneral(before, { logChannelId: channelId });
		case "reports":
			return (before) => changeGeneral(before, { reportChannelId: channelId });
		case "showcase": {
			const starsMin = parseStars(stars);
			return (before) => changeShowcase(before, { channelId, stars: starsMin });
		}
		case "confirmAbove": {
			const confirmAbove = parseCredits({ key: "field.confirmAbove" }, credits);
			return (before) => changeGeneral(before, { confirmAbove });
		}
		case "pings": {
			const [chosen] = chosenValues(fields, "pings");
			const pings = PINGS.find((each) => each === chosen);
			return (before) => changeGeneral(before, { pings });
		}
		case "paused": {
			const pauseMessage = plainLine(message, PAUSE_CHARS_MAX);
			return (before) => changePause(before, true, pauseMessage === "" ? null : pauseMessage);
		}
		case "private":
		case "spoiler":
		case "promptInFiles":
		case "improvePrompts":
			throw new Error(`${field} has no form`);
	}
}

/** Parses a number of stars, at least 1; `undefined` for an empty text, which keeps the stored number. */
function parseStars(typed: string): number | undefined {
	const stars = parseWholeNumber({ key: "field.showcaseStars" }, typed, SHOWCASE_STARS_MAX);
	return stars === null ? undefined : Math.max(1, stars);
}
