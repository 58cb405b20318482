/** The settings whose path contains no id and no name, as members know them: their names, and their values as text. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageDescriptor, Text } from "../../i18n/message-descriptor.ts";
import type { PlainKey } from "../../i18n/message-params.ts";
import { channelMention, mediaTypeName, roleMention } from "../../i18n/message-param-values.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import { PERIODS } from "../credits/period.ts";
import { CATEGORY_NAME_KEYS } from "../moderation/verdict.ts";
import { LANGUAGES } from "./change-access.ts";

const VALUE_CHARS_MAX = 50;

/** Formats a stored value, which another version of the bot may have written. */
type FormatValue = (value: unknown) => Text;

export interface NamedField {
	readonly name: MessageDescriptor;
	readonly format: FormatValue;
	/** Stands for `null`. */
	readonly ifNull?: MessageDescriptor | undefined;
}

const NONE: MessageDescriptor = { key: "audit.none" };
const OFF: MessageDescriptor = { key: "audit.off" };
const NO_CHANNEL: MessageDescriptor = { key: "audit.noChannel" };
/** In place of a value that is too long, or that this version cannot format. */
export const CHANGED: MessageDescriptor = { key: "audit.changedValue" };

/** The rule of a category, as members choose it. */
export const CATEGORY_RULE_NAME_KEYS = {
	withhold: "choice.ruleWithhold",
	spoiler: "choice.ruleSpoiler",
	ageRestricted: "choice.ruleAgeRestricted",
} as const;

/** The setting for pings, as members choose it. */
export const PING_CHOICE_KEYS = {
	ask: "choice.pingAsk",
	always: "choice.pingAlways",
	never: "choice.pingNever",
} as const;

const categoryRule = choiceOf(CATEGORY_RULE_NAME_KEYS);

type FixedField = readonly [PlainKey, FormatValue, ifNull?: MessageDescriptor];

const FIELDS = {
	timeZone: ["field.timeZone", shortText],
	unusedCredits: ["field.unusedCredits", choiceOf({ expire: "choice.expire", carryOver: "choice.carryOver" })],
	"allowance.per": ["field.period", period],
	"allowance.everyone": ["field.memberLimit", credits],
	serverLimit: ["field.serverLimit", creditsPer],
	"serverLimit.credits": ["field.serverLimit", credits],
	"serverLimit.per": ["field.serverLimit", period],
	warnChannelId: ["field.warnChannel", channel, NO_CHANNEL],
	"media.spoiler": ["field.spoiler", onOrOff],
	"media.private": ["field.private", onOrOff],
	"media.promptInFiles": ["field.promptInFiles", onOrOff],
	"media.improvePrompts": ["field.improvePrompts", onOrOff],
	"access.paused": ["field.paused", paused, OFF],
	"access.paused.message": ["field.paused", shortText],
	"access.channels.allowed": ["field.channelsAllowed", channel],
	"access.channels.denied": ["field.channelsDenied", channel],
	"access.roles.allowed": ["field.rolesAllowed", role],
	"access.roles.denied": ["field.rolesDenied", role],
	"access.mediaOff": ["field.mediaOff", mediaTypeText],
	"access.modelsOff": ["field.modelsOff", shortText],
	"safety.sexual": [CATEGORY_NAME_KEYS.sexual, categoryRule],
	"safety.violence": [CATEGORY_NAME_KEYS.violence, categoryRule],
	"safety.selfHarm": [CATEGORY_NAME_KEYS.selfHarm, categoryRule],
	"safety.other": [CATEGORY_NAME_KEYS.other, categoryRule],
	"filter.patterns": ["field.patterns", shortText],
	confirmAbove: ["field.confirmAbove", aboveCredits, { key: "audit.never" }],
	pings: ["field.pings", choiceOf(PING_CHOICE_KEYS)],
	"showcase.channelId": ["field.showcaseChannel", channel, NO_CHANNEL],
	"showcase.stars": ["field.showcaseStars", count],
	logChannelId: ["field.logChannel", channel, NO_CHANNEL],
	reportChannelId: ["field.reportChannel", channel, NO_CHANNEL],
	apiKeys: ["field.apiKeys", shortText],
	language: ["field.language", languageName, { key: "audit.serverLanguage" }],
} satisfies Readonly<Record<string, FixedField>>;
type FieldPath = keyof typeof FIELDS;

/** Returns `undefined` for a path that this version does not know, or that contains an id or a name. */
export function fixedField(path: string): NamedField | undefined {
	return Object.hasOwn(FIELDS, path) ? namedField(FIELDS[path as FieldPath]) : undefined;
}

function namedField([key, format, ifNull]: FixedField): NamedField {
	return { name: { key } as MessageDescriptor, format, ifNull };
}

export function formatValue({ format, ifNull = NONE }: NamedField, value: unknown): Text {
	if (value === undefined) return NONE;
	return value === null ? ifNull : format(value);
}

/** Formats a setting with its value as one line. */
export function fieldLine(path: FieldPath, value: unknown): MessageDescriptor {
	const field = namedField(FIELDS[path]);
	return { key: "settings.line", params: { field: field.name, value: formatValue(field, value) } };
}

function choiceOf(keys: Readonly<Record<string, PlainKey>>): FormatValue {
	return (value) => {
		const key = typeof value === "string" && Object.hasOwn(keys, value) ? keys[value] : undefined;
		return key ? ({ key } as MessageDescriptor) : CHANGED;
	};
}

export function shortText(value: unknown): Text {
	return typeof value === "string" ? quote(value, VALUE_CHARS_MAX) : CHANGED;
}

function count(value: unknown): Text {
	return typeof value === "number" ? value : CHANGED;
}

export function credits(value: unknown): Text {
	return typeof value === "number" ? { key: "audit.credits", params: { credits: value } } : CHANGED;
}

function aboveCredits(value: unknown): Text {
	return typeof value === "number" ? { key: "audit.aboveCredits", params: { credits: value } } : CHANGED;
}

function period(value: unknown): Text {
	const per = PERIODS.find((each) => each === value);
	return per ? { key: `choice.${per}` } : CHANGED;
}

function creditsPer(value: unknown): Text {
	const limit = isObject(value) ? value : {};
	const per = PERIODS.find((each) => each === limit["per"]);
	if (!per || typeof limit["credits"] !== "number") return CHANGED;
	return { key: "audit.creditsPer", params: { credits: limit["credits"], per } };
}

export function onOrOff(value: unknown): Text {
	return value === true ? { key: "audit.on" } : OFF;
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

/** Names a language in that language. */
function languageName(code: unknown): Text {
	if (typeof code !== "string") return CHANGED;
	return Object.entries(LANGUAGES).find(([each]) => each === code)?.[1] ?? quoteName(code);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}
