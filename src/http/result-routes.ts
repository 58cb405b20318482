import { basename, dirname, resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
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

interface ResultRoutesDeps {
	/** Returns `undefined` until the bot is running. */
	readonly links: () => Pick<ResultLinks, "follow"> | undefined;
	readonly folder: string;
}

/** Registers `GET /results/TASK/INDEX/UNTIL/SIGNATURE`, which serves whole files and ranges. Every invalid link is a 404. */
export async function registerResultRoutes(app: FastifyInstance, { links, folder }: ResultRoutesDeps): Promise<void> {
	await app.register(
		async (scope) => {
			if (!scope.hasReplyDecorator("sendFile")) {
				await scope.register(fastifyStatic, { root: resolve(folder), serve: false });
			}
			scope.get<{ Params: ResultLinkParams }>("/:taskId/:index/:untilS/:signature", async (request, reply) => {
				const { params } = request;
				const found = await links()?.follow(params);
				if (!found) return await reply.code(404).headers(HEADERS).send({ error: "this file no longer exists" });
				const { contentType = "application/octet-stream", extension = "bin" } =
					(await detectMediaFileType(found.path)) ?? {};
				const name = `atelier-${params.taskId.slice(-6)}.${extension}`;
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
