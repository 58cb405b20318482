/**
 * How long does the process take to become ready, and to deliver the first image to a user of the playground? Atelier is started with
 * the flags of `npm start` and without a configuration, so that it also runs the playground, the studio and the dashboard. The first
 * start fills a compile cache and is printed apart. On a busy machine, the processor time varies less than the duration.
 *
 * Run: node tools/node24.mjs bench/startup.ts [RUNS]
 */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { startProcess } from "./lib/child-process.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const READY_SECONDS_MAX = 2;
const FIRST_IMAGE_SECONDS_MAX = 4;
const runs = Number(process.argv[2] ?? 7);

interface Start {
	readonly readyMs: number;
	/** Processor time until ready. */
	readonly cpuMs: number;
	readonly residentMib: number;
	readonly imageMs: number;
}

async function timeAtelier(flags: readonly string[], cacheFolder: string): Promise<Start> {
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

const seconds = (samplesMs: readonly number[]): string => {
	const samples = samplesMs.map((ms) => ms / 1000);
	return `${medianAndRange(samples, 2)} s`;
};
const flags = await npmStartFlags();
const cacheFolder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const first = await timeAtelier(flags, cacheFolder);
const starts: Start[] = [];
for (let run = 0; run < runs; run++) starts.push(await timeAtelier(flags, cacheFolder));
await rm(cacheFolder, { recursive: true, force: true });
const samplesOf = (key: keyof Start): readonly number[] => starts.map((start) => start[key]);
process.stdout.write(
	[
		`${describeMachine()}, ${runs} runs`,
		`start to ready            median ${seconds(samplesOf("readyMs"))}   bound ${READY_SECONDS_MAX} s`,
		`start to the first image  median ${seconds(samplesOf("imageMs"))}   bound ${FIRST_IMAGE_SECONDS_MAX} s`,
		`processor time to ready   median ${seconds(samplesOf("cpuMs"))}`,
		`resident memory at ready  median ${medianAndRange(samplesOf("residentMib"))} MiB`,
		`first start to ready      ${(first.readyMs / 1000).toFixed(2)} s`,
		"",
	].join("\n"),
);
