/** Parses request bodies and query parameters as Discord does. */
import type { APIUser } from "discord-api-types/v10";
import type { FastifyRequest } from "fastify";
import { validateRequest } from "../schema/validator.ts";
import { readUpload } from "../media/media-store.ts";
import { parseBoolean } from "../schema/coerce.ts";
import { type ApiError, apiErrors, rejectFields } from "../simulator/api-error.ts";
import type { UploadedFile } from "../simulator/build-message.ts";
import { compareSnowflakes, parseJson } from "../simulator/discord-formats.ts";
import type { RestRequest, Route } from "./route.ts";

export const FILES_MAX = 10;

export interface ReadBody {
	readonly body: unknown;
	readonly files: readonly UploadedFile[];
	/** True if the body consists of form fields, which have no numbers and no booleans. */
	readonly isForm: boolean;
}

/** The largest JSON body. */
const JSON_BYTES_MAX = 8 * 1024 * 1024;
/** The largest URL-encoded body, and the largest text field of a multipart body, such as `payload_json`. */
export const FORM_TEXT_BYTES_MAX = 1024 * 1024;

/** Reads a body of JSON or of a form. Others count as empty. */
export async function readBody(request: FastifyRequest, bytesMax: number): Promise<ReadBody> {
	if (request.isMultipart()) {
		// The parser's error for a truncated form has no code; all others have one.
		return readForm(request, bytesMax).catch((error: unknown) => {
			throw error instanceof Error && "code" in error ? error : invalidFormError();
		});
	}
	const isForm = isUrlEncoded(request);
	const limit = Math.min(bytesMax, isForm ? FORM_TEXT_BYTES_MAX : JSON_BYTES_MAX);
	const text = (await readUpload(request.raw, limit))?.toString();
	if (text === undefined) throw apiErrors.bodyTooLarge();
	if (isForm) return { body: Object.fromEntries(new URLSearchParams(text)), files: [], isForm };
	const isJson = mediaType(request) === "application/json";
	return { body: isJson && text !== "" ? parseJsonBody(text) : {}, files: [], isForm };
}

const mediaType = ({ headers }: FastifyRequest): string | undefined =>
	headers["content-type"]?.split(";")[0]?.trim().toLowerCase();

export const isUrlEncoded = (request: FastifyRequest): boolean =>
	mediaType(request) === "application/x-www-form-urlencoded";

/** Also counts fields, which have no limit of their own. A request in chunks names no length. */
function isLarger({ headers }: FastifyRequest, bytesMax: number): boolean {
	return Number(headers["content-length"] ?? 0) > bytesMax;
}

export const invalidFormError = (): ApiError => apiErrors.invalidField([], "INVALID_FORM", "The form cannot be read.");

async function readForm(request: FastifyRequest, bytesMax: number): Promise<ReadBody> {
	const files: (Omit<UploadedFile, "index"> & { readonly index: number | undefined })[] = [];
	const fields = new Map<string, unknown>();
	let receivedBytes = 0;
	let error = isLarger(request, bytesMax) ? apiErrors.bodyTooLarge() : undefined;
	// Reads an invalid body to its end: a client that is cut off while writing never sees the response.
	for await (const part of request.parts()) {
		if (part.type === "field") {
			fields.set(part.fieldname, part.value);
			continue;
		}
		const bytes = await readUpload(part.file, bytesMax - receivedBytes);
		receivedBytes += bytes?.byteLength ?? Number.POSITIVE_INFINITY;
		const index = /^files\[(\d{1,2})\]$/.exec(part.fieldname)?.[1];
		if (!bytes) error ??= apiErrors.bodyTooLarge();
		else if (!part.filename)
			error ??= apiErrors.invalidField([part.fieldname], "INVALID_FORM", "A file needs a file name.");
		else if (files.length >= FILES_MAX) error ??= apiErrors.tooManyAttachments();
		else files.push({ index: index === undefined ? undefined : Number(index), filename: part.filename, bytes });
	}
	if (error) throw error;
	// Discord ignores plain fields beside payload_json.
	const payload = fields.get("payload_json");
	const isForm = payload === undefined;
	return { body: isForm ? Object.fromEntries(fields) : parsePayload(payload), files: assignIndexes(files), isForm };
}

/** Discord accepts any field name for files, as older clients send them (`file`, `file1`), and assigns free numbers. */
function assignIndexes(
	files: readonly (Omit<UploadedFile, "index"> & { readonly index: number | undefined })[],
): UploadedFile[] {
	const usedIndexes = new Set(files.map(({ index }) => index));
	let next = 0;
	return files.map((file) => {
		if (file.index !== undefined) return { ...file, index: file.index };
		while (usedIndexes.has(next)) next++;
		return { ...file, index: next++ };
	});
}

/** The form parser parses parts with a JSON content type, as Discord's own examples have it. */
function parsePayload(payload: unknown): unknown {
	return typeof payload === "string" ? parseJsonBody(payload) : payload;
}

function parseJsonBody(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		throw apiErrors.invalidJson();
	}
}

type Query = RestRequest["query"];

/** `undefined` if missing or not a boolean. */
export function booleanParam(query: Query, name: string): boolean | undefined {
	return parseBoolean(query.get(name) ?? "");
}

function snowflakeParam(query: Query, name: string): bigint | undefined {
	const value = query.get(name);
	if (value === null) return undefined;
	if (/^\d{1,20}$/.test(value)) return BigInt(value);
	throw apiErrors.invalidField([name], "NUMBER_TYPE_COERCE", `Value "${value}" is not snowflake.`);
}

export function integerParam(
	query: Query,
	name: string,
	{ min, max }: { readonly min: number; readonly max: number },
): number | undefined {
	const typed = query.get(name);
	if (typed === null) return undefined;
	const fail = (code: string, message: string): ApiError => apiErrors.invalidField([name], code, message);
	if (!/^-?\d{1,15}$/.test(typed)) throw fail("NUMBER_TYPE_COERCE", `Value "${typed}" is not int.`);
	const value = Number(typed);
	if (value < min) throw fail("NUMBER_TYPE_MIN", `int value should be greater than or equal to ${min}.`);
	if (value > max) throw fail("NUMBER_TYPE_MAX", `int value should be less than or equal to ${max}.`);
	return value;
}

/**
 * Returns the items that `after`, `before` and `limit` of a query select, in the order of their ids: the first ones, or
 * the last ones if only `before` is given.
 */
export function pageById<Item>(
	query: Query,
	items: readonly Item[],
	idOf: (item: Item) => string,
	limits: {
		readonly limitMax: number;
		/** The limit if the query has none; by default `limitMax`. */
		readonly limitDefault?: number;
		/** True if a query without `after` selects the last items. */
		readonly isNewestByDefault?: boolean;
	},
): Item[] {
	const { limitMax, limitDefault = limitMax, isNewestByDefault = false } = limits;
	const [after, before] = [snowflakeParam(query, "after"), snowflakeParam(query, "before")];
	const limit = integerParam(query, "limit", { min: 1, max: limitMax }) ?? limitDefault;
	const selected = items
		.filter((item) => BigInt(idOf(item)) > (after ?? -1n) && (before === undefined || BigInt(idOf(item)) < before))
		.toSorted((one, other) => compareSnowflakes(idOf(one), idOf(other)));
	const takesLast = after === undefined && (before !== undefined || isNewestByDefault);
	return takesLast ? selected.slice(-limit) : selected.slice(0, limit);
}

/** Returns the users of a reaction or of an answer that the query selects. */
export function pageOfUsers({ query, simulator: { members } }: RestRequest, userIds: readonly string[]): APIUser[] {
	const page = pageById(query, userIds, (id) => id, { limitMax: 100, limitDefault: 25 });
	return page.flatMap((id) => members.userOf(id) ?? []);
}

/** Every id in a path is a snowflake, except for a token, an emoji, and @original. */
export function checkIds(params: ReadonlyMap<string, string>): void {
	const invalid = [...params].filter(
		([name, value]) => name !== "token" && name !== "emoji" && value !== "@original" && !/^\d{1,20}$/.test(value),
	);
	rejectFields(
		invalid.map(([name, value]) => ({
			path: [name === "userOrMe" ? "user_id" : `${name}_id`],
			code: "NUMBER_TYPE_COERCE",
			message: `Value "${value}" is not snowflake.`,
		})),
	);
}

/** Validates the body and converts it as Discord does. */
export function validateBody(route: Route, { body, isForm }: ReadBody): unknown {
	if (route.isForm && !isForm) return {};
	if (!route.requestSchema) return body;
	const schema = typeof route.requestSchema === "string" ? route.requestSchema : route.requestSchema(body);
	return validateRequest(schema, body, isForm);
}
