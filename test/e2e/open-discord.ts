import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { systemClock, type Clock } from "@atelier/common/clock";
import { createPlayground } from "@atelier/playground/playground";

interface Setup {
	readonly clock?: Clock;
	/** For a later playground on the same port: one of `freePort`. */
	readonly port?: number;
	/** The folder of its state and its bot's token. */
	readonly dataDir?: string;
}

/** Opens a playground outside of the tested Atelier, so that Discord can fail and disappear. */
export async function openDiscord({ clock = systemClock, port = 0, dataDir }: Setup = {}) {
	const app = fastify({ forceCloseConnections: true });
	const rule = { answer: (_request: FastifyRequest, _reply: FastifyReply): unknown => undefined };
	app.addHook("onRequest", async (request, reply) => rule.answer(request, reply));
	let origin = "";
	const playground = createPlayground({ clock, logger: pino({ level: "silent" }), origin: () => origin, dataDir });
	await playground.register(app);
	origin = await app.listen({ port, host: "127.0.0.1" });
	let closed: Promise<void> | undefined;
	const close = (): Promise<void> => (closed ??= app.close().then(() => playground.close()));
	onTestFinished(close);
	return {
		origin,
		port: Number(new URL(origin).port),
		env: { DISCORD_TOKEN: playground.botToken, DISCORD_API_URL: `${origin}/api` },
		/** From now on these requests get this response, and do not reach the playground. */
		answer: (matches: RegExp, status: number, body: object) => {
			rule.answer = ({ method, url }, reply) =>
				matches.test(`${method} ${url}`) ? reply.code(status).send(body) : undefined;
		},
		close,
	};
}
