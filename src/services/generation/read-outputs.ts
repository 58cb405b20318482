/** Where a finished task's files are: pure, and never a guess. Only what stands where services put results is one. */
import type { RemoteOutput } from "./media-api.ts";
import type { Found, Place } from "./read-places.ts";
import { isObject, readCount, unfold, type Json } from "./read-value.ts";

const OUTPUTS_MAX = 32;
const DEPTH_MAX = 4;
/** Values looked at in one list of outputs, and in all inputs: an answer may be nested as deep and as wide as it likes. */
const LOOKS_MAX = 512;
const URL_CHARS_MAX = 8 * 1024;
/** 8 MiB of file in base64: what an answer may carry in itself. Larger files have an address. */
const INLINE_CHARS_MAX = 11 * 1024 * 1024;
const INLINE_CHARS_MIN = 32;

/** Lists and objects of outputs, wherever in a record they stand. */
const LIST_NAMES = [
	"outputs",
	"results",
	"resultUrls",
	"result_urls",
	"taskUrls",
	"images",
	"videos",
	"audios",
	"songs",
	"sunoData",
	"suno_data",
	"creations",
	"generations",
	"works",
	"generateVideoResponse",
	"generatedSamples",
	"output",
	"result",
	"taskResult",
	"urls",
	"audio_file",
	"data",
	"file",
];
const RESULT_NAMES = ["url", "resultUrl", "result_url", "resultImageUrl", "download_url"];
/** One file with its kind in the name. As a text in the record itself it may be what the task started from. */
const KIND_NAMES = [
	"video",
	"audio",
	"image",
	"video_url",
	"videoUrl",
	"audio_url",
	"audioUrl",
	"image_url",
	"imageUrl",
];
/** Within one output: a song and a film have a picture beside them, so pictures come last. */
const ITEM_NAMES = [
	"url",
	"uri",
	"src",
	"download_url",
	"file_url",
	"audioUrl",
	"audio_url",
	"videoUrl",
	"video_url",
	"imageUrl",
	"image_url",
	"audio",
	"video",
	"image",
	"img",
	"b64_json",
	"base64",
	"file",
	"urls",
	"generatedSamples",
];
const INLINE_NAMES = new Set(["b64_json", "base64", "img", "image", "images"]);
/** What was asked for. A service that repeats it has not made it. */
const INPUT_NAMES = ["options", "input", "param", "params", "request", "image_input", "video_input", "callBackUrl"];
/** PNG, JPEG, GIF, WebP or WAV, MP4, MP3, Ogg, FLAC: how they begin in base64. */
const MEDIA_IN_BASE64 = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA[A-Za-z0-9+/]{2}Z0eX|SUQz|\/\/[tuv]|T2dnUw|ZkxhQ)/;

interface Reading {
	/** Root-relative addresses start here. */
	readonly origin: string;
	readonly inputs: ReadonlySet<string>;
	readonly seen: Set<string>;
	readonly outputs: RemoteOutput[];
	looksLeft: number;
}

/** The first place that has any file, all of it, in its order and without repeats. */
export function readOutputs(places: readonly Place[], origin: string): Found<readonly RemoteOutput[]> | undefined {
	const inputs = inputsOf(places);
	for (const [index, { at, fields }] of places.entries()) {
		const kinds = index > 0 ? KIND_NAMES : KIND_NAMES.filter((name) => isObject(fields[name]));
		const names = [...LIST_NAMES, ...RESULT_NAMES, ...kinds];
		for (const name of names.filter((each) => Object.hasOwn(fields, each))) {
			const reading: Reading = { origin, inputs, seen: new Set(), outputs: [], looksLeft: LOOKS_MAX };
			collect(fields[name], name, undefined, reading, 0);
			if (reading.outputs.length > 0) return { value: reading.outputs, at: `${at}.${name}` };
		}
	}
	return undefined;
}

function collect(value: unknown, name: string, item: Json | undefined, reading: Reading, depth: number): void {
	if (depth > DEPTH_MAX || reading.outputs.length >= OUTPUTS_MAX || reading.looksLeft-- <= 0) return;
	const opened = unfold(value);
	if (typeof opened === "string") {
		const url = addressOf(opened, name, reading.origin);
		if (url === undefined || reading.seen.has(url) || reading.inputs.has(url)) return;
		reading.seen.add(url);
		reading.outputs.push({ url, seed: readCount(item?.["seed"]) ?? null });
	} else if (Array.isArray(opened)) {
		for (const each of opened.slice(0, OUTPUTS_MAX)) collect(each, name, undefined, reading, depth + 1);
	} else if (isObject(opened) && opened["expired"] !== true) {
		const before = reading.outputs.length;
		for (const inner of ITEM_NAMES) {
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

/** Every text in what was asked for, as far as the bound goes. */
function inputsOf(places: readonly Place[]): ReadonlySet<string> {
	const texts = new Set<string>();
	const left: unknown[] = places.flatMap(({ fields }) => INPUT_NAMES.map((name) => fields[name]));
	for (let looks = 0; looks < LOOKS_MAX && left.length > 0; looks++) {
		const value = unfold(left.shift());
		if (typeof value === "string" && value.length <= URL_CHARS_MAX) texts.add(value);
		else if (typeof value === "object" && value !== null) left.push(...Object.values(value).slice(0, OUTPUTS_MAX));
	}
	return texts;
}
