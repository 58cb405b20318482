/** Formats changes of a guild's settings, for `/settings audit` and the log channel. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageDescriptor, Text } from "../../i18n/message-descriptor.ts";
import type { PlainKey } from "../../i18n/message-params.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import { keyNameOf, memberIdOf } from "../access/change-author.ts";
import {
	channelMention,
	mediaTypeName,
	memberMention,
	roleMention,
	shortList,
} from "../../i18n/message-param-values.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import { PERIODS } from "../credits/period.ts";
import { CATEGORY_NAME_KEYS, CATEGORY_RULE_VALUES } from "../moderation/verdict.ts";
import { CATEGORY_RULE_NAME_KEYS, languageName, PING_CHOICE_KEYS } from "./format-settings.ts";
import { PINGS } from "./settings-schema.ts";
import type { ChangeRecord, FieldChange } from "./guild-settings.ts";

const VALUE_CHARS_MAX = 50;
const VALUES_SHOWN = 3;
/** The number of fields that are named per change: an import can change all of them. */
const FIELDS_NAMED_MAX = 4;

/** Formats a stored value, which another version of the bot may have written. */
type FormatValue = (value: unknown) => Text;

/** A field as members know it. */
interface Field {
	readonly name: MessageDescriptor;
	readonly format: FormatValue;
}

/** Formats a recorded change as one line: time, author, surface, revision, and the fields with their old and new values. */
export function formatChange({ atMs, by, via, changes, revision }: ChangeRecord, locale: string): string {
	const params = { atS: toTimestampS(atMs), who: actor(by), via, revision, fields: namedFields(changes) };
	return t(locale, { key: "audit.line", params });
}

/** Formats the first changed fields, one line each, and the number of the others. */
export function formatFields(changes: readonly FieldChange[], locale: string): string[] {
	return namedFields(changes).map((each) => t(locale, each));
}

function namedFields(changes: readonly FieldChange[]): readonly MessageDescriptor[] {
	return shortList(changes.map(fieldChange), FIELDS_NAMED_MAX);
}

export function formatFieldChange(change: FieldChange, locale: string): string {
	return t(locale, fieldChange(change));
}

function fieldChange({ path, before, after }: FieldChange): MessageDescriptor {
	const { name: field, format } = fieldOf(path);
	if (Array.isArray(before) && Array.isArray(after)) {
		const listOf = (values: readonly unknown[]): Text => shortList(values.map(format), VALUES_SHOWN);
		const params = { kind: kindOfListChange(before, after), field, removed: listOf(before), added: listOf(after) };
		return { key: "audit.listChanged", params };
	}
	const formatOrNone = (value: unknown): Text => (value === undefined || value === null ? NONE : format(value));
	return { key: "audit.changed", params: { field, oldValue: formatOrNone(before), newValue: formatOrNone(after) } };
}

/** Selects the variant of the message: `other` names removed and added items. */
function kindOfListChange(removed: readonly unknown[], added: readonly unknown[]): "added" | "removed" | "other" {
	if (removed.length === 0) return "added";
	return added.length === 0 ? "removed" : "other";
}

const NONE: MessageDescriptor = { key: "audit.none" };
/** In place of a value that is too long, or that this version cannot format. */
const CHANGED: MessageDescriptor = { key: "audit.changedValue" };

function fieldOf(path: string): Field {
	const fixed = FIELDS[path];
	if (fixed) {
		const [key, format] = fixed;
		return { name: { key } as MessageDescriptor, format };
	}
	const [section = "", second = "", third = ""] = path.split(".");
	switch (section) {
		// `allowance.media.image`, `allowance.roles.ID` or `allowance.members.ID`.
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
		// `styles.NAME` for a style that was added or removed, `styles.NAME.FIELD` for a changed one.
		case "styles":
			return { name: { key: "field.style", params: { name: text(second) } }, format: third === "" ? style : option };
		default:
			return { name: { key: "field.other" }, format: () => CHANGED };
	}
}

/** The fields whose path contains no id and no name. */
const FIELDS: Readonly<Record<string, readonly [PlainKey, FormatValue]>> = {
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

/** The text of a style; its options are in `/style list`. */
function style(value: unknown): Text {
	const styleText = isObject(value) ? value["text"] : undefined;
	return typeof styleText === "string" && styleText !== "" ? text(styleText) : CHANGED;
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
