import fastifyMultipart from "@fastify/multipart";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { Logger } from "pino";
import { authenticate } from "./authenticate.ts";
import { errorEnvelope, newRequestId, okEnvelope } from "./envelope.ts";
import { ApiError, CODES } from "./errors.ts";
import type { KeyHolder, Keys } from "./keys.ts";
import type { StudioLimits } from "./limits.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Route, RouteDeps } from "./route-definition.ts";
import { routes } from "./routes.ts";

export interface ApiDeps extends RouteDeps {
	readonly keys: Pick<Keys, "holderOf">;
	readonly rateLimits: RateLimits;
	readonly limits: StudioLimits;
	readonly logger: Logger;
	readonly randomBytes: (size: number) => Uint8Array;
}

/** What a request has been found to be before its handler runs. */
interface Caller {
	requestId: string;
	holder: KeyHolder | undefined;
}

const CALLER = "studioCaller";
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The HTTP edge: everything under `/api/v1`, in an encapsulated scope of its own. */
export async function registerApi(app: FastifyInstance, deps: ApiDeps): Promise<void> {
	await app.register(
		async (scope) => {
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser(
				"application/json",
				{ parseAs: "buffer", bodyLimit: deps.limits.bodyBytesMax },
				(_request: FastifyRequest, body: Buffer, done) => parseJson(body, done),
			);

			scope.decorateRequest<Caller | null>(CALLER, null);
			// Before the body is read: who has no key cannot make us read a megabyte.
			scope.addHook("onRequest", async (request, reply) => {
				const caller: Caller = { requestId: newRequestId(deps.randomBytes), holder: undefined };
				request.setDecorator<Caller>(CALLER, caller);
				reply.header("x-request-id", caller.requestId).header("cache-control", "no-store");
				const { authorization } = request.headers;
				caller.holder = await authenticate(deps.keys, { authorization, address: request.ip }, deps.clock.nowMs());
			});

			scope.setErrorHandler((error, request, reply) => {
				const refusal = refusalOf(error);
				if (refusal) deps.logger.info({ requestId: requestIdOf(request), code: refusal.code }, "request refused");
				else deps.logger.error({ err: error, requestId: requestIdOf(request) }, "request failed");
				refuse(
					reply,
					requestIdOf(request),
					refusal ?? new ApiError(CODES.internal, "an unexpected fault; it is logged"),
				);
			});
			scope.setNotFoundHandler((request, reply) => {
				refuse(reply, requestIdOf(request), new ApiError(CODES.notFound, "there is no such operation"));
			});

			const add = (to: FastifyInstance, { method, path, scope: needed, body, handle }: Route): void => {
				to.route({
					method,
					url: path,
					handler: async (request, reply) => {
						const holder = callerOf(request)?.holder;
						assert(holder, "a handler runs for who has a key");
						const { account, scopes } = holder;
						reply.headers(await deps.rateLimits.take(holder, needed));
						if (!scopes.includes(needed)) throw new ApiError(CODES.notAllowed, `this key may not ${needed}`);
						const params = request.params as Record<string, string>;
						const query = request.query as Record<string, unknown>;
						if (body && request.headers["content-type"] === undefined) throw wrongContentType();
						const readFile = (): Promise<Uint8Array> => readUpload(request, deps.limits.uploadBytesMax);
						const { headers } = request;
						const gone = (): AbortSignal => goneOf(reply);
						const call = { account, key: holder, body: request.body, params, query, headers, gone, readFile };
						const answer = await handle(call, deps);
						if ("events" in answer) return sendEvents(reply, answer.events);
						return reply.headers(answer.headers ?? {}).send(okEnvelope(requestIdOf(request), answer.data));
					},
				});
			};
			for (const each of routes.filter(({ takesFile }) => !takesFile)) add(scope, each);
			// In a scope of their own: nobody else takes multipart bodies.
			await scope.register(async (files) => {
				await files.register(fastifyMultipart);
				for (const each of routes.filter(({ takesFile }) => takesFile)) add(files, each);
			});
			for (const path of new Set(routes.map((route) => route.path))) refuseOtherMethods(scope, path);
		},
		{ prefix: "/api/v1" },
	);
}

/** Aborted when whoever asked is gone. */
function goneOf({ raw }: FastifyReply): AbortSignal {
	const gone = new AbortController();
	const leave = (): void => gone.abort(new Error("whoever asked is gone"));
	if (raw.destroyed) leave();
	else raw.once("close", leave);
	return gone.signal;
}

function callerOf(request: FastifyRequest): Caller | null {
	return request.getDecorator<Caller | null>(CALLER);
}

function requestIdOf(request: FastifyRequest): string {
	return callerOf(request)?.requestId ?? "";
}

/** Buffering anywhere on the way would hold events back until it is too late. */
const EVENT_HEADERS = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" } as const;

function sendEvents(reply: FastifyReply, events: AsyncIterable<string>): FastifyReply {
	return reply.headers(EVENT_HEADERS).send(Readable.from(events, { objectMode: false, highWaterMark: 1 }));
}

async function readUpload(request: FastifyRequest, bytesMax: number): Promise<Uint8Array> {
	if (!request.isMultipart())
		throw new ApiError(CODES.wrongContentType, "the body must be sent as multipart/form-data");
	try {
		const part = await request.file({ limits: { fileSize: bytesMax, files: 1, fields: 8, fieldSize: 1024 } });
		if (part) return await part.toBuffer();
	} catch (error) {
		if ((error as Partial<FastifyError>).statusCode === 413) {
			throw new ApiError(CODES.tooLarge, `the file is larger than ${bytesMax} bytes`);
		}
		throw new ApiError(CODES.malformed, "the body is not multipart/form-data");
	}
	const message = "must be a file";
	throw new ApiError(CODES.missingField, `file: ${message}`, { details: [{ field: "file", message }] });
}

function refuseOtherMethods(scope: FastifyInstance, path: string): void {
	const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
	const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
	const others = scope.supportedMethods.filter((each) => !allowed.includes(each) && each !== "TRACE");
	const refusal = new ApiError(CODES.wrongMethod, `use ${methods.join(" or ")}`, {
		headers: { allow: allowed.join(", ") },
	});
	scope.route({
		method: others,
		url: path,
		// Here and not in the handler: a body that nobody wants is not worth its own error.
		onRequest: async () => {
			throw refusal;
		},
		handler: () => {},
	});
}

function refuse(reply: FastifyReply, requestId: string, error: ApiError): void {
	void reply.code(error.httpStatus).headers(error.headers).send(errorEnvelope(requestId, error));
}

function parseJson(body: Buffer, done: (error: Error | null, parsed?: unknown) => void): void {
	let parsed: unknown;
	try {
		// A client that sends nothing may still say of what type nothing is.
		if (body.byteLength > 0) parsed = JSON.parse(utf8.decode(body));
	} catch {
		done(new ApiError(CODES.malformed, "the body is not JSON in UTF-8"));
		return;
	}
	done(null, parsed);
}

function wrongContentType(): ApiError {
	return new ApiError(CODES.wrongContentType, "the body must be sent as Content-Type: application/json");
}

/** What the client did wrong, in our codes; `undefined` where it did nothing wrong. */
function refusalOf(error: unknown): ApiError | undefined {
	if (error instanceof ApiError) return error;
	const { code, statusCode = 500 } = error as Partial<FastifyError>;
	if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return wrongContentType();
	if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new ApiError(CODES.tooLarge, "the body is too large");
	return statusCode >= 400 && statusCode < 500 ? new ApiError(CODES.malformed, "the request is malformed") : undefined;
}
