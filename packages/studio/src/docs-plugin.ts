import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";

/** Nothing from elsewhere, nothing inline, and the page calls its own service only. */
const CONTENT_SECURITY_POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

const FILES = [
	{ path: "/docs", file: "docs.html", contentType: "text/html; charset=utf-8" },
	{ path: "/docs/docs.js", file: "docs.js", contentType: "text/javascript; charset=utf-8" },
	{ path: "/docs/docs.css", file: "docs.css", contentType: "text/css; charset=utf-8" },
] as const;

/** The OpenAPI document, and a page to try it from. Neither asks for a key: the page asks its reader for one. */
export async function registerDocs(
	app: FastifyInstance,
	{ document }: { readonly document: () => object },
): Promise<void> {
	app.get("/openapi.json", (_request, reply) => reply.header("cache-control", "no-cache").send(document()));
	for (const { path, file, contentType } of FILES) {
		const text = await readFile(new URL(`./docs-page/${file}`, import.meta.url), "utf8");
		app.get(path, (_request, reply) =>
			reply
				.headers({
					"content-type": contentType,
					"content-security-policy": CONTENT_SECURITY_POLICY,
					"x-content-type-options": "nosniff",
					"referrer-policy": "no-referrer",
					"cache-control": "no-cache",
				})
				.send(text),
		);
	}
}
