/** Finds the files of a finished task. Pure, without guesses: only fields for results count. */
import type { MediaType, OptionValue } from "./model.ts";
import type { RemoteOutput } from "./remote-task.ts";
import { namesFor, otherNamesFor, type OutputNames } from "./output-names.ts";
import type { Found, FieldObject } from "./find-fields.ts";
import { isObject, readCount, unfold, type Json } from "./parse-value.ts";

const OUTPUTS_MAX = 32;
const DEPTH_MAX = 4;
/** Bounds the values that are visited in a list of outputs, and in all inputs: a response may be nested arbitrarily. */
const VALUES_MAX = 512;
const URL_CHARS_MAX = 8 * 1024;
/** 8 MiB as base64: the largest file inside of a response. Larger files have a URL. */
const INLINE_CHARS_MAX = 11 * 1024 * 1024;
const INLINE_CHARS_MIN = 32;

const INLINE_NAMES = new Set(["b64_json", "base64", "img", "image", "images"]);
/** Fields that repeat the request; their URLs are inputs. */
const INPUT_NAMES = [
	"options",
	"input",
	"inputs",
	"param",
	"params",
	"request",
	"image_input",
	"mask_image",
	"video_input",
	"init_image",
	"reference_images",
	"callBackUrl",
	"callbackUrl",
];
/** A path of one file: another signature in the query still means the same file. */
const FILE_PATH = /\.(?:png|jpe?g|webp|gif|avif|bmp|mp4|mov|webm|mkv|mp3|wav|m4a|ogg|flac)$/i;
/** A host with a dot or a port, which base64 cannot contain. */
const PROTOCOL_RELATIVE = /^\/\/[^/\\?#]*[.:][^/\\?#]*(?:[/?#]|$)/;
/** The first base64 characters of PNG, JPEG, GIF, WebP or WAV, MP4, MP3, Ogg and FLAC. */
const MEDIA_IN_BASE64 = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA[A-Za-z0-9+/]{2}Z0eX|SUQz|\/\/[tuv]|T2dnUw|ZkxhQ)/;

interface Reading {
	/** The base of root-relative URLs. */
	readonly origin: string;
	readonly names: OutputNames;
	readonly inputs: ReadonlySet<string>;
	readonly seen: Set<string>;
	readonly outputs: RemoteOutput[];
	valuesLeft: number;
}

/** The part of the request that helps to recognize results. */
export interface Requested {
	readonly mediaType: MediaType;
	readonly options: Readonly<Record<string, OptionValue | readonly string[]>>;
}

export interface FoundOutputs extends Found<readonly RemoteOutput[]> {
	/** True if they were found under names of the requested media type. */
	readonly isOfMedium: boolean;
}

/**
 * Returns all files of the first object that has any, in order, without repeats. Never returns an input URL or a cover.
 */
export function readOutputs(
	fieldObjects: readonly FieldObject[],
	origin: string,
	requested: Requested,
): FoundOutputs | undefined {
	const inputs = inputsOf(fieldObjects, requested);
	const { mediaType } = requested;
	const ofMedium = seekOutputs(fieldObjects, { origin, inputs, names: namesFor(mediaType) });
	if (ofMedium) return { ...ofMedium, isOfMedium: true };
	const other = seekOutputs(fieldObjects, { origin, inputs, names: otherNamesFor(mediaType) });
	return other && { ...other, isOfMedium: false };
}

function seekOutputs(
	fieldObjects: readonly FieldObject[],
	reading: Pick<Reading, "origin" | "inputs" | "names">,
): Found<readonly RemoteOutput[]> | undefined {
	const { names } = reading;
	const [record, ...inner] = fieldObjects;
	if (!record) return undefined;
	for (const { names: fieldNames, isInnerFirst = false } of names.steps) {
		for (const { at, fields } of isInnerFirst ? [...inner, record] : fieldObjects) {
			if (hasAny(fields, names.unlessBeside)) continue;
			for (const name of fieldNames.filter((each) => Object.hasOwn(fields, each))) {
				const tried: Reading = { ...reading, seen: new Set(), outputs: [], valuesLeft: VALUES_MAX };
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
	if (depth > DEPTH_MAX || reading.outputs.length >= OUTPUTS_MAX || reading.valuesLeft-- <= 0) return;
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
			// The first URL is the file; others in the same output are covers, previews or pages.
			if (reading.outputs.length > before) return;
			if (Object.hasOwn(opened, inner)) collect(opened[inner], inner, opened, reading, depth + 1);
		}
	}
}

/** Returns a URL to download, or a `data:` URL with the file; `undefined` for other text. */
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

/** Removes the signature from a URL of a file; returns other URLs unchanged. */
function fileOf(url: string): string {
	const address = url.startsWith("data:") ? null : URL.parse(url);
	return address && FILE_PATH.test(address.pathname) ? address.origin + address.pathname : url;
}

/** Collects every text of the request, as sent and as repeated in the response, up to the bound. */
function inputsOf(fieldObjects: readonly FieldObject[], { options }: Requested): ReadonlySet<string> {
	const texts = new Set<string>();
	const left: unknown[] = [options, ...fieldObjects.flatMap(({ fields }) => INPUT_NAMES.map((name) => fields[name]))];
	for (let visited = 0; visited < VALUES_MAX && left.length > 0; visited++) {
		const value = unfold(left.shift());
		if (typeof value === "string" && value.length <= URL_CHARS_MAX) texts.add(value).add(fileOf(value));
		else if (typeof value === "object" && value !== null) left.push(...Object.values(value).slice(0, OUTPUTS_MAX));
	}
	return texts;
}
