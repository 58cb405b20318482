/** Formats a server's settings. Its limits are in ../credits/format-limits.ts, the settings of single channels in channel-defaults.ts. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageDescriptor, Text } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import { channelMention, mediaTypeName, roleMention, shortList } from "../../i18n/message-param-values.ts";
import { CATEGORIES } from "@atelier/dashboard/server-settings";
import type { GuildSettings } from "./guild-settings.ts";
import {
	pathsOfPage,
	SETTING_PATHS,
	settingLine,
	settingRow,
	type PagePath,
	type SettingNeed,
	type SettingPage,
} from "./setting-table.ts";

/** The number of channels, roles and models that are named per list, so that the text fits a message. */
const NAMED_MAX = 5;
const MODELS_NAMED_MAX = 3;
const PAUSE_CHARS_SHOWN = 80;

/** Several settings that have one line and one form. */
type SettingGroup = "paused" | "channels" | "roles" | "media" | "models" | "safety" | "showcase";
export type SettingField = SettingGroup | PagePath;

/** The settings that have a line of their own, by the page of the panel that shows them. */
export const SETTING_PAGES: Readonly<Record<SettingPage, readonly SettingField[]>> = {
	access: ["paused", "channels", "roles", "media", "models", "safety"],
	results: [...pathsOfPage("results"), "showcase"],
	server: pathsOfPage("server"),
	/** One entry for each channel with settings of its own. */
	channels: [],
};
export const SETTING_FIELDS: readonly SettingField[] = Object.values(SETTING_PAGES).flat();

/** Returns the settings of a page that have an effect: the operator has set up what they need. */
export function fieldsOfPage(
	page: SettingPage,
	provided: Readonly<Record<SettingNeed, boolean>>,
): readonly SettingField[] {
	return SETTING_PAGES[page].filter((field) => {
		// The paths of a group begin with its name.
		const path = SETTING_PATHS.find((each) => each === field || each.startsWith(`${field}.`));
		const need = path && settingRow(path).needs;
		return need === undefined || provided[need];
	});
}

/** Returns the page of the panel that shows the setting. */
export function pageOf(field: SettingField): SettingPage {
	const pages = Object.entries(SETTING_PAGES) as [SettingPage, readonly SettingField[]][];
	const found = pages.find(([, fields]) => fields.includes(field));
	if (!found) throw new TypeError(`no page shows the setting ${field}`);
	return found[0];
}

export function formatField(settings: GuildSettings, field: SettingField, locale: string): string {
	const lines = hasOwnLines(field) ? LINES[field](settings) : [settingLine(settings, field)];
	return lines.map((line) => t(locale, line)).join("\n");
}

/** The settings with a text of their own; all others have the line of their row. */
const LINES = {
	paused: ({ access }) => statusLines(access.paused),
	channels: ({ access }) => [{ key: "settings.channels", params: rulesOf(access.channels, channelMention) }],
	roles: ({ access }) => [{ key: "settings.roles", params: rulesOf(access.roles, roleMention) }],
	media: ({ access }) => [mediaLine(access.mediaOff)],
	models: ({ access }) => [modelsLine(access.modelsOff)],
	safety: ({ safety }) => safetyLines(safety),
	"media.private": ({ media }) => [{ key: "settings.results", params: { private: media.private } }],
	showcase: ({ showcase }) => [{ key: "settings.showcase", params: showcase }],
} satisfies Partial<Record<SettingField, (settings: GuildSettings) => readonly MessageDescriptor[]>>;

function hasOwnLines(field: SettingField): field is keyof typeof LINES {
	return Object.hasOwn(LINES, field);
}

/** Counts the entries that other commands list. */
export function countsLine({ filter, styles }: GuildSettings, blockedMembers: number): MessageDescriptor {
	const params = { patterns: filter.patterns.length, blocked: blockedMembers, styles: Object.keys(styles).length };
	return { key: "settings.counts", params };
}

function modelsLine(modelsOff: readonly string[]): MessageDescriptor {
	if (modelsOff.length === 0) return { key: "settings.modelsAll" };
	return { key: "settings.modelsOff", params: { models: shortList(modelsOff.map(quoteName), MODELS_NAMED_MAX) } };
}

function safetyLines(safety: GuildSettings["safety"]): readonly MessageDescriptor[] {
	const rules = CATEGORIES.map((category): MessageDescriptor => {
		const rule = { key: `categoryRule.${safety[category]}` } as const;
		return { key: "settings.safetyRule", params: { category: { key: `category.${category}` }, rule } };
	});
	return [{ key: "settings.safety" }, ...rules];
}

function statusLines(paused: GuildSettings["access"]["paused"]): readonly MessageDescriptor[] {
	if (!paused) return [{ key: "settings.running" }];
	if (paused.message === null) return [{ key: "settings.paused" }];
	const note = quote(paused.message, PAUSE_CHARS_SHOWN);
	return [{ key: "settings.paused" }, { key: "settings.pauseMessage", params: { note } }];
}

type AccessLists = GuildSettings["access"]["channels"];

function rulesOf({ allowed, denied }: AccessLists, mention: (id: string) => string) {
	const listOf = (ids: readonly string[]): Text => shortList(ids.map(mention), NAMED_MAX);
	return { rule: ruleOf({ allowed, denied }), allowed: listOf(allowed), denied: listOf(denied) };
}

/** Selects the variant of the message: `other` names both lists. */
function ruleOf({ allowed, denied }: AccessLists): "all" | "only" | "except" | "other" {
	if (allowed.length > 0 && denied.length > 0) return "other";
	if (allowed.length > 0) return "only";
	return denied.length > 0 ? "except" : "all";
}

function mediaLine(mediaOff: GuildSettings["access"]["mediaOff"]): MessageDescriptor {
	const media = MEDIA_TYPES.filter((mediaType) => !mediaOff.includes(mediaType)).map(mediaTypeName);
	return media.length === 0 ? { key: "settings.mediaNone" } : { key: "settings.media", params: { media } };
}
