/** The settings whose path contains no id and no name, one row each: their names, and how members choose and read their values. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LANGUAGES } from "../../i18n/languages.ts";
import type { CommandWord, MessageDescriptor, PlainKey, Text } from "../../i18n/message-descriptor.ts";
import { channelMention, mediaTypeName, roleMention } from "../../i18n/message-param-values.ts";
import { quote } from "../../i18n/quote.ts";
import { valueAt as readPath, withValue } from "@atelier/dashboard/setting-paths";
import { CATEGORY_RULE_VALUES, PERIODS, PINGS } from "@atelier/dashboard/server-settings";
import { LIMIT_CREDITS_MAX, SHOWCASE_STARS_MAX } from "@atelier/dashboard/limits";
import type { GuildSettings } from "./guild-settings.ts";

const VALUE_CHARS_MAX = 50;
const NONE: MessageDescriptor = { key: "audit.none" };

/** A setting or a part of one, as the audit names it. */
export interface NamedField {
	readonly name: MessageDescriptor;
	/** Formats a stored value, which another version of the bot may have written. For a list, formats one entry. */
	readonly format: (value: unknown) => Text;
	/** Stands for `null`. */
	readonly ifNull?: MessageDescriptor;
}

/** Forms, options of commands and changes follow from the input of a setting. For a setting without one, they are written by hand. */
type SettingInput =
	| { readonly input?: undefined }
	| { readonly input: "switch" }
	/** The bot posts the greeting when the channel is chosen. */
	| { readonly input: "postChannel"; readonly greeting: PlainKey }
	| { readonly input: "number"; readonly min: number; readonly max: number }
	| { readonly input: "choice"; readonly choices: Choices };

/** The values of a choice, and a text for each: a message, or a text that is not translated. */
type Choices = Readonly<Record<string, MessageDescriptor | string>>;

/** A part of the bot that the operator sets up, and without which some settings have no effect. */
export type SettingNeed = "improver" | "moderation";

/** The pages of the panel of `/settings`. */
export type SettingPage = "access" | "results" | "server" | "channels";

/** The subcommand of `/settings` or `/quota` that takes a setting as an option. */
interface SettingOption {
	readonly of: "media" | "general" | "showcase" | "safety" | "server";
	readonly name: CommandWord;
	readonly description: PlainKey;
}

type Kind = Pick<NamedField, "format" | "ifNull"> & {
	readonly formHint?: MessageDescriptor;
	readonly needs?: SettingNeed;
	/** The page that shows the setting on its own. */
	readonly page?: SettingPage;
	readonly option?: SettingOption;
} & SettingInput;
export type SettingRow = NamedField & Kind;

/** In place of a value that is too long, or that this version cannot format. */
export const CHANGED: MessageDescriptor = { key: "audit.changedValue" };

const SWITCH = { input: "switch", format: onOrOff } as const;
const CREDITS = { input: "number", min: 0, max: LIMIT_CREDITS_MAX, format: credits } as const;
const POST_CHANNEL = { input: "postChannel", format: channel, ifNull: { key: "audit.noChannel" } } as const;
const TEXT = { format: shortText };
const PERIOD = choice(named(PERIODS, (period) => `choice.${period}`));

/** Pages and commands list the settings in this order. */
const SETTINGS = {
	timeZone: row("field.timeZone", TEXT),
	unusedCredits: row("field.unusedCredits", {
		...choice(named(["expire", "carryOver"], (rule) => `choice.${rule}`)),
		option: { of: "server", name: "unused", description: "option.quotaUnused" },
	}),
	"allowance.per": row("field.period", PERIOD),
	"allowance.everyone": row("field.memberLimit", { ...CREDITS, formHint: { key: "form.limitHint" } }),
	serverLimit: row("field.serverLimit", { format: creditsPer }),
	"serverLimit.credits": row("field.serverLimit", CREDITS),
	"serverLimit.per": row("field.serverLimit", PERIOD),
	warnChannelId: row("field.warnChannel", {
		...POST_CHANNEL,
		greeting: "settings.warnChannelHello",
		formHint: { key: "form.warnChannelHint" },
		option: { of: "server", name: "warn_channel", description: "option.quotaWarnChannel" },
	}),
	"access.paused": row("field.paused", { format: paused, ifNull: { key: "audit.off" } }),
	"access.paused.message": row("field.paused", TEXT),
	"access.channels.allowed": row("field.channelsAllowed", { format: channel }),
	"access.channels.denied": row("field.channelsDenied", { format: channel }),
	"access.roles.allowed": row("field.rolesAllowed", { format: role }),
	"access.roles.denied": row("field.rolesDenied", { format: role }),
	"access.mediaOff": row("field.mediaOff", { format: mediaTypeText }),
	"access.modelsOff": row("field.modelsOff", TEXT),
	"safety.sexual": row("category.sexual", categoryRule("sexual")),
	"safety.violence": row("category.violence", categoryRule("violence")),
	"safety.selfHarm": row("category.selfHarm", categoryRule("self_harm")),
	"safety.other": row("category.other", categoryRule("other")),
	"filter.patterns": row("field.patterns", TEXT),
	apiKeys: row("field.apiKeys", TEXT),
	"media.private": row("field.private", {
		...SWITCH,
		page: "results",
		option: { of: "media", name: "private", description: "option.privateDefault" },
	}),
	"media.spoiler": row("field.spoiler", {
		...SWITCH,
		page: "results",
		option: { of: "media", name: "spoiler", description: "option.spoiler" },
	}),
	language: row("field.language", {
		...choice(LANGUAGES),
		ifNull: { key: "audit.serverLanguage" },
		page: "server",
		option: { of: "general", name: "language", description: "option.language" },
	}),
	confirmAbove: row("field.confirmAbove", {
		...CREDITS,
		format: aboveCredits,
		ifNull: { key: "audit.never" },
		formHint: { key: "form.confirmAboveHint" },
		page: "results",
		option: { of: "general", name: "confirm_above", description: "option.confirmAbove" },
	}),
	pings: row("field.pings", {
		...choice(named(PINGS, (rule) => `pingRule.${rule}`)),
		page: "results",
		option: { of: "general", name: "pings", description: "option.pings" },
	}),
	"showcase.channelId": row("field.showcaseChannel", {
		...POST_CHANNEL,
		greeting: "settings.showcaseHello",
		option: { of: "showcase", name: "channel", description: "option.showcaseChannel" },
	}),
	"showcase.stars": row("field.showcaseStars", {
		input: "number",
		min: 1,
		max: SHOWCASE_STARS_MAX,
		format: count,
		option: { of: "showcase", name: "stars", description: "option.showcaseStars" },
	}),
	"media.promptInFiles": row("field.promptInFiles", {
		...SWITCH,
		page: "results",
		option: { of: "media", name: "prompt_in_files", description: "option.promptInFiles" },
	}),
	"media.improvePrompts": row("field.improvePrompts", {
		...SWITCH,
		needs: "improver",
		page: "results",
		option: { of: "media", name: "improve_prompts", description: "option.improvePrompts" },
	}),
	logChannelId: row("field.logChannel", {
		...POST_CHANNEL,
		greeting: "settings.logChannelHello",
		page: "server",
		option: { of: "general", name: "log_channel", description: "option.logChannel" },
	}),
	reportChannelId: row("field.reportChannel", {
		...POST_CHANNEL,
		greeting: "settings.reportChannelHello",
		page: "server",
		option: { of: "general", name: "report_channel", description: "option.reportChannel" },
	}),
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingPath = keyof typeof SETTINGS;
/** The settings with an input. */
export type InputPath = {
	[Path in SettingPath]: (typeof SETTINGS)[Path] extends { readonly input: string } ? Path : never;
}[SettingPath];
/** The settings that a page shows on their own. */
export type PagePath = {
	[Path in SettingPath]: (typeof SETTINGS)[Path] extends { readonly page: SettingPage } ? Path : never;
}[SettingPath];

function row<const Each extends Kind>(key: PlainKey, kind: Each) {
	return { name: { key } as MessageDescriptor, ...kind };
}

function choice<const Each extends Choices>(choices: Each) {
	const format = (value: unknown): Text => {
		const name = typeof value === "string" && Object.hasOwn(choices, value) ? choices[value] : undefined;
		return name ?? shortText(value);
	};
	return { input: "choice", choices, format } as const;
}

/** Names each value of a choice by a message whose key contains it. */
function named<const Value extends string>(values: readonly Value[], keyOf: (value: Value) => PlainKey) {
	const names = values.map((value) => [value, { key: keyOf(value) }]);
	return Object.fromEntries(names) as Record<Value, MessageDescriptor>;
}

function categoryRule(name: CommandWord) {
	const option = { of: "safety", name, description: "option.categoryRule" } as const;
	return {
		...choice(named(CATEGORY_RULE_VALUES, (rule) => `categoryRule.${rule}`)),
		needs: "moderation",
		option,
	} as const;
}

/** Returns `undefined` for a path that this version does not know, or that contains an id or a name. */
export function fixedField(path: string): NamedField | undefined {
	return Object.hasOwn(SETTINGS, path) ? SETTINGS[path as SettingPath] : undefined;
}

export function settingRow(path: SettingPath): SettingRow {
	return SETTINGS[path];
}

export const SETTING_PATHS = Object.keys(SETTINGS) as readonly SettingPath[];
export function pathsOfPage(page: SettingPage): readonly PagePath[] {
	return SETTING_PATHS.filter((path): path is PagePath => settingRow(path).page === page);
}

export function formatValue({ format, ifNull = NONE }: NamedField, value: unknown): Text {
	if (value === undefined) return NONE;
	return value === null ? ifNull : format(value);
}

/** Formats a setting with its value as one line. */
export function settingLine(settings: GuildSettings, path: SettingPath): MessageDescriptor {
	const setting = settingRow(path);
	const value = formatValue(setting, valueAt(settings, path));
	return { key: "settings.line", params: { field: setting.name, value } };
}

export type ValueAt<Node, Path extends string> = Path extends keyof Node
	? Node[Path]
	: Path extends `${infer Key extends keyof Node & string}.${infer Rest}`
		? ValueAt<Node[Key], Rest>
		: never;

/** Values of settings by their paths. */
export type SettingValues = { readonly [Path in SettingPath]?: ValueAt<FixedSettings, Path> };

/** Settings with or without the parts that contain names and ids of members. */
export type FixedSettings = Omit<GuildSettings, "blocks" | "styles">;

export function valueAt<Path extends SettingPath>(settings: FixedSettings, path: Path): ValueAt<FixedSettings, Path> {
	return readPath(settings, path.split(".")) as ValueAt<FixedSettings, Path>;
}

export function setValues(settings: GuildSettings, values: SettingValues): GuildSettings {
	return Object.entries(values).reduce<unknown>(
		(after, [path, value]) => withValue(after, path.split("."), value),
		settings,
	) as GuildSettings;
}

export function shortText(value: unknown): Text {
	return typeof value === "string" ? quote(value, VALUE_CHARS_MAX) : CHANGED;
}

function count(value: unknown): Text {
	return typeof value === "number" ? value : CHANGED;
}

export function credits(value: unknown): Text {
	return typeof value === "number" ? { key: "credits.amount", params: { credits: value } } : CHANGED;
}

function aboveCredits(value: unknown): Text {
	return typeof value === "number" ? { key: "audit.aboveCredits", params: { credits: value } } : CHANGED;
}

function creditsPer(value: unknown): Text {
	const limit = isObject(value) ? value : {};
	const per = PERIODS.find((each) => each === limit["per"]);
	if (!per || typeof limit["credits"] !== "number") return CHANGED;
	return { key: "audit.creditsPer", params: { credits: limit["credits"], per } };
}

export function onOrOff(value: unknown): Text {
	return { key: value === true ? "audit.on" : "audit.off" };
}

function channel(value: unknown): Text {
	return typeof value === "string" ? channelMention(value) : CHANGED;
}

function role(value: unknown): Text {
	return typeof value === "string" ? roleMention(value) : CHANGED;
}

function mediaTypeText(value: unknown): Text {
	const mediaType = MEDIA_TYPES.find((each) => each === value);
	return mediaType ? mediaTypeName(mediaType) : CHANGED;
}

function paused(value: unknown): Text {
	const note = isObject(value) ? value["message"] : null;
	if (typeof note !== "string") return onOrOff(true);
	return { key: "audit.pausedWith", params: { note: shortText(note) } };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}
