import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
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
			addHeaders(reply);
			if (refuseBadAddress(request.url, reply, randomBytes)) return;
			void reply.code(error.statusCode ?? 400).send(error);
		},
	});
	app.addHook("onSend", (_request, reply, payload, done) => {
		addHeaders(reply);
		done(null, payload);
	});
	return app;
}

function addHeaders(reply: FastifyReply): void {
	for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
		if (!reply.hasHeader(name)) reply.header(name, value);
	}
}
