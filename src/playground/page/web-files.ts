/** The page itself: the files of web/, each by a route of its own, so that no address ever becomes a path on the disk. */
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const WEB_FOLDER = new URL("../web/", import.meta.url);

/** What a page is made of; whatever else lies in the folder is not served. */
const WEB_TYPES: { readonly [ending: string]: string } = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".webmanifest": "application/manifest+json",
	".svg": "image/svg+xml",
	".png": "image/png",
	".webp": "image/webp",
	".ico": "image/x-icon",
	".woff2": "font/woff2",
};

export async function serveWebFiles(scope: FastifyInstance): Promise<void> {
	const entries = await readdir(WEB_FOLDER, { recursive: true, withFileTypes: true });
	for (const entry of entries) {
		const type = WEB_TYPES[extname(entry.name)];
		if (!entry.isFile() || !type) continue;
		const file = new URL(encodeURIComponent(entry.name), pathToFileURL(`${entry.parentPath}/`));
		const path = decodeURIComponent(file.pathname.slice(WEB_FOLDER.pathname.length));
		const serve = async (_: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
			reply
				.header("content-type", type)
				.header("cache-control", "no-cache")
				.send(await readFile(file));
		scope.get(`/${path}`, serve);
		if (path === "index.html") scope.get("/", serve);
	}
}
