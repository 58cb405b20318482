// Takes the steps of the Dockerfile, each stage in a folder of its own, and says what each adds.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { asStep, bytesIn, emptyImage, type Image } from "./confinement.ts";
import { parseDockerfile, readIgnore, type Step } from "./dockerfile.ts";

export const inMiB = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** The last stage of the Dockerfile in `context`, built in the folder `work`. */
export function buildImage(context: string, work: string): Image {
	const isGiven = readIgnore(readFileSync(join(context, ".dockerignore"), "utf8"));
	const rootOf = (stage: string): string => join(work, stage);
	let image: Image | undefined;
	for (const { name, base, steps } of parseDockerfile(readFileSync(join(context, "Dockerfile"), "utf8"))) {
		console.log(`\nFROM ${base}, as ${name}`);
		image = emptyImage(rootOf(name));
		for (const step of steps) {
			const before = bytesIn(image.root);
			image = take(step, image, { context, rootOf, isGiven });
			console.log(`  ${inMiB(bytesIn(image.root) - before).padStart(10)}  ${describe(step)}`);
		}
	}
	assert(image !== undefined, "the Dockerfile has no stage");
	return image;
}

interface Sources {
	readonly context: string;
	readonly rootOf: (stage: string) => string;
	readonly isGiven: (path: string) => boolean;
}

function take(step: Step, image: Image, sources: Sources): Image {
	switch (step.kind) {
		case "workdir": {
			const folder = resolve(image.folder, step.path);
			mkdirSync(join(image.root, folder), { recursive: true });
			return { ...image, folder };
		}
		case "env":
			return { ...image, env: { ...image.env, ...step.values } };
		case "copy":
			copy(step, image, sources);
			return image;
		case "run":
			run(step.command, image);
			return image;
		case "user":
			return { ...image, uid: step.uid, gid: step.gid };
		case "volume":
			return { ...image, volume: step.path };
		case "healthcheck":
			return { ...image, healthcheck: step.command };
		case "cmd":
			return { ...image, cmd: step.command };
		case "expose":
			return image;
		default:
			return step satisfies never;
	}
}

function copy({ from, sources, target }: Extract<Step, { kind: "copy" }>, image: Image, given: Sources): void {
	const { context, rootOf, isGiven } = given;
	const to = join(image.root, resolve(image.folder, target));
	const isFolder = target.endsWith("/") || sources.length > 1;
	const isPart = (path: string): boolean =>
		from !== undefined || lstatSync(path).isDirectory() || isGiven(relative(context, path));
	for (const source of sources) {
		const path = join(from === undefined ? context : rootOf(from), source);
		assert(isPart(path), `.dockerignore keeps ${source} out`);
		cpSync(path, isFolder ? join(to, basename(path)) : to, {
			recursive: true,
			filter: isPart,
			verbatimSymlinks: true,
		});
	}
}

/** With the network of this machine, and its home, so that npm need not fetch again what it has fetched for somebody else. */
function run(command: string, image: Image): void {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|NODE_(OPTIONS|COMPILE_CACHE)$)/.test(name)),
	);
	const words = [...asStep(image, env["HOME"]), "npm_config_prefer_offline=true", "sh", "-c", command];
	execFileSync("env", words, { stdio: ["ignore", "ignore", "inherit"], env });
}

function describe({ kind, ...rest }: Step): string {
	const words = Object.values(rest).flatMap((each) => (typeof each === "object" ? Object.values(each) : [each]));
	return `${kind.toUpperCase()} ${words.join(" ")}`.slice(0, 100);
}
