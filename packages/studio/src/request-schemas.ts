/** The parameters of the operations: each schema validates and documents them. */
import { z } from "zod";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { isObject } from "@atelier/media-protocol/parse-value";
import { StudioApiError, CODES, type ApiCode } from "./errors.ts";
import { TASK_STATES } from "./studio-task.ts";
import { LIST_POSITION } from "./studio-task-store.ts";

/** The most tasks in one response. */
const TASKS_MAX = 100;
const PAGE_TASKS = 20;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
	z.enum(words, { error: `must be one of ${words.join(", ")}` });

const mediaType = oneOf(MEDIA_TYPES);

/** The catalog documents this body, and validate-request.ts validates it: each model has its own options. */
export const SubmitBody = z.custom<Readonly<Record<string, unknown>>>(isObject, {
	error: "must be a JSON object",
});

export const SubmitHeaders = z.looseObject({
	"idempotency-key": z
		.string()
		.regex(IDEMPOTENCY_KEY, { error: "Idempotency-Key must be 1 to 255 visible ASCII characters" })
		.optional(),
});

export const ModelsQuery = z.object({ mediaType: mediaType.optional() });

export const ReadTaskQuery = z.object({
	/** The specification shows the value `1` without a meaning. Here, every read shows the newest state. */
	refresh: z.unknown().optional(),
});

export const ListTasksQuery = z.object({
	status: oneOf(TASK_STATES).optional(),
	mediaType: mediaType.optional(),
	model: z.string({ error: "must be the id of a model" }).optional(),
	idempotencyKey: z
		.string({ error: "must be given at most once" })
		.regex(IDEMPOTENCY_KEY, { error: "must be 1 to 255 visible ASCII characters" })
		.optional(),
	limit: z
		.string({ error: `must be a whole number from 1 to ${TASKS_MAX}` })
		.regex(/^([1-9]\d?|100)$/, { error: `must be a whole number from 1 to ${TASKS_MAX}` })
		.transform(Number)
		.default(PAGE_TASKS),
	cursor: z
		.string({ error: "must be given at most once" })
		.regex(LIST_POSITION, { error: "must be the nextCursor of an earlier page" })
		.optional(),
});

const taskIdsError = { error: `must be a list of up to ${TASKS_MAX} ids of tasks` };
export const QueryTasksBody = z.object(
	{ taskIds: z.array(z.string({ error: "must be the id of a task" }), taskIdsError).max(TASKS_MAX, taskIdsError) },
	{ error: "must be a JSON object" },
);

/** Parses parameters by the schema. Throws one `StudioApiError`; for fields, its details list all problems. */
export function parseParameters<S extends z.ZodType>(schema: S, input: unknown, httpPart?: string): z.infer<S> {
	const parsed = schema.safeParse(input);
	if (parsed.success) return parsed.data;
	if (httpPart === "headers") throw new StudioApiError(CODES.malformed, parsed.error.issues[0]?.message ?? "");
	const details = parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
	const [first = { field: "", message: "is not understood" }] = details;
	if (first.field === "") throw new StudioApiError(CODES.malformed, `the body ${first.message}`);
	throw new StudioApiError(codeOf(first.field, input), `${first.field}: ${first.message}`, { details });
}

function codeOf(field: string, input: unknown): ApiCode {
	const value = isObject(input) ? input[field] : undefined;
	if (!field.includes(".") && (value === undefined || value === null)) return CODES.missingField;
	return field === "mediaType" ? CODES.invalidMediaType : CODES.invalidParameter;
}
