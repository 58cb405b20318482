import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";

/** Headers of every response, unless a page or a file sets others: no sniffing, no scripts, no frames, no reads by other sites. */
const SECURITY_HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"referrer-policy": "no-referrer",
	"cross-origin-resource-policy": "same-origin",
	"x-frame-options": "DENY",
} as const;

/** Of routes that set no other limit, and of unknown paths: anyone can send these bodies. */
const BODY_BYTES_MAX = 16 * 1024;
const CHUNK_BYTES_MIN = 4 * 1024;
/** Not worth joining: even in chunks of one byte, such a body takes less than a megabyte. */
const SMALL_BODY_BYTES = 1024;

/** Status lines by Node's error code; every other code is a 400. */
const PARSE_ERRORS: Readonly<Record<string, string>> = {
	ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
	HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** Replies to a URL that Fastify cannot decode, such as `/a/%ff`, in the format of one API. Returns false for a URL of another. */
export type MalformedUrlHandler = (url: string, reply: FastifyReply) => boolean;

interface HttpServerOptions {
	/** Tried in order. A malformed URL matches no route, but the clients of each API expect the error format of that API. */
	readonly malformedUrlHandlers?: readonly MalformedUrlHandler[];
}

export function createHttpServer({ malformedUrlHandlers = [] }: HttpServerOptions = {}): FastifyInstance {
	const app = Fastify({
		// Clients quote these ids, so they are unique across processes and restarts.
		genReqId: () => `req_${randomUUID()}`,
		// Node's default, which Fastify disables: no client may keep a request open by sending it slowly.
		requestTimeout: 300_000,
		bodyLimit: BODY_BYTES_MAX,
		// Open event streams must not keep a stopping process alive.
		forceCloseConnections: true,
		frameworkErrors: (error, request, reply: FastifyReply) => {
			reply.headers(SECURITY_HEADERS);
			if (malformedUrlHandlers.some((handle) => handle(request.url, reply))) return;
			void reply.code(error.statusCode ?? 400).send(error);
		},
		clientErrorHandler: (error, socket) => {
			if (error.code === "ECONNRESET" || socket.destroyed) return;
			if (socket.writable) socket.write(rawResponse(error.code));
			socket.destroySoon();
		},
	});
	app.addHook("onRequest", (_request, reply, done) => {
		reply.headers(SECURITY_HEADERS);
		done();
	});
	app.addHook("preParsing", ({ headers }, _reply, payload, done) => {
		const isSmall =
			headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= SMALL_BODY_BYTES;
		done(null, isSmall ? payload : withLargeChunks(payload));
	});
	return app;
}

/**
 * Joins small chunks of a body. Fastify keeps a Buffer per chunk until the body ends and counts only its bytes, so that
 * chunks of one byte would take seven hundred times the limit. Reads nothing before the result is read: routes that
 * stream their body read the request itself.
 */
function withLargeChunks(payload: AsyncIterable<Buffer>): Readable {
	async function* join(): AsyncGenerator<Buffer> {
		let joined = Buffer.alloc(0);
		for await (const chunk of payload) {
			joined = Buffer.concat([joined, chunk]);
			if (joined.length < CHUNK_BYTES_MIN) continue;
			yield joined;
			joined = Buffer.alloc(0);
		}
		if (joined.length > 0) yield joined;
	}
	// Fastify stops listening after a rejected body, and an error without a listener would end the process.
	return Readable.from(join(), { objectMode: false }).on("error", () => undefined);
}

/** Fastify cannot reply to requests that it cannot parse, so this is the raw response. */
function rawResponse(code: string): string {
	const status = PARSE_ERRORS[code] ?? "400 Bad Request";
	const body = JSON.stringify({ statusCode: Number(status.slice(0, 3)), message: status.slice(4) });
	const headers = {
		...SECURITY_HEADERS,
		"content-type": "application/json; charset=utf-8",
		"content-length": Buffer.byteLength(body),
		connection: "close",
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`;
}
