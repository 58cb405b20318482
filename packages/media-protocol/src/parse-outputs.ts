/** Where a finished task's files are: pure, and never a guess. Only what stands where services put results is one. */
import type { MediaType, OptionValue } from "./model.ts";
import type { RemoteOutput } from "./remote-task.ts";
import { namesFor, otherNamesFor, type OutputNames } from "./output-names.ts";
import type { Found, Place } from "./find-fields.ts";
import { isObject, readCount, unfold, type Json } from "./parse-value.ts";

const OUTPUTS_MAX = 32;
const DEPTH_MAX = 4;
/** Values looked at in one list of outputs, and in all inputs: an answer may be nested as deep and as wide as it likes. */
const LOOKS_MAX = 512;
const URL_CHARS_MAX = 8 * 1024;
/** 8 MiB of file in base64: what an answer may carry in itself. Larger files have an address. */
const INLINE_CHARS_MAX = 11 * 1024 * 1024;
const INLINE_CHARS_MIN = 32;

const INLINE_NAMES = new Set(["b64_json", "base64", "img", "image", "images"]);
/** What was asked for. A service that repeats it has not made it. */
const INPUT_NAMES = [
	"options",
	"input",
	"inputs",
	"param",
	"params",
	"request",
	"image_input",
	"video_input",
	"init_image",
	"reference_images",
	"callBackUrl",
	"callbackUrl",
];
/** A path that names one file: whatever query is signed with it, it is the same file. */
const FILE_PATH = /\.(?:png|jpe?g|webp|gif|avif|bmp|mp4|mov|webm|mkv|mp3|wav|m4a|ogg|flac)$/i;
/** A host with a dot or a port, which base64 does not have. */
const PROTOCOL_RELATIVE = /^\/\/[^/\\?#]*[.:][^/\\?#]*(?:[/?#]|$)/;
/** PNG, JPEG, GIF, WebP or WAV, MP4, MP3, Ogg, FLAC: how they begin in base64. */
const MEDIA_IN_BASE64 = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA[A-Za-z0-9+/]{2}Z0eX|SUQz|\/\/[tuv]|T2dnUw|ZkxhQ)/;

interface Reading {
	/** Root-relative addresses start here. */
	readonly origin: string;
	readonly names: OutputNames;
	readonly inputs: ReadonlySet<string>;
	readonly seen: Set<string>;
	readonly outputs: RemoteOutput[];
	looksLeft: number;
}

/** What was asked for, as far as it tells what is a result of it. */
export interface Requested {
	readonly mediaType: MediaType;
	readonly options: Readonly<Record<string, OptionValue | readonly string[]>>;
}

export interface FoundOutputs extends Found<readonly RemoteOutput[]> {
	/** They stand where files of the medium do; otherwise where files of another one do. */
	readonly isOfMedium: boolean;
}

/**
 * The first place that has any file, all of it, in its order and without repeats. Never an address that was sent as an input,
 * and never a cover.
 */
export function readOutputs(places: readonly Place[], origin: string, requested: Requested): FoundOutputs | undefined {
	const inputs = inputsOf(places, requested);
	const { mediaType } = requested;
	const ofMedium = seekOutputs(places, { origin, inputs, names: namesFor(mediaType) });
	if (ofMedium) return { ...ofMedium, isOfMedium: true };
	const other = seekOutputs(places, { origin, inputs, names: otherNamesFor(mediaType) });
	return other && { ...other, isOfMedium: false };
}

function seekOutputs(
	places: readonly Place[],
	reading: Pick<Reading, "origin" | "inputs" | "names">,
): Found<readonly RemoteOutput[]> | undefined {
	const { names } = reading;
	const [record, ...inner] = places;
	if (!record) return undefined;
	for (const { names: wanted, isInnerFirst = false } of names.steps) {
		for (const { at, fields } of isInnerFirst ? [...inner, record] : places) {
			if (hasAny(fields, names.unlessBeside)) continue;
			for (const name of wanted.filter((each) => Object.hasOwn(fields, each))) {
				const tried: Reading = { ...reading, seen: new Set(), outputs: [], looksLeft: LOOKS_MAX };
				collect(fields[name], name, undefined, tried, 0);
				if (tried.outputs.length > 0) return { value: tried.outputs, at: `${at}.${name}` };
			}
		}
	}
	return undefined;
}

function hasAny(fields: Json, names: readonly string[]): boolean {
	return names.some((name) => Object.hasOwn(fields, name));
}

function collect(value: unknown, name: string, item: Json | undefined, reading: Reading, depth: number): void {
	if (depth > DEPTH_MAX || reading.outputs.length >= OUTPUTS_MAX || reading.looksLeft-- <= 0) return;
	const opened = unfold(value);
	if (typeof opened === "string") {
		const url = addressOf(opened, name, reading.origin);
		if (url === undefined || reading.seen.has(url) || isInput(url, reading.inputs)) return;
		reading.seen.add(url);
		reading.outputs.push({ url, seed: readCount(item?.["seed"]) ?? null });
	} else if (Array.isArray(opened)) {
		for (const each of opened.slice(0, OUTPUTS_MAX)) collect(each, name, undefined, reading, depth + 1);
	} else if (isObject(opened) && opened["expired"] !== true && !hasAny(opened, reading.names.unlessBeside)) {
		const before = reading.outputs.length;
		for (const inner of reading.names.inOneFile) {
			// The first address is the file; another in the same output is a cover, a preview, a page.
			if (reading.outputs.length > before) return;
			if (Object.hasOwn(opened, inner)) collect(opened[inner], inner, opened, reading, depth + 1);
		}
	}
}

/** An address that a file can be fetched from, or the file itself as a `data:` address; `undefined` for anything else. */
function addressOf(text: string, name: string, origin: string): string | undefined {
	if (/^https?:\/\//i.test(text)) return text.length <= URL_CHARS_MAX && isAddress(text) ? text : undefined;
	if (/^data:/i.test(text)) return isInline(text) ? text : undefined;
	if (PROTOCOL_RELATIVE.test(text) && text.length <= URL_CHARS_MAX) {
		const address = URL.parse(text, origin);
		return address !== null && address.hostname !== "" ? address.href : undefined;
	}
	if (/^\/(?![/\\])/.test(text) && text.length <= URL_CHARS_MAX && !MEDIA_IN_BASE64.test(text)) {
		const address = URL.parse(text, origin);
		return address?.origin === origin ? address.href : undefined;
	}
	const isMedia = (INLINE_NAMES.has(name) || name === "outputs") && MEDIA_IN_BASE64.test(text) && isBase64(text);
	return isMedia ? `data:application/octet-stream;base64,${text}` : undefined;
}

function isAddress(text: string): boolean {
	const address = URL.parse(text);
	return address !== null && address.hostname !== "";
}

function isInline(text: string): boolean {
	if (text.length > INLINE_CHARS_MAX) return false;
	const comma = text.slice(0, 200).indexOf(",");
	return comma > 0 && /;base64$/i.test(text.slice(0, comma)) && isBase64(text.slice(comma + 1));
}

function isBase64(text: string): boolean {
	if (text.length < INLINE_CHARS_MIN || text.length > INLINE_CHARS_MAX) return false;
	return /^[\w+/\s-]+={0,2}$/.test(text);
}

function isInput(url: string, inputs: ReadonlySet<string>): boolean {
	return inputs.has(url) || inputs.has(fileOf(url));
}

/** An address that ends in a file, without what it is signed with; any other as it is. */
function fileOf(url: string): string {
	const address = url.startsWith("data:") ? null : URL.parse(url);
	return address && FILE_PATH.test(address.pathname) ? address.origin + address.pathname : url;
}

/** Every text in what was asked for: as it was sent, and as the answer repeats it, as far as the bound goes. */
function inputsOf(places: readonly Place[], { options }: Requested): ReadonlySet<string> {
	const texts = new Set<string>();
	const left: unknown[] = [options, ...places.flatMap(({ fields }) => INPUT_NAMES.map((name) => fields[name]))];
	for (let looks = 0; looks < LOOKS_MAX && left.length > 0; looks++) {
		const value = unfold(left.shift());
		if (typeof value === "string" && value.length <= URL_CHARS_MAX) texts.add(value).add(fileOf(value));
		else if (typeof value === "object" && value !== null) left.push(...Object.values(value).slice(0, OUTPUTS_MAX));
	}
	return texts;
}
