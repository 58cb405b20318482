import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { refuseUnreadableAddress } from "./playground/rest/unreadable-address.ts";
import { refuseBadAddress } from "./studio/bad-address.ts";

/**
 * What every answer says that does not say otherwise: nobody takes it for anything but what it is called, frames it, runs
 * anything in it, or reads it from a page of another site. Pages and files say more, or other things, of themselves.
 */
const SECURITY_HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"referrer-policy": "no-referrer",
	"cross-origin-resource-policy": "same-origin",
	"x-frame-options": "DENY",
} as const;

/** By what Node calls it. */
const NO_REQUEST: Readonly<Record<string, string>> = {
	ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
	HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** The server of a process: one for all houses in it. */
export function createHttpApp({
	randomBytes,
}: {
	readonly randomBytes: (size: number) => Uint8Array;
}): FastifyInstance {
	const app = Fastify({
		// Whoever still listens to events must not keep a stopping process from ending.
		forceCloseConnections: true,
		// Before any house sees the request, so that none can say it in its own words by itself.
		frameworkErrors: (error, request, reply: FastifyReply) => {
			reply.headers(SECURITY_HEADERS);
			if (refuseBadAddress(request.url, reply, randomBytes)) return;
			if (refuseUnreadableAddress(request.url, reply)) return;
			void reply.code(error.statusCode ?? 400).send(error);
		},
		clientErrorHandler: (error, socket) => {
			if (error.code === "ECONNRESET" || socket.destroyed) return;
			if (socket.writable) socket.write(answerToNoRequest(error.code));
			socket.destroySoon();
		},
	});
	app.addHook("onRequest", (_request, reply, done) => {
		reply.headers(SECURITY_HEADERS);
		done();
	});
	return app;
}

/** To what is no HTTP there is no reply to write: what is said is written by hand. */
function answerToNoRequest(code: string): string {
	const status = NO_REQUEST[code] ?? "400 Bad Request";
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
