/**
 * How long does the process take to become ready, and to deliver the first image to a user of the playground? The bundle, which
 * operators start, and the sources, which `npm start` starts, are compared with a process that only loads the main libraries. Atelier is
 * started without a configuration, so that it also runs the playground, the studio and the dashboard. A first start of each fills a
 * compile cache. On a busy machine, the processor time varies less than the duration.
 *
 * Run: node tools/node24.mjs bench/startup.ts [RUNS]
 */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { startProcess } from "./lib/child-process.ts";
import { build } from "../tools/build.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const LIBRARIES = ["discord.js", "fastify", "pino", "zod", "keyv", "ws", "@napi-rs/canvas", "node:sqlite"];
const READY_SECONDS_MAX = 2;
const FIRST_IMAGE_SECONDS_MAX = 4;
const LIBRARIES_RATIO_MAX = 2.5;
const runs = Number(process.argv[2] ?? 7);

interface Start {
	readonly readyMs: number;
	/** Processor time until ready. */
	readonly cpuMs: number;
}

interface AtelierStart extends Start {
	readonly residentMib: number;
	readonly imageMs: number;
}

async function timeLibraries(flags: readonly string[], cacheFolder: string): Promise<Start> {
	const script = `
		await Promise.all(${JSON.stringify(LIBRARIES)}.map((name) => import(name)));
		process.on("SIGTERM", () => process.exit());
		setInterval(() => {}, 1000);
		console.log("loaded");`;
	const startMs = performance.now();
	const libraries = await startProcess({
		name: "libraries",
		args: [...flags, "--input-type=module", "-e", script],
		env: { NODE_COMPILE_CACHE: cacheFolder },
		ready: "loaded",
	});
	const start = { readyMs: performance.now() - startMs, cpuMs: await libraries.cpuMs() };
	// Its exit writes the compile cache.
	await libraries.stop();
	return start;
}

async function timeAtelier(entry: string, flags: readonly string[], cacheFolder: string): Promise<AtelierStart> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const startMs = performance.now();
	const bot = await startProcess({
		name: "Atelier",
		args: [...flags, entry],
		env: {
			PORT: "0",
			DATA_DIR: folder,
			STORE_URL: `sqlite:${join(folder, "atelier.db")}`,
			NODE_COMPILE_CACHE: cacheFolder,
		},
		ready: "Atelier is ready",
	});
	try {
		const readyMs = performance.now() - startMs;
		const cpuMs = await bot.cpuMs();
		const residentMib = (await bot.residentBytes()) / 2 ** 20;
		const { url } = JSON.parse(bot.lines.at(-1) ?? "") as { readonly url: string };
		const user = await openUserClient(url);
		const reply = await user.type("/image", { prompt: "a lighthouse in a storm" });
		const attachments = filesOf(await reply.until(isFinalReply));
		if (attachments.length !== 1) throw new Error("no image was delivered");
		const imageMs = performance.now() - startMs;
		await user.close();
		return { readyMs, cpuMs, residentMib, imageMs };
	} finally {
		await bot.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

const seconds = (samplesMs: readonly number[]): string =>
	`${medianAndRange(
		samplesMs.map((ms) => ms / 1000),
		2,
	)} s`;

function rows(name: string, starts: readonly AtelierStart[], libraries: readonly Start[]): readonly string[] {
	const samplesOf = (key: keyof AtelierStart): readonly number[] => starts.map((start) => start[key]);
	const ratiosOf = (key: keyof Start): string => {
		const ratios = starts.map((start, run) => start[key] / (libraries[run]?.[key] ?? Number.NaN));
		return `${medianAndRange(ratios, 2)}   bound ${LIBRARIES_RATIO_MAX}`;
	};
	return [
		`${name}: start to ready     ${seconds(samplesOf("readyMs"))}   bound ${READY_SECONDS_MAX} s`,
		`  beside libraries alone    ${ratiosOf("readyMs")}`,
		`  the same, processor time  ${ratiosOf("cpuMs")}`,
		`  start to the first image  ${seconds(samplesOf("imageMs"))}   bound ${FIRST_IMAGE_SECONDS_MAX} s`,
		`  processor time to ready   ${seconds(samplesOf("cpuMs"))}`,
		`  resident memory at ready  ${medianAndRange(samplesOf("residentMib"))} MiB`,
	];
}

const flags = await npmStartFlags();
const cacheFolder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
await build();
const libraries: Start[] = [];
const bundle: AtelierStart[] = [];
const sources: AtelierStart[] = [];
// The first run of each fills the compile cache, and is not counted.
for (let run = 0; run <= runs; run++) {
	libraries.push(await timeLibraries(flags, cacheFolder));
	bundle.push(await timeAtelier("dist/index.js", flags, cacheFolder));
	sources.push(await timeAtelier("src/index.ts", flags, cacheFolder));
}
await rm(cacheFolder, { recursive: true, force: true });
const [, ...counted] = libraries;
process.stdout.write(
	[
		`${describeMachine()}, ${runs} runs in turn, medians`,
		`libraries alone             ${seconds(counted.map(({ readyMs }) => readyMs))}`,
		...rows("bundle", bundle.slice(1), counted),
		...rows("sources", sources.slice(1), counted),
		"",
	].join("\n"),
);
