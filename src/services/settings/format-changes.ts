/** Formats changes of a guild's settings, for `/settings audit` and the log channel. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageRef, Text } from "../../i18n/message-ref.ts";
import type { PlainKey } from "../../i18n/message-params.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import { keyNameOf, memberIdOf } from "../access/actor.ts";
import { channelMention, mediaTypeName, memberMention, roleMention, shortList } from "../../i18n/message-parts.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import { PERIODS } from "../credits/period.ts";
import { CATEGORY_NAME_KEYS, CATEGORY_RULE_VALUES } from "../moderation/verdict.ts";
import { CATEGORY_RULE_NAME_KEYS, languageName, PING_CHOICE_KEYS } from "./format-settings.ts";
import { PINGS } from "./settings-schema.ts";
import type { SettingsChange, FieldChange } from "./guild-settings.ts";

const VALUE_CHARS_MAX = 50;
const VALUES_SHOWN = 3;
/** The number of fields that are named per change: an import can change all of them. */
const FIELDS_NAMED_MAX = 4;

/** A field as members know it. `format` gets a stored value, which may be of another version. */
interface Field {
	readonly name: MessageRef;
	readonly format: (value: unknown) => Text;
}

/** Formats one line per change: time, author, surface, field, old and new value. */
export function formatChange({ atMs, by, via, changes, revision }: SettingsChange, locale: string): string {
	const params = { atS: toTimestampS(atMs), who: actor(by), via, revision, fields: namedFields(changes) };
	return t(locale, { key: "audit.line", params });
}

/** Formats the changed fields, one line each. */
export function formatFields(changes: readonly FieldChange[], locale: string): string[] {
	return namedFields(changes).map((each) => t(locale, each));
}

function namedFields(changes: readonly FieldChange[]): readonly MessageRef[] {
	return shortList(changes.map(fieldChange), FIELDS_NAMED_MAX);
}

/** Formats one changed field, with its old and its new value. */
export function formatFieldChange(change: FieldChange, locale: string): string {
	return t(locale, fieldChange(change));
}

function fieldChange({ path, before, after }: FieldChange): MessageRef {
	const { name: field, format } = fieldOf(path);
	if (Array.isArray(before) && Array.isArray(after)) {
		const listOf = (values: readonly unknown[]): Text => shortList(values.map(format), VALUES_SHOWN);
		const kind = before.length === 0 ? "added" : after.length === 0 ? "removed" : "other";
		return { key: "audit.listChanged", params: { kind, field, removed: listOf(before), added: listOf(after) } };
	}
	const shown = (value: unknown): Text => (value === undefined || value === null ? NONE : format(value));
	return { key: "audit.changed", params: { field, oldValue: shown(before), newValue: shown(after) } };
}

const NONE: MessageRef = { key: "audit.none" };
const CHANGED: MessageRef = { key: "audit.changedValue" };

function fieldOf(path: string): Field {
	const fixed = FIELDS[path];
	if (fixed) return { name: { key: fixed[0] } as MessageRef, format: fixed[1] };
	const [section = "", second = "", third = ""] = path.split(".");
	switch (section) {
		case "allowance": {
			const mediaType = MEDIA_TYPES.find((each) => each === third);
			if (second === "media" && mediaType)
				return { name: { key: "field.mediaTypeLimit", params: { mediaType } }, format: credits };
			const mention = second === "roles" ? roleMention(third) : memberMention(third);
			return { name: { key: "field.limitOf", params: { mention } }, format: credits };
		}
		case "blocks":
			return { name: { key: "field.block", params: { mention: memberMention(second) } }, format: block };
		case "channelDefaults":
			return { name: { key: "field.channelDefaults", params: { channelId: second } }, format: () => CHANGED };
		case "styles":
			return { name: { key: "field.style", params: { name: text(second) } }, format: third === "" ? style : option };
		default:
			return { name: { key: "field.other" }, format: () => CHANGED };
	}
}

const FIELDS: Readonly<Record<string, readonly [PlainKey, Field["format"]]>> = {
	timeZone: ["field.timeZone", text],
	unusedCredits: [
		"field.unusedCredits",
		(value) => ({ key: value === "carryOver" ? "choice.carryOver" : "choice.expire" }),
	],
	"allowance.per": ["field.period", period],
	"allowance.everyone": ["field.memberLimit", credits],
	serverLimit: ["field.serverLimit", creditsPer],
	"serverLimit.credits": ["field.serverLimit", credits],
	"serverLimit.per": ["field.serverLimit", period],
	warnChannelId: ["field.warnChannel", channel],
	"media.spoiler": ["field.spoiler", onOrOff],
	"media.private": ["field.private", onOrOff],
	"media.promptInFiles": ["field.promptInFiles", onOrOff],
	"media.improvePrompts": ["field.improvePrompts", onOrOff],
	"access.paused": ["field.paused", paused],
	"access.paused.message": ["field.paused", text],
	"access.channels.allowed": ["field.channelsAllowed", channel],
	"access.channels.denied": ["field.channelsDenied", channel],
	"access.roles.allowed": ["field.rolesAllowed", role],
	"access.roles.denied": ["field.rolesDenied", role],
	"access.mediaOff": ["field.mediaOff", mediaTypeText],
	"access.modelsOff": ["field.modelsOff", text],
	"safety.sexual": [CATEGORY_NAME_KEYS.sexual, categoryRule],
	"safety.violence": [CATEGORY_NAME_KEYS.violence, categoryRule],
	"safety.selfHarm": [CATEGORY_NAME_KEYS.selfHarm, categoryRule],
	"safety.other": [CATEGORY_NAME_KEYS.other, categoryRule],
	"filter.patterns": ["field.patterns", text],
	confirmAbove: ["field.confirmAbove", credits],
	pings: ["field.pings", ping],
	"showcase.channelId": ["field.showcaseChannel", channel],
	"showcase.stars": ["field.showcaseStars", count],
	logChannelId: ["field.logChannel", channel],
	reportChannelId: ["field.reportChannel", channel],
	apiKeys: ["field.apiKeys", text],
	language: ["field.language", (value) => (typeof value === "string" ? languageName(value) : CHANGED)],
};

function text(value: unknown): Text {
	return typeof value === "string" ? quote(value, VALUE_CHARS_MAX) : CHANGED;
}

function count(value: unknown): Text {
	return typeof value === "number" ? value : CHANGED;
}

function credits(value: unknown): Text {
	return typeof value === "number" ? { key: "audit.credits", params: { credits: value } } : CHANGED;
}

function period(value: unknown): Text {
	const per = PERIODS.find((each) => each === value);
	return per ? { key: "audit.period", params: { per } } : CHANGED;
}

function creditsPer(value: unknown): Text {
	const limit = isObject(value) ? value : {};
	const per = PERIODS.find((each) => each === limit["per"]);
	if (!per || typeof limit["credits"] !== "number") return CHANGED;
	return { key: "audit.creditsPer", params: { credits: limit["credits"], per } };
}

function onOrOff(value: unknown): Text {
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

function ping(value: unknown): Text {
	const choice = PINGS.find((each) => each === value);
	return choice ? { key: PING_CHOICE_KEYS[choice] } : CHANGED;
}

function categoryRule(value: unknown): Text {
	const rule = CATEGORY_RULE_VALUES.find((each) => each === value);
	return rule ? { key: CATEGORY_RULE_NAME_KEYS[rule] } : CHANGED;
}

function paused(value: unknown): Text {
	const note = isObject(value) ? value["message"] : null;
	return typeof note === "string" ? { key: "audit.pausedWith", params: { note: text(note) } } : { key: "audit.on" };
}

function block(value: unknown): Text {
	if (!isObject(value)) return CHANGED;
	const { untilMs } = value;
	return typeof untilMs === "number"
		? { key: "audit.blockedUntil", params: { untilS: toTimestampS(untilMs) } }
		: { key: "audit.blockedForever" };
}

/** An option or the model of a style. */
function option(value: unknown): Text {
	return typeof value === "boolean" ? onOrOff(value) : text(typeof value === "number" ? String(value) : value);
}

/** The words of a style; its options are in `/style list`. */
function style(value: unknown): Text {
	const words = isObject(value) ? value["text"] : undefined;
	return typeof words === "string" && words !== "" ? text(words) : CHANGED;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}

function actor(by: string): Text {
	const memberId = memberIdOf(by);
	if (memberId !== null) return memberMention(memberId);
	const keyName = keyNameOf(by);
	return keyName === null ? { key: "history.byOwner" } : { key: "history.byKey", params: { name: quoteName(keyName) } };
}
