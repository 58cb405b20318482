/** Parses single values of a service's JSON in all known spellings. Pure and bounded. */

export type Json = Readonly<Record<string, unknown>>;

/** Some services put JSON into strings, and some do it twice. */
const FOLDS_MAX = 2;
const LONG_INTEGER = /[[,:]\s*\d{16}/;
const TEXT_CHARS_MAX = 500;
const TASK_ID_CHARS_MAX = 256;
/** Numbers from here on are milliseconds since the epoch, smaller ones seconds. */
const MILLISECONDS_FROM = 100_000_000_000;
const TIME_MIN_MS = Date.UTC(2000);
const TIME_MAX_MS = Date.UTC(2100);
const SECONDS_MAX = 7 * 24 * 3600;

export function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON, and keeps integers beyond a double's precision as strings: some services have such task ids. */
export function parseJson(text: string): unknown {
	return LONG_INTEGER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
	const digits = context?.source ?? "";
	return typeof value === "number" && !Number.isSafeInteger(value) && /^\d+$/.test(digits) ? digits : value;
}

/** Parses a string of JSON; returns other values unchanged. */
export function unfold(value: unknown): unknown {
	let current = value;
	for (let folds = 0; folds < FOLDS_MAX && typeof current === "string" && /^\s*["[{]/.test(current); folds++) {
		try {
			current = parseJson(current);
		} catch {
			return current;
		}
	}
	return current;
}

export function readText(value: unknown): string | undefined {
	if (typeof value === "number" && Number.isFinite(value)) return String(value);
	return typeof value === "string" && value !== "" ? value.slice(0, TEXT_CHARS_MAX) : undefined;
}

export function readId(value: unknown): string | undefined {
	if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
	const isId = typeof value === "string" && value.length <= TASK_ID_CHARS_MAX && /^[\x21-\x7e]+$/.test(value);
	// Dots would change the path of the request, however they are encoded.
	return isId && !/^\.{1,2}$/.test(value) ? value : undefined;
}

/** Parses `30`, `0.3` and `"30%"` to the same value. */
export function readPercent(value: unknown): number | undefined {
	const number = readNumber(typeof value === "string" ? value.replace(/\s*%$/, "") : value);
	if (number === undefined || number < 0 || number > 100) return undefined;
	const isShare = number < 1 && typeof value !== "string";
	return isShare ? Math.round(number * 1000) / 10 : number;
}

export function readSeconds(value: unknown): number | undefined {
	const seconds = readNumber(value);
	return seconds !== undefined && seconds >= 0 && seconds <= SECONDS_MAX ? seconds : undefined;
}

export function readCount(value: unknown): number | undefined {
	const count = readNumber(value);
	return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

export function readAmount(value: unknown): number | undefined {
	const amount = readNumber(value);
	return amount !== undefined && amount >= 0 && amount <= Number.MAX_SAFE_INTEGER ? amount : undefined;
}

/** Parses epoch seconds or milliseconds, RFC 3339, and `YYYY-MM-DD HH:MM:SS`. Defaults to UTC. */
export function readTimeMs(value: unknown): number | undefined {
	const number = readNumber(value);
	const timeMs =
		number === undefined ? parseTimeMs(value) : Math.round(number < MILLISECONDS_FROM ? number * 1000 : number);
	return timeMs !== undefined && timeMs >= TIME_MIN_MS && timeMs <= TIME_MAX_MS ? timeMs : undefined;
}

function parseTimeMs(value: unknown): number | undefined {
	if (typeof value !== "string" || value.length > 40) return undefined;
	const [, date, time, zone = ""] =
		/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(value.trim()) ?? [];
	if (date === undefined || time === undefined) return undefined;
	const offset = zone === "" ? "Z" : zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
	const timeMs = Date.parse(`${date}T${time.replace(/(\.\d{3})\d+$/, "$1")}${offset}`);
	return Number.isNaN(timeMs) ? undefined : timeMs;
}

function readNumber(value: unknown): number | undefined {
	if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
	if (typeof value !== "string" || !/^-?\d{1,16}(\.\d{1,9})?$/.test(value.trim())) return undefined;
	return Number(value);
}
