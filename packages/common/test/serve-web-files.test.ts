import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { createHttpServer } from "../src/http-server.ts";
import { serveWebFiles } from "../src/serve-web-files.ts";
import { createTempFolder } from "../testing/temp-folder.ts";

/** The files of a small page. */
async function createPageFolder(): Promise<URL> {
	const folder = pathToFileURL(`${await createTempFolder()}/`);
	await writeFile(new URL("index.html", folder), "<title>A page</title>");
	await writeFile(new URL("page.js", folder), "console.log('a page');");
	return folder;
}

test("a file of a page is compressed for browsers that accept it, and not sent again while it is the same", async () => {
	const folder = await createPageFolder();
	const app = createHttpServer();
	await serveWebFiles(app, folder);
	const first = await app.inject({ url: "/page.js", headers: { "accept-encoding": "gzip, br" } });
	expect(first.headers).toMatchObject({ "content-encoding": "gzip", "cache-control": "no-cache" });
	expect(gunzipSync(first.rawPayload)).toStrictEqual(await readFile(new URL("page.js", folder)));
	const again = await app.inject({ url: "/page.js", headers: { "if-none-match": first.headers.etag ?? "" } });
	expect(again).toMatchObject({ statusCode: 304, payload: "" });
	expect((await app.inject({ url: "/page.js" })).headers["content-encoding"]).toBeUndefined();
});

test("a file is compressed once for all requests, and again after a failure", async () => {
	const app = createHttpServer();
	const compress = vi.fn<() => Promise<Buffer>>().mockResolvedValue(Buffer.from("compressed"));
	compress.mockRejectedValueOnce(new Error("no memory"));
	await serveWebFiles(app, await createPageFolder(), { compress });
	const request = async () => await app.inject({ url: "/page.js", headers: { "accept-encoding": "gzip" } });
	expect((await request()).statusCode).toBe(500);
	const answers = [...(await Promise.all([request(), request()])), await request()];
	expect(answers.map(({ payload }) => payload)).toStrictEqual(["compressed", "compressed", "compressed"]);
	expect(compress).toHaveBeenCalledTimes(2);
});

test("an unknown address shows the page if it has a router, but a missing file does not", async () => {
	const folder = await createPageFolder();
	const app = createHttpServer();
	await serveWebFiles(app, folder, { pages: ["/servers/*"] });
	const statusOf = async (url: string) => (await app.inject({ url })).statusCode;
	expect([await statusOf("/servers/1/jobs"), await statusOf("/nowhere"), await statusOf("/nothing.js")]).toStrictEqual([
		200, 200, 404,
	]);
	const plain = createHttpServer();
	await serveWebFiles(plain, folder);
	expect((await plain.inject({ url: "/nowhere" })).statusCode).toBe(404);
});
