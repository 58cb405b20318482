/** Serves a built page: the files of a folder from a fixed list, so that no URL ever becomes a path on disk. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The file types of the page; other files in the folder are not served. */
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

interface WebFileOptions {
	/** Paths of the page's own router, which all show `index.html`, as does any other name without an extension. */
	readonly pages?: readonly string[];
	/** Replaced by tests. */
	readonly compress?: (content: Buffer) => Promise<Buffer>;
}

/** Registers the page and its files. Uses one route for all files, because one route per file takes long to register. */
export async function serveWebFiles(
	scope: FastifyInstance,
	folder: URL,
	{ pages = [], compress = promisify(gzip) }: WebFileOptions = {},
): Promise<void> {
	const types = new Map<string, string>();
	/** By name. A compression takes ten milliseconds, and anyone may request the files. */
	const compressed = new Map<string, { readonly hash: string; readonly content: Promise<Buffer> }>();

	async function compressOnce(name: string, hash: string, content: Buffer): Promise<Buffer> {
		const known = compressed.get(name);
		if (known?.hash === hash) return await known.content;
		const added = { hash, content: compress(content) };
		compressed.set(name, added);
		try {
			return await added.content;
		} catch (error) {
			if (compressed.get(name) === added) compressed.delete(name);
			throw error;
		}
	}

	for (const entry of await readdir(folder, { withFileTypes: true })) {
		const type = WEB_TYPES[extname(entry.name)];
		if (entry.isFile() && type) types.set(entry.name, type);
	}
	async function send(name: string, { headers }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
		const type = types.get(name);
		if (!type) return reply.callNotFound();
		const content = await readFile(new URL(encodeURIComponent(name), folder));
		const hash = createHash("sha256").update(content).digest("base64url");
		// Weak, because the compressed content has the same tag.
		reply.headers({ "cache-control": "no-cache", etag: `W/"${hash}"`, vary: "accept-encoding" });
		if (headers["if-none-match"]?.includes(hash)) return await reply.code(304).send();
		reply.header("content-type", type);
		const isCompressed = /^text\/|svg/.test(type) && /\bgzip\b/.test(String(headers["accept-encoding"]));
		if (!isCompressed) return await reply.send(content);
		return await reply.header("content-encoding", "gzip").send(await compressOnce(name, hash, content));
	}
	for (const page of ["/", ...pages]) scope.get(page, (request, reply) => send("index.html", request, reply));
	scope.get<{ Params: { name: string } }>("/:name", (request, reply) => {
		const { name } = request.params;
		return send(pages.length > 0 && extname(name) === "" ? "index.html" : name, request, reply);
	});
}
