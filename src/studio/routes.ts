import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import type { Ledger } from "../services/ledger/operations.ts";
import {
	CallbacksAnswer,
	CreditsAnswer,
	ModelsAnswer,
	QuoteAnswer,
	SecretAnswer,
	SubmitAnswer,
	TaskAnswer,
	TasksAnswer,
	UploadAnswer,
} from "./answers.ts";
import type { Accounts } from "./accounts.ts";
import { eventIdOf, type Callbacks } from "./callbacks/callbacks.ts";
import type { Catalogue } from "./catalogue.ts";
import { ApiError, CODES } from "./errors.ts";
import { readCap } from "./cap-use.ts";
import { ledgerAccount, type KeyHolder, type Scope } from "./keys.ts";
import {
	IDEMPOTENCY_KEY,
	ListTasksQuery,
	ModelsQuery,
	QueryTasksBody,
	ReadTaskQuery,
	readParameters,
} from "./parameters.ts";
import type { Lanes } from "./lanes.ts";
import type { TaskEvents } from "./task-events.ts";
import type { TaskReader } from "./task-reader.ts";
import type { TaskService } from "./task-service.ts";
import { timeOf } from "./task-record.ts";
import type { Uploads } from "./uploads.ts";
import { isRecord } from "./validate-request.ts";

/** A request of somebody whose key is good. */
interface Call<Query = unknown, Body = unknown> {
	readonly account: string;
	readonly key: KeyHolder;
	readonly body: Body;
	readonly params: Readonly<Record<string, string>>;
	readonly query: Query;
	readonly headers: IncomingHttpHeaders;
	/** Aborted when whoever asked is gone. */
	readonly gone: () => AbortSignal;
	/** The file of a multipart body. Rejects with an `ApiError` where there is none, or too much of it. */
	readonly readFile: () => Promise<Uint8Array>;
}

type Answer =
	| { readonly data: object; readonly headers?: Readonly<Record<string, string>> }
	/** Server-sent events, as they come. */
	| { readonly events: AsyncIterable<string> };

export interface RouteDeps {
	readonly taskService: TaskService;
	readonly taskReader: TaskReader;
	readonly callbacks: Callbacks;
	readonly accounts: Accounts;
	readonly taskEvents: TaskEvents;
	readonly uploads: Uploads;
	readonly ledger: Ledger;
	readonly catalogue: Catalogue;
	readonly lanes: Pick<Lanes, "healthOf">;
	readonly clock: Clock;
}

interface Operation<Query extends z.ZodType, Body extends z.ZodType> {
	readonly method: "GET" | "POST" | "DELETE";
	/** Below `/api/v1`. */
	readonly path: string;
	readonly query: Query;
	/** `undefined` where no body is read. */
	readonly body: Body | undefined;
	/** What the key must be allowed to do. */
	readonly scope: Scope;
	/** In a few words, for people. */
	readonly summary: string;
	/** The `data` of its answer, or of each of its events. */
	readonly answer: z.ZodType;
	/** The body is an order, which the catalogue's own schemas describe. */
	readonly order?: true;
	/** Answers with server-sent events. */
	readonly streams?: true;
	/** Takes a file as multipart/form-data in place of JSON. */
	readonly takesFile?: true;
	readonly handle: (call: Call<z.infer<Query>, z.infer<Body>>, deps: RouteDeps) => Promise<Answer> | Answer;
}

export interface Route extends Omit<Operation<z.ZodType, z.ZodType>, "handle"> {
	readonly handle: (call: Call, deps: RouteDeps) => Promise<Answer> | Answer;
}

const Anything = z.unknown();

export const routes: readonly Route[] = [
	route({
		method: "POST",
		path: "/generate",
		scope: "generate",
		summary: "Submit a generation task",
		query: Anything,
		body: Anything,
		order: true,
		answer: SubmitAnswer,
		handle: submitTask,
	}),
	route({
		method: "GET",
		path: "/task/:taskId",
		scope: "read",
		summary: "Read a task",
		query: ReadTaskQuery,
		body: undefined,
		answer: TaskAnswer,
		handle: readTask,
	}),
	route({
		method: "DELETE",
		path: "/task/:taskId",
		scope: "generate",
		summary: "Remove the files of a task that has ended",
		query: Anything,
		body: undefined,
		answer: TaskAnswer,
		handle: purgeTask,
	}),
	route({
		method: "GET",
		path: "/task/:taskId/events",
		scope: "read",
		summary: "Follow a task as server-sent events",
		query: Anything,
		body: undefined,
		streams: true,
		answer: TaskAnswer,
		handle: followTask,
	}),
	route({
		method: "POST",
		path: "/task/:taskId/cancel",
		scope: "generate",
		summary: "Cancel a task",
		query: Anything,
		body: undefined,
		answer: TaskAnswer,
		handle: cancelTask,
	}),
	route({
		method: "GET",
		path: "/task/:taskId/callbacks",
		scope: "read",
		summary: "See what became of a task's callback",
		query: Anything,
		body: undefined,
		answer: CallbacksAnswer,
		handle: readCallbacks,
	}),
	route({
		method: "GET",
		path: "/callbacks/secret",
		scope: "generate",
		summary: "Read the secret that callbacks are signed with",
		query: Anything,
		body: undefined,
		answer: SecretAnswer,
		handle: readCallbackSecret,
	}),
	route({
		method: "GET",
		path: "/tasks",
		scope: "read",
		summary: "List tasks, newest first, or find the one of an idempotency key",
		query: ListTasksQuery,
		body: undefined,
		answer: TasksAnswer,
		handle: listTasks,
	}),
	route({
		method: "POST",
		path: "/tasks/query",
		scope: "read",
		summary: "Read many tasks at once",
		query: Anything,
		body: QueryTasksBody,
		answer: TasksAnswer,
		handle: queryTasks,
	}),
	route({
		method: "POST",
		path: "/credits/quote",
		scope: "read",
		summary: "Ask what a submit would cost",
		query: Anything,
		body: Anything,
		order: true,
		answer: QuoteAnswer,
		handle: quoteTask,
	}),
	route({
		method: "GET",
		path: "/credits",
		scope: "read",
		summary: "See the credits",
		query: Anything,
		body: undefined,
		answer: CreditsAnswer,
		handle: readCredits,
	}),
	route({
		method: "POST",
		path: "/uploads",
		scope: "generate",
		summary: "Upload a file to start from",
		query: Anything,
		body: undefined,
		takesFile: true,
		answer: UploadAnswer,
		handle: takeUpload,
	}),
	route({
		method: "GET",
		path: "/models",
		scope: "read",
		summary: "List the models",
		query: ModelsQuery,
		body: undefined,
		answer: ModelsAnswer,
		handle: listModels,
	}),
];

/** An operation whose handler sees only what its schemas let through. */
function route<Query extends z.ZodType, Body extends z.ZodType>(operation: Operation<Query, Body>): Route {
	const { query, body = Anything, handle } = operation;
	return {
		...operation,
		handle: (call, deps) => {
			const checked = { query: readParameters(query, call.query), body: readParameters(body as Body, call.body) };
			return handle({ ...call, ...checked }, deps);
		},
	};
}

async function submitTask({ key, body, headers }: Call, { taskService }: RouteDeps): Promise<Answer> {
	if (!isRecord(body)) throw new ApiError(CODES.malformed, "the body must be a JSON object");
	const idempotencyKey = headers["idempotency-key"];
	if (idempotencyKey !== undefined && !(typeof idempotencyKey === "string" && IDEMPOTENCY_KEY.test(idempotencyKey))) {
		throw new ApiError(CODES.malformed, "Idempotency-Key must be 1 to 255 visible ASCII characters");
	}
	const { taskId, replayed } = await taskService.submit({ key, body, idempotencyKey });
	return { data: { taskId }, headers: replayed ? { "idempotency-replayed": "true" } : {} };
}

async function readTask(
	{ account, params, query }: Call<z.infer<typeof ReadTaskQuery>>,
	{ taskReader }: RouteDeps,
): Promise<Answer> {
	const fresh = query.refresh === "1" || query.refresh === "true";
	return { data: await taskReader.recordOf(await taskReader.find(account, params["taskId"] ?? ""), fresh) };
}

async function cancelTask({ account, params }: Call, { taskService }: RouteDeps): Promise<Answer> {
	return { data: await taskService.cancel(account, params["taskId"] ?? "") };
}

async function purgeTask({ account, params }: Call, { taskService }: RouteDeps): Promise<Answer> {
	return { data: await taskService.purge(account, params["taskId"] ?? "") };
}

async function followTask({ account, params, gone }: Call, { taskEvents }: RouteDeps): Promise<Answer> {
	return { events: await taskEvents.follow(account, params["taskId"] ?? "", gone()) };
}

async function takeUpload({ readFile }: Call, { uploads }: RouteDeps): Promise<Answer> {
	return { data: await uploads.take(readFile) };
}

function quoteTask({ body }: Call, { taskService }: RouteDeps): Answer {
	if (!isRecord(body)) throw new ApiError(CODES.malformed, "the body must be a JSON object");
	return { data: taskService.quote(body) };
}

async function readCredits({ account, key }: Call, { ledger, clock }: RouteDeps): Promise<Answer> {
	const { availableCredits, heldCredits, expiring } = await ledger.balance(ledgerAccount(account));
	const cap = await readCap(ledger, key, clock.nowMs());
	const soonestFirst = expiring.map(({ credits, expiresAtMs }) => ({ credits, expiresAt: timeOf(expiresAtMs) }));
	return { data: { available: availableCredits, reserved: heldCredits, expiring: soonestFirst, cap } };
}

async function readCallbacks({ account, params }: Call, { taskReader, callbacks }: RouteDeps): Promise<Answer> {
	const { taskId } = await taskReader.find(account, params["taskId"] ?? "");
	const log = await callbacks.logOf(taskId);
	if (!log) return { data: { callbacks: [] } };
	const { url, state, dueAtMs, attempts } = log;
	const shown = {
		id: eventIdOf(taskId),
		url,
		state,
		nextAttemptAt: state === "pending" ? timeOf(dueAtMs) : null,
		attempts: attempts.map(({ atMs, ...attempt }) => ({ at: timeOf(atMs), ...attempt })),
	};
	return { data: { callbacks: [shown] } };
}

async function readCallbackSecret({ account }: Call, { accounts }: RouteDeps): Promise<Answer> {
	return { data: { secret: (await accounts.open(account)).callbackSecret } };
}

async function listTasks(
	{ account, query: { idempotencyKey, ...page } }: Call<z.infer<typeof ListTasksQuery>>,
	{ taskReader }: RouteDeps,
): Promise<Answer> {
	if (idempotencyKey !== undefined) return { data: await taskReader.ofKey(account, idempotencyKey) };
	return { data: await taskReader.list(account, page) };
}

async function queryTasks(
	{ account, body }: Call<unknown, z.infer<typeof QueryTasksBody>>,
	{ taskReader }: RouteDeps,
): Promise<Answer> {
	return { data: await taskReader.pick(account, body.taskIds) };
}

function listModels({ query }: Call<z.infer<typeof ModelsQuery>>, { catalogue, lanes }: RouteDeps): Answer {
	const models = catalogue.models
		.filter(({ mediaType }) => query.mediaType === undefined || mediaType === query.mediaType)
		.map((model) => ({ ...model, health: lanes.healthOf(model.id) }));
	return { data: { models } };
}
