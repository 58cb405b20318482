import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { refuseBadAddress } from "./studio/bad-address.ts";

/** The server of a process: one for all houses in it. */
export function createHttpApp({
	randomBytes,
}: {
	readonly randomBytes: (size: number) => Uint8Array;
}): FastifyInstance {
	return Fastify({
		// Whoever still listens to events must not keep a stopping process from ending.
		forceCloseConnections: true,
		// Before any house sees the request, so that none can say it in its own words by itself.
		frameworkErrors: (error, request, reply: FastifyReply) => {
			if (refuseBadAddress(request.url, reply, randomBytes)) return;
			void reply.code(error.statusCode ?? 400).send(error);
		},
	});
}
