/** Formats changes of a server's settings, for `/settings audit` and the log channel. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageDescriptor, Text } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { authorText } from "../access/change-author.ts";
import { memberMention, roleMention, shortList, toTimestampS } from "../../i18n/message-param-values.ts";
import type { ChangeRecord, FieldChange } from "./settings-store.ts";
import {
	CHANGED,
	credits,
	fixedField,
	formatValue,
	isObject,
	onOrOff,
	shortText,
	type NamedField,
} from "./setting-table.ts";

const VALUES_SHOWN = 3;
/** The number of fields that are named per change: an import can change all of them. */
const FIELDS_NAMED_MAX = 4;

/** Formats a recorded change as one line: time, author, surface, and the fields with their old and new values. */
export function formatChange(record: ChangeRecord, locale: string): string {
	return t(locale, { key: "audit.line", params: { ...entryOf(record), atS: toTimestampS(record.atMs) } });
}

/** Formats a recorded change for the log channel, whose messages have a time of their own. */
export function formatLogEntry(record: ChangeRecord, locale: string): string {
	return t(locale, { key: "audit.logEntry", params: entryOf(record) });
}

function entryOf({ by, via, changes }: ChangeRecord) {
	return { who: authorText(by), via, fields: shortList(changes.map(fieldChange), FIELDS_NAMED_MAX) };
}

/** Confirms changes to the member who made them; `undefined` if there are none. */
export function changesMessage(changes: readonly FieldChange[]): MessageDescriptor | undefined {
	if (changes.length === 0) return undefined;
	return { key: "settings.changed", params: { changes: shortList(changes.map(fieldChange), FIELDS_NAMED_MAX) } };
}

export function formatFieldChange(change: FieldChange, locale: string): string {
	return t(locale, fieldChange(change));
}

function fieldChange({ path, before, after }: FieldChange): MessageDescriptor {
	const changed = fixedField(path) ?? fieldWithId(path);
	const { name: field, format } = changed;
	if (Array.isArray(before) && Array.isArray(after)) {
		const listOf = (values: readonly unknown[]): Text => shortList(values.map(format), VALUES_SHOWN);
		const params = { kind: kindOfListChange(before, after), field, removed: listOf(before), added: listOf(after) };
		return { key: "audit.listChanged", params };
	}
	// The record of a very large change has no values.
	const isUnknown = before === undefined && after === undefined;
	const valueText = (value: unknown) => (isUnknown ? "…" : formatValue(changed, value));
	const params = { field, oldValue: valueText(before), newValue: valueText(after) };
	return { key: "audit.changed", params };
}

/** Selects the variant of the message: `other` names removed and added items. */
function kindOfListChange(removed: readonly unknown[], added: readonly unknown[]): "added" | "removed" | "other" {
	if (removed.length === 0) return "added";
	return added.length === 0 ? "removed" : "other";
}

function fieldWithId(path: string): NamedField {
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
			return {
				name: { key: "field.style", params: { name: shortText(second) } },
				format: third === "" ? style : option,
			};
		default:
			return { name: { key: "field.other" }, format: () => CHANGED };
	}
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
	return typeof value === "boolean" ? onOrOff(value) : shortText(typeof value === "number" ? String(value) : value);
}

/** The text of a style; its options are in `/style list`. */
function style(value: unknown): Text {
	const styleText = isObject(value) ? value["text"] : undefined;
	return typeof styleText === "string" && styleText !== "" ? shortText(styleText) : CHANGED;
}
