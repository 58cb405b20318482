/** Formats changes of a guild's settings, for `/settings audit` and the log channel. */
import { t } from "../../i18n/messages.ts";
import { quote } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { SettingsChange, FieldChange } from "./guild-settings.ts";

const VALUE_CHARS_MAX = 60;
const PATH_CHARS_MAX = 60;
/** The number of fields that are named per change: an import can change all of them. */
const FIELDS_NAMED_MAX = 4;

/** Formats one line per change: time, author, field, old and new value. */
export function formatChange({ atMs, by, changes, revision }: SettingsChange, locale: string): string {
	const fields = changes.slice(0, FIELDS_NAMED_MAX).map((change) => fieldOf(change, locale));
	const params = { atS: toTimestampS(atMs), who: whoIs(by, locale), revision, more: changes.length - fields.length };
	return t(locale, { key: "changeLine", params: { ...params, fields: fields.join("; ") } });
}

function fieldOf({ path, before, after }: FieldChange, locale: string): string {
	const name = quote(path, PATH_CHARS_MAX);
	if (Array.isArray(before) && Array.isArray(after)) {
		const [removed, added] = [before.map((each) => shown(each)), after.map((each) => shown(each))];
		return t(locale, { key: "changeList", params: { name, removed: brief(removed), added: brief(added) } });
	}
	const params = { name, before: shownOrNone(before), after: shownOrNone(after) };
	return t(locale, { key: "changeField", params });
}

function brief(texts: readonly string[]): string | null {
	return texts.length === 0 ? null : quoted(texts.join(", "));
}

function shownOrNone(value: unknown): string | null {
	return value === undefined || value === null ? null : quoted(shown(value));
}

function quoted(text: string): string {
	return quote(text, VALUE_CHARS_MAX);
}

function shown(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

function whoIs(by: string, locale: string): string {
	const memberId = /^member:(\d+)$/.exec(by)?.[1];
	return memberId === undefined ? t(locale, { key: "byOperator" }) : `<@${memberId}>`;
}
