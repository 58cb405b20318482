/**
 * Writes packages/playground as a package that can be published: JavaScript with declarations, because Node strips no
 * types below node_modules, and @atelier/common inside it as a bundled dependency. Then `npm publish FOLDER`.
 *
 *     node tools/node24.mjs tools/pack-playground.ts FOLDER
 *
 * The variable REPOSITORY, such as https://example.com/owner/name, becomes the repository of the package. Its version is
 * that of Atelier.
 */
import { spawnSync } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PLAYGROUND = join(ROOT, "packages/playground");
const COMMON = join(ROOT, "packages/common");
/** Exports for tests inside of this repository. */
const UNPUBLISHED_EXPORTS = /^\.\/(testing|schema|simulator|rest)\//;

interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly description: string;
	readonly license: string;
	readonly type: string;
	readonly exports: Readonly<Record<string, string>>;
	readonly dependencies: Readonly<Record<string, string>>;
}

async function packPlayground(folder: string, repository: string | undefined): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	const compiled = join(folder, "compiled");
	compile(compiled);
	const bundled = join(folder, "node_modules/@atelier/common");
	await mkdir(bundled, { recursive: true });
	await cp(join(compiled, "common/src"), join(bundled, "src"), { recursive: true });
	await cp(join(compiled, "playground/src"), join(folder, "src"), { recursive: true });
	await rm(compiled, { recursive: true });
	for (const path of ["examples", "test/libraries/plain-http-agent.ts", "web/dist", "src/oauth2/consent.css"])
		await cp(join(PLAYGROUND, path), join(folder, path), { recursive: true });
	await cp(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
	await copyWithLinks(join(PLAYGROUND, "README.md"), join(folder, "README.md"), ["../../docs/", "docs/"]);
	await mkdir(join(folder, "docs"));
	const docs = "docs/playground.md";
	await copyWithLinks(join(ROOT, docs), join(folder, docs), ["../packages/playground/", "../"]);

	const playground = await readManifest(PLAYGROUND);
	const common = await readManifest(COMMON);
	const { version } = await readManifest(ROOT);
	await writeManifest(bundled, {
		...published(common),
		exports: compiledExports(common.exports, ({ path }) => path.startsWith("./src/")),
	});
	await writeManifest(folder, {
		...published(playground),
		version,
		...(repository && { repository: { type: "git", url: `git+${repository}.git`, directory: "packages/playground" } }),
		// The syntax `await using` is not compiled away.
		engines: { node: ">=24" },
		bin: { "atelier-playground": "src/cli.js" },
		exports: compiledExports(playground.exports, ({ name }) => !UNPUBLISHED_EXPORTS.test(name)),
		dependencies: { ...common.dependencies, ...playground.dependencies },
		bundleDependencies: [common.name],
		publishConfig: { access: "public" },
	});
}

/** Copies a page, and replaces the beginning of its links to other files of the package. */
async function copyWithLinks(from: string, to: string, [before, after]: readonly [string, string]): Promise<void> {
	const text = await readFile(from, "utf8");
	await writeFile(to, text.replaceAll(`](${before}`, `](${after}`));
}

function compile(outDir: string): void {
	const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
	const project = join(PLAYGROUND, "tsconfig.package.json");
	const { status } = spawnSync(process.execPath, [tsc, "--project", project, "--outDir", outDir], { stdio: "inherit" });
	if (status !== 0) throw new Error("the playground does not compile");
}

async function readManifest(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
}

async function writeManifest(folder: string, manifest: object): Promise<void> {
	await writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
}

/** The fields of both packages; without `private` and devDependencies. */
function published({ name, version, description, license, type }: Manifest): object {
	return { name, version, description, license, type };
}

function compiledExports(
	exports: Manifest["exports"],
	isPublished: (entry: { readonly name: string; readonly path: string }) => boolean,
): object {
	const entries = Object.entries(exports).filter(([name, path]) => isPublished({ name, path }));
	return Object.fromEntries(
		entries.map(([name, path]) => [
			name,
			{ types: path.replace(/\.ts$/, ".d.ts"), default: path.replace(/\.ts$/, ".js") },
		]),
	);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: node tools/node24.mjs tools/pack-playground.ts FOLDER");
await packPlayground(resolve(folder), process.env["REPOSITORY"]);
