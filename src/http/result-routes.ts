import { basename, dirname, resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { Logger } from "pino";
import { detectMediaFileType } from "@atelier/media-files/detect-type";
import type { ResultLinkParams, ResultLinks } from "../services/delivery/result-links.ts";

/** The file comes from another service: it is always downloaded, and never runs as a page of this origin. */
const HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "default-src 'none'; sandbox",
	"referrer-policy": "no-referrer",
	"x-robots-tag": "noindex",
	"cache-control": "private, no-store",
} as const;

/** Until the bot has logged in to Discord. */
const STARTING_RETRY_AFTER_S = 10;

interface ResultRoutesDeps {
	/** Returns `undefined` until the bot is running. */
	readonly links: () => Pick<ResultLinks, "follow"> | undefined;
	readonly logger: Logger;
}

/** People open these addresses, so the answer is a sentence. */
async function answer(reply: FastifyReply, status: number, text: string): Promise<FastifyReply> {
	return await reply.code(status).headers(HEADERS).type("text/plain; charset=utf-8").send(`${text}\n`);
}

/** Registers `GET /results/TASK/INDEX/UNTIL/SIGNATURE`, which serves whole files and ranges. Every invalid link is a 404. */
export async function registerResultRoutes(app: FastifyInstance, { links, logger }: ResultRoutesDeps): Promise<void> {
	await app.register(
		async (scope) => {
			if (!scope.hasReplyDecorator("sendFile")) {
				await scope.register(fastifyStatic, { serve: false });
			}
			scope.setErrorHandler<FastifyError>(async (error, _request, reply) => {
				if (error.statusCode !== undefined && error.statusCode < 500) return await reply.send(error);
				logger.error({ err: error }, "result link failed");
				return await answer(reply, 500, "This file can't be read right now. Try again in a minute.");
			});
			scope.get<{ Params: ResultLinkParams }>("/:taskId/:index/:untilS/:signature", async (request, reply) => {
				const { params } = request;
				const resultLinks = links();
				if (!resultLinks) {
					void reply.header("retry-after", STARTING_RETRY_AFTER_S);
					return await answer(reply, 503, "The bot is starting. Try again in a minute.");
				}
				const found = await resultLinks.follow(params);
				if (!found) return await answer(reply, 404, "This file no longer exists.");
				const { contentType = "application/octet-stream", extension = "bin" } =
					(await detectMediaFileType(found.path)) ?? {};
				const name = `atelier-${params.taskId}.${extension}`;
				return await reply
					.headers({
						...HEADERS,
						"content-type": contentType,
						"content-disposition": `attachment; filename="${name}"`,
					})
					.sendFile(basename(found.path), dirname(resolve(found.path)), { contentType: false, cacheControl: false });
			});
		},
		{ prefix: "/results" },
	);
}
