/** Finds the files of a finished task, in the fields for outputs only. No I/O. */
import type { MediaType, OptionValue } from "./model.ts";
import type { RemoteOutput } from "./remote-task.ts";
import { certainNamesFor, namesFor, otherNamesFor, type OutputNames } from "./output-names.ts";
import type { Found, FieldObject } from "./find-fields.ts";
import { isObject, parseCount, parseNestedJson, type Json } from "./parse-value.ts";

const OUTPUTS_MAX = 32;
const DEPTH_MAX = 4;
/** The most values to visit in a field of outputs, and in all inputs: a response may be nested arbitrarily. */
const VALUES_MAX = 512;
const URL_CHARS_MAX = 8 * 1024;
/** 8 MiB as base64: the largest file in a response. */
const INLINE_CHARS_MAX = 11 * 1024 * 1024;
const INLINE_CHARS_MIN = 32;
/** The download decodes no longer header of a `data:` URL. */
const DATA_HEADER_CHARS_MAX = 200;

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
/** The path of a file, whose query is only a signature. */
const FILE_PATH = /\.(?:png|jpe?g|webp|gif|avif|bmp|mp4|mov|webm|mkv|mp3|wav|m4a|ogg|flac)$/i;
/** A host with a dot or a port, which base64 cannot contain. */
const PROTOCOL_RELATIVE = /^\/\/[^/\\?#]*[.:][^/\\?#]*(?:[/?#]|$)/;
/** The first base64 characters of PNG, JPEG, GIF, WebP or WAV, MP4, MP3, Ogg and FLAC. */
const MEDIA_IN_BASE64 = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA[A-Za-z0-9+/]{2}Z0eX|SUQz|\/\/[tuv]|T2dnUw|ZkxhQ)/;

interface Collector {
	/** The base of root-relative URLs. */
	readonly origin: string;
	readonly names: OutputNames;
	readonly inputs: ReadonlySet<string>;
	readonly seen: Set<string>;
	readonly outputs: RemoteOutput[];
	valuesLeft: number;
}

/** The part of the request that helps to recognize results. */
export interface MediaRequest {
	readonly mediaType: MediaType;
	readonly options: Readonly<Record<string, OptionValue | readonly string[]>>;
}

export interface FoundOutputs extends Found<readonly RemoteOutput[]> {
	/** The number of files whose names prove that they are results: no covers, inputs or links to the task. */
	readonly certain: number;
}

/** Returns all files of the first field that has any, in order, without repeats. Never returns an input or a cover. */
export function parseOutputs(
	fieldObjects: readonly FieldObject[],
	origin: string,
	request: MediaRequest,
): FoundOutputs | undefined {
	const inputs = inputsOf(fieldObjects, request);
	const { mediaType } = request;
	const find = (names: OutputNames) => findOutputs(fieldObjects, { origin, inputs, names });
	const found = find(namesFor(mediaType)) ?? find(otherNamesFor(mediaType));
	return found && { ...found, certain: find(certainNamesFor(mediaType))?.value.length ?? 0 };
}

function findOutputs(
	fieldObjects: readonly FieldObject[],
	search: Pick<Collector, "origin" | "inputs" | "names">,
): Found<readonly RemoteOutput[]> | undefined {
	const { names } = search;
	const [record, ...inner] = fieldObjects;
	if (!record) return undefined;
	for (const { names: fieldNames, isInnerFirst = false, isListOnly = false } of names.groups) {
		for (const { path, fields } of isInnerFirst ? [...inner, record] : fieldObjects) {
			if (hasAny(fields, names.skipObjectsWith)) continue;
			for (const name of fieldNames.filter((each) => Object.hasOwn(fields, each))) {
				if (isListOnly && !Array.isArray(parseNestedJson(fields[name]))) continue;
				const collector: Collector = { ...search, seen: new Set(), outputs: [], valuesLeft: VALUES_MAX };
				collect(fields[name], name, undefined, collector, 0);
				if (collector.outputs.length > 0) return { value: collector.outputs, path: `${path}.${name}` };
			}
		}
	}
	return undefined;
}

function hasAny(fields: Json, names: readonly string[]): boolean {
	return names.some((name) => Object.hasOwn(fields, name));
}

function collect(value: unknown, name: string, item: Json | undefined, collector: Collector, depth: number): void {
	if (depth > DEPTH_MAX || collector.outputs.length >= OUTPUTS_MAX || collector.valuesLeft-- <= 0) return;
	const opened = parseNestedJson(value);
	if (typeof opened === "string") {
		const url = toUrl(opened, name, collector.origin);
		if (url === undefined || collector.seen.has(url) || isInput(url, collector.inputs)) return;
		collector.seen.add(url);
		collector.outputs.push({ url, seed: parseCount(item?.["seed"]) ?? null });
	} else if (Array.isArray(opened)) {
		for (const each of opened.slice(0, OUTPUTS_MAX)) collect(each, name, undefined, collector, depth + 1);
	} else if (isObject(opened) && opened["expired"] !== true && !hasAny(opened, collector.names.skipObjectsWith)) {
		const before = collector.outputs.length;
		for (const inner of collector.names.inFileObject) {
			// The first URL is the file; others in the same output are covers, previews or pages.
			if (collector.outputs.length > before) return;
			if (Object.hasOwn(opened, inner)) collect(opened[inner], inner, opened, collector, depth + 1);
		}
	}
}

/** Returns a URL to download, or a `data:` URL with the file; `undefined` for other text. */
function toUrl(text: string, name: string, origin: string): string | undefined {
	if (/^https?:\/\//i.test(text)) return text.length <= URL_CHARS_MAX && URL.canParse(text) ? text : undefined;
	if (/^data:/i.test(text)) return isBase64DataUrl(text) ? text : undefined;
	if (PROTOCOL_RELATIVE.test(text) && text.length <= URL_CHARS_MAX) return URL.parse(text, origin)?.href;
	if (/^\/(?![/\\])/.test(text) && text.length <= URL_CHARS_MAX && !MEDIA_IN_BASE64.test(text)) {
		const parsed = URL.parse(text, origin);
		return parsed?.origin === origin ? parsed.href : undefined;
	}
	const isMedia = (INLINE_NAMES.has(name) || name === "outputs") && MEDIA_IN_BASE64.test(text) && isBase64(text);
	return isMedia ? `data:application/octet-stream;base64,${text}` : undefined;
}

function isBase64DataUrl(text: string): boolean {
	if (text.length > INLINE_CHARS_MAX) return false;
	const comma = text.slice(0, DATA_HEADER_CHARS_MAX).indexOf(",");
	return comma > 0 && /;base64$/i.test(text.slice(0, comma)) && isBase64(text.slice(comma + 1));
}

function isBase64(text: string): boolean {
	if (text.length < INLINE_CHARS_MIN || text.length > INLINE_CHARS_MAX) return false;
	return /^[\w+/\s-]+={0,2}$/.test(text);
}

function isInput(url: string, inputs: ReadonlySet<string>): boolean {
	return inputs.has(url) || inputs.has(withoutSignature(url));
}

/** Removes the signature from a URL of a file; returns other URLs unchanged. */
function withoutSignature(url: string): string {
	const parsed = url.startsWith("data:") ? null : URL.parse(url);
	return parsed && FILE_PATH.test(parsed.pathname) ? parsed.origin + parsed.pathname : url;
}

/** Collects the texts of the request, as sent and as repeated in the response, up to the bound. */
function inputsOf(fieldObjects: readonly FieldObject[], { options }: MediaRequest): ReadonlySet<string> {
	const texts = new Set<string>();
	const queue: unknown[] = [options, ...fieldObjects.flatMap(({ fields }) => INPUT_NAMES.map((name) => fields[name]))];
	for (let visited = 0; visited < VALUES_MAX && queue.length > 0; visited++) {
		const value = parseNestedJson(queue.shift());
		if (typeof value === "string" && value.length <= URL_CHARS_MAX) texts.add(value).add(withoutSignature(value));
		else if (typeof value === "object" && value !== null) queue.push(...Object.values(value).slice(0, OUTPUTS_MAX));
	}
	return texts;
}
