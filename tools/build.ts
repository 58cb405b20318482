/**
 * Bundles src/index.ts with its libraries into `dist/index.js`, for the image and the systemd unit
 * (docs/decisions/0018-bundle-for-production.md). The other files of `dist` are loaded when they are needed.
 *
 *     npm run build
 */
import { rename, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown, type Plugin } from "rolldown";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(ROOT, "dist");
/** Replaces the bundle when it is complete. */
const NEW_DIST = join(ROOT, "dist.new");

/** Packages that read files beside them, such as a binary, a worker or a page; and `zlib-sync`, which is not installed. */
const UNBUNDLED =
	/^(@fastify\/swagger-ui|@napi-rs\/canvas|mediabunny|node-av|pino-pretty|piscina|sharp|zlib-sync)(\/|$)/;

/** Lets a module find the files beside its source, such as workers, pages and package.json, which are not copied. */
const keepModuleUrls: Plugin = {
	name: "keep-module-urls",
	transform(code, id) {
		if (id.includes("node_modules") || !code.includes("import.meta.url")) return undefined;
		const path = JSON.stringify(relative(DIST, id));
		return code.replaceAll("import.meta.url", `new URL(${path}, import.meta.url).href`);
	},
};

/** Messages stay in their files: V8 keeps the text of a bundle, but not that of a JSON file. */
const keepMessages: Plugin = {
	name: "keep-messages",
	resolveId(id, importer) {
		if (!/^\.\/locales\/.*\.json$/.test(id) || importer === undefined) return undefined;
		return { id: relative(DIST, join(importer, "..", id)), external: true };
	},
};

export async function build(): Promise<void> {
	const bundle = await rolldown({
		input: join(ROOT, "src/index.ts"),
		platform: "node",
		external: UNBUNDLED,
		plugins: [keepModuleUrls, keepMessages],
		// discord.js has an `eval` for its sharding manager, which is not used.
		checks: { eval: false },
	});
	await bundle.write({
		dir: NEW_DIST,
		// Logs contain names of classes.
		keepNames: true,
		// V8 stores a text of ASCII in half of the memory. Comments contain other characters.
		charset: "ascii",
		comments: false,
	});
	await rm(DIST, { recursive: true, force: true });
	await rename(NEW_DIST, DIST);
}

if (import.meta.main) await build();
