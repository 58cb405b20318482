/**
 * How long does the process take to become ready, and to deliver the first image to a user of the playground? Compared with a
 * process that only loads the main libraries. Atelier is started with the flags of `npm start` and without a configuration, so that
 * it also runs the playground, the studio and the dashboard. Both processes use a compile cache. The first start of each fills it and
 * is printed apart. On a busy machine, the processor time varies less than the duration.
 *
 * Run: node tools/node24.mjs bench/startup.ts [RUNS]
 */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { startProcess } from "./lib/child-process.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const LIBRARIES = ["discord.js", "fastify", "pino", "zod", "keyv", "ws", "@napi-rs/canvas", "node:sqlite"];
const READY_SECONDS_MAX = 2;
const FIRST_IMAGE_SECONDS_MAX = 4;
const RATIO_MAX = 2.5;
const runs = Number(process.argv[2] ?? 7);

interface Start {
	readonly readyMs: number;
	/** Processor time until ready. */
	readonly cpuMs: number;
}

async function timeLibraries(flags: readonly string[], cacheFolder: string): Promise<Start> {
	const script = `
		await Promise.all(${JSON.stringify(LIBRARIES)}.map((name) => import(name)));
		const { user, system } = process.cpuUsage();
		console.log((user + system) / 1000);`;
	const startMs = performance.now();
	const child = spawn(process.execPath, [...flags, "--input-type=module", "-e", script], {
		env: { NODE_COMPILE_CACHE: cacheFolder },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const cpuMs = Number(await text(child.stdout));
	return { readyMs: performance.now() - startMs, cpuMs };
}

interface AtelierStart extends Start {
	readonly residentMib: number;
	readonly imageMs: number;
}

async function timeAtelier(flags: readonly string[], cacheFolder: string): Promise<AtelierStart> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const startMs = performance.now();
	const bot = await startProcess({
		name: "Atelier",
		args: [...flags, "src/index.ts"],
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
const flags = await npmStartFlags();
const cacheFolder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const libraries: Start[] = [];
const atelier: AtelierStart[] = [];
for (let run = 0; run <= runs; run++) {
	libraries.push(await timeLibraries(flags, cacheFolder));
	atelier.push(await timeAtelier(flags, cacheFolder));
}
await rm(cacheFolder, { recursive: true, force: true });
const [firstLibraries, ...laterLibraries] = libraries;
const [firstAtelier, ...laterAtelier] = atelier;
const ratios = (key: keyof Start): string =>
	medianAndRange(
		laterAtelier.map((start, run) => start[key] / (laterLibraries[run]?.[key] ?? Number.NaN)),
		2,
	);
process.stdout.write(
	[
		`${describeMachine()}, ${runs} runs in turn`,
		`loading the libraries alone        median ${seconds(laterLibraries.map(({ readyMs }) => readyMs))}`,
		`start to ready                     median ${seconds(laterAtelier.map(({ readyMs }) => readyMs))}   bound ${READY_SECONDS_MAX} s`,
		`start to the first image           median ${seconds(laterAtelier.map(({ imageMs }) => imageMs))}   bound ${FIRST_IMAGE_SECONDS_MAX} s`,
		`ready / libraries                  median ${ratios("readyMs")}   bound ${RATIO_MAX}`,
		`processor time, libraries          median ${seconds(laterLibraries.map(({ cpuMs }) => cpuMs))}`,
		`processor time, ready              median ${seconds(laterAtelier.map(({ cpuMs }) => cpuMs))}`,
		`processor time, ready / libraries  median ${ratios("cpuMs")}   bound ${RATIO_MAX}`,
		`resident memory at ready           median ${medianAndRange(laterAtelier.map(({ residentMib }) => residentMib))} MiB`,
		`first start, libraries and ready   ${seconds([firstLibraries?.readyMs ?? Number.NaN])}, ${seconds([firstAtelier?.readyMs ?? Number.NaN])}`,
		"",
	].join("\n"),
);
