/**
 * Parses single values of a service's JSON in all known notations. No I/O. A parser returns `undefined` for a value that it
 * does not understand.
 */

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** Some services put JSON into strings, and some do it twice. */
const NESTED_JSON_DEPTH_MAX = 2;
const LONG_INTEGER = /[[,:]\s*\d{16}/;
const TEXT_CHARS_MAX = 500;
const TASK_ID_CHARS_MAX = 256;
/** Larger numbers are milliseconds since the epoch, smaller ones seconds. */
const TIME_SECONDS_MAX = 100_000_000_000;
const TIME_MIN_MS = Date.UTC(2000);
const TIME_MAX_MS = Date.UTC(2100);
const SECONDS_MAX = 7 * 24 * 3600;

export function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON, and keeps integers above 2^53 as strings, because some services use them as task ids. */
export function parseJson(text: string): unknown {
	// A reviver multiplies the time of the parser.
	return LONG_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
	const digits = context?.source ?? "";
	return !Number.isSafeInteger(value) && /^\d+$/.test(digits) ? digits : value;
}

/** Parses the JSON in a string; returns other values unchanged. */
export function parseNestedJson(value: unknown): unknown {
	let current = value;
	for (
		let depth = 0;
		depth < NESTED_JSON_DEPTH_MAX && typeof current === "string" && /^\s*["[{]/.test(current);
		depth++
	) {
		try {
			current = parseJson(current);
		} catch {
			return current;
		}
	}
	return current;
}

export function parseText(value: unknown): string | undefined {
	if (typeof value === "number" && Number.isFinite(value)) return String(value);
	return typeof value === "string" && value !== "" ? value.slice(0, TEXT_CHARS_MAX) : undefined;
}

export function parseId(value: unknown): string | undefined {
	if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
	const isId = typeof value === "string" && value.length <= TASK_ID_CHARS_MAX && /^[\x21-\x7e]+$/.test(value);
	// Dots would change the path of the request, however they are encoded.
	return isId && !/^\.{1,2}$/.test(value) ? value : undefined;
}

/** Parses `30`, `0.3` and `"30%"` to 30. */
export function parsePercent(value: unknown): number | undefined {
	const number = parseNumber(typeof value === "string" ? value.replace(/\s*%$/, "") : value);
	if (number === undefined || number < 0 || number > 100) return undefined;
	const isFraction = number < 1 && typeof value !== "string";
	return isFraction ? Math.round(number * 1000) / 10 : number;
}

export function parseSeconds(value: unknown): number | undefined {
	const seconds = parseNumber(value);
	return seconds !== undefined && seconds >= 0 && seconds <= SECONDS_MAX ? seconds : undefined;
}

export function parseCount(value: unknown): number | undefined {
	const count = parseNumber(value);
	return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export function parseAmount(value: unknown): number | undefined {
	const amount = parseNumber(value);
	return amount !== undefined && amount >= 0 && amount <= Number.MAX_SAFE_INTEGER ? amount : undefined;
}

/** Parses epoch seconds or milliseconds, RFC 3339, and `YYYY-MM-DD HH:MM:SS`. Defaults to UTC. */
export function parseTimeMs(value: unknown): number | undefined {
	const number = parseNumber(value);
	const timeMs =
		number === undefined ? parseTimeText(value) : Math.round(number < TIME_SECONDS_MAX ? number * 1000 : number);
	return timeMs !== undefined && timeMs >= TIME_MIN_MS && timeMs <= TIME_MAX_MS ? timeMs : undefined;
}

function parseTimeText(value: unknown): number | undefined {
	if (typeof value !== "string" || value.length > 40) return undefined;
	const [, date, time, zone = ""] =
		/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(value.trim()) ?? [];
	if (date === undefined || time === undefined) return undefined;
	const offset = zone === "" ? "Z" : zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
	const timeMs = Date.parse(`${date}T${time.replace(/(\.\d{3})\d+$/, "$1")}${offset}`);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

function parseNumber(value: unknown): number | undefined {
	if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
	if (typeof value !== "string" || !/^-?\d{1,16}(\.\d{1,9})?$/.test(value.trim())) return undefined;
	return Number(value);
}
