/** The operations of the API. The zod schemas of a route check its requests, type its replies and describe it at `/docs`. */
import fastifyMultipart from "@fastify/multipart";
import type { FastifyError, FastifyInstance, FastifyRequest, FastifyTypeProvider } from "fastify";
import { z } from "zod";
import type { Accounts } from "./accounts.ts";
import { callbackLogOf } from "./callbacks/callbacks.ts";
import { apiKeyOf, authenticate } from "./authenticate.ts";
import type { Catalog } from "./model-catalog.ts";
import type { EngineRouter } from "./engine-router.ts";
import { StudioApiError, CODES } from "./errors.ts";
import { ledgerAccount, type Keys, type Scope } from "./api-keys.ts";
import {
	ListTasksQuery,
	ModelsQuery,
	QueryTasksBody,
	ReadTaskQuery,
	SubmitBody,
	SubmitHeaders,
} from "./request-schemas.ts";
import {
	CallbacksResponse,
	CreditsResponse,
	ModelsResponse,
	QuoteResponse,
	type ResponseData,
	SecretResponse,
	SubmitResponse,
	TaskResponse,
	TasksResponse,
	UploadResponse,
} from "./response-schemas.ts";
import { readCap } from "./spend-cap.ts";
import type { StudioContext } from "./studio-context.ts";
import { isoTime } from "./envelope.ts";
import type { TaskEvents } from "./task-events.ts";
import type { TaskReader } from "./task-reader.ts";
import type { StudioTaskService } from "./studio-task-service.ts";
import type { Uploads } from "./uploads.ts";

export interface RouteDeps extends StudioContext {
	readonly taskService: StudioTaskService;
	readonly taskReader: TaskReader;
	readonly taskEvents: TaskEvents;
	readonly accounts: Accounts;
	readonly keys: Pick<Keys, "find">;
	readonly uploads: Uploads;
	readonly catalog: Catalog;
	readonly router: Pick<EngineRouter, "healthOf">;
}

declare module "fastify" {
	interface FastifyContextConfig {
		/** The scope that a key needs for this route. */
		requiredScope?: Scope;
	}
}

/** The schema of status 200 types the `data` of a reply; the envelope is added around it. */
interface ZodTypes extends FastifyTypeProvider {
	validator: this["schema"] extends z.ZodType ? z.output<this["schema"]> : unknown;
	serializer: this["schema"] extends z.ZodType ? ResponseData<this["schema"]> : unknown;
}

const TaskPath = z.object({ taskId: z.string() });

/** Prevents proxies from buffering events. */
const EVENT_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" } as const;
const EVENT_STREAM = { description: "done", content: { "text/event-stream": { schema: { type: "string" } } } } as const;

/** Returns the options of a route: the scope that a key needs, and its description. */
function route<const Schema extends object>(requiredScope: Scope, summary: string, schema: Schema) {
	return { config: { requiredScope }, schema: { summary, ...schema } };
}

export async function registerRoutes(scope: FastifyInstance, deps: RouteDeps): Promise<void> {
	const { taskService, taskReader, ledger } = deps;
	const api = scope.withTypeProvider<ZodTypes>();

	api.post(
		"/generate",
		route("generate", "Submit a generation task", {
			headers: SubmitHeaders,
			body: SubmitBody,
			response: { 200: SubmitResponse },
		}),
		async (request, reply) => {
			const idempotencyKey = request.headers["idempotency-key"];
			const submission = { apiKey: apiKeyOf(request), body: request.body, idempotencyKey };
			const { taskId, replayed } = await taskService.submit(submission);
			if (replayed) reply.header("idempotency-replayed", "true");
			return { taskId };
		},
	);

	api.get(
		"/task/:taskId",
		route("read", "Read a task", { params: TaskPath, querystring: ReadTaskQuery, response: { 200: TaskResponse } }),
		async (request) => {
			const task = await taskReader.find(apiKeyOf(request).account, request.params.taskId);
			return await taskReader.dtoOf(task);
		},
	);

	api.get(
		"/task/:taskId/events",
		{
			...route("read", "Follow a task as server-sent events", { params: TaskPath, response: { 200: EVENT_STREAM } }),
			exposeHeadRoute: false,
		},
		async (request, reply) => {
			const isAuthorized = async (): Promise<boolean> => {
				try {
					await authenticate(deps.keys, request, deps.clock.nowMs());
					return true;
				} catch (error) {
					if (error instanceof StudioApiError) return false;
					throw error;
				}
			};
			const events = await deps.taskEvents.follow(apiKeyOf(request).account, request.params.taskId, isAuthorized);
			return reply.headers(EVENT_HEADERS).send(events);
		},
	);

	api.post(
		"/task/:taskId/cancel",
		route("generate", "Cancel a task", { params: TaskPath, response: { 200: TaskResponse } }),
		(request) => taskService.cancel(apiKeyOf(request).account, request.params.taskId),
	);

	api.get(
		"/task/:taskId/callbacks",
		route("read", "Show the log of a callback", { params: TaskPath, response: { 200: CallbacksResponse } }),
		async (request) => callbackLogOf(await taskReader.find(apiKeyOf(request).account, request.params.taskId)),
	);

	api.get(
		"/callbacks/secret",
		route("generate", "Read the secret that signs callbacks", { response: { 200: SecretResponse } }),
		async (request) => ({ secret: (await deps.accounts.open(apiKeyOf(request).account)).callbackSecret }),
	);

	api.get(
		"/tasks",
		route("read", "List tasks, newest first, or find the one of an idempotency key", {
			querystring: ListTasksQuery,
			response: { 200: TasksResponse },
		}),
		(request) => {
			const { account } = apiKeyOf(request);
			const { idempotencyKey, ...query } = request.query;
			if (idempotencyKey !== undefined) return taskReader.findByIdempotencyKey(account, idempotencyKey);
			return taskReader.list(account, query);
		},
	);

	api.post(
		"/tasks/query",
		route("read", "Read many tasks at once", { body: QueryTasksBody, response: { 200: TasksResponse } }),
		(request) => taskReader.readMany(apiKeyOf(request).account, request.body.taskIds),
	);

	api.post(
		"/credits/quote",
		route("read", "Show what a submit would cost", { body: SubmitBody, response: { 200: QuoteResponse } }),
		async (request) => taskService.quote(apiKeyOf(request), request.body),
	);

	api.get("/credits", route("read", "Show the credits", { response: { 200: CreditsResponse } }), async (request) => {
		const apiKey = apiKeyOf(request);
		const { availableCredits, heldCredits, expiring } = await ledger.balance(ledgerAccount(apiKey.account));
		const cap = await readCap(ledger, apiKey, deps.clock.nowMs());
		const soonestFirst = expiring.map(({ credits, expiresAtMs }) => ({ credits, expiresAt: isoTime(expiresAtMs) }));
		return { available: availableCredits, reserved: heldCredits, expiring: soonestFirst, cap };
	});

	api.get(
		"/models",
		route("read", "List the models", { querystring: ModelsQuery, response: { 200: ModelsResponse } }),
		async ({ query: { mediaType } }) => {
			const models = deps.catalog.models.filter((model) => mediaType === undefined || model.mediaType === mediaType);
			return { models: models.map((model) => ({ ...model, health: deps.router.healthOf(model.id) })) };
		},
	);

	// In a scope of its own: no other route takes multipart bodies.
	await api.register(async (uploads) => {
		await uploads.register(fastifyMultipart);
		uploads.withTypeProvider<ZodTypes>().post(
			"/uploads",
			{
				...route("generate", "Upload an input file", {
					consumes: ["multipart/form-data"],
					body: z.object({ file: z.file() }),
					response: { 200: UploadResponse },
				}),
				// The file is read as a stream.
				validatorCompiler: () => (value: unknown) => ({ value }),
			},
			(request) => deps.uploads.accept(apiKeyOf(request).account, () => readFile(request, deps.limits.inputBytesMax)),
		);
	});
}

/** Reads the file of a multipart body. Rejects with an `StudioApiError` if there is none or it is too large. */
async function readFile(request: FastifyRequest, bytesMax: number): Promise<Uint8Array> {
	if (!request.isMultipart())
		throw new StudioApiError(CODES.unsupportedContentType, "the body must be sent as multipart/form-data");
	try {
		const part = await request.file({ limits: { fileSize: bytesMax, files: 1, fields: 8, fieldSize: 1024 } });
		if (part) return await part.toBuffer();
	} catch (error) {
		if ((error as Partial<FastifyError>).statusCode === 413) {
			throw new StudioApiError(CODES.tooLarge, `the file is larger than ${bytesMax} bytes`);
		}
		throw new StudioApiError(CODES.malformed, "the body is not multipart/form-data");
	}
	const message = "must be a file";
	throw new StudioApiError(CODES.missingField, `file: ${message}`, { details: [{ field: "file", message }] });
}
