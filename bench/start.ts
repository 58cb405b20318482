/**
 * How long does the process take to become ready, and to show the first image on the page? Compared with a process that only
 * loads the same libraries. Run: node tools/node24.mjs bench/start.ts [RUNS]
 */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { readOrigin } from "./lib/read-origin.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const LIBRARIES = ["discord.js", "fastify", "pino", "zod", "keyv", "ws", "@napi-rs/canvas", "node:sqlite"];
const runs = Number(process.argv[2] ?? 7);

async function timeLibraries(): Promise<number> {
	const startMs = performance.now();
	const script = `await Promise.all(${JSON.stringify(LIBRARIES)}.map((name) => import(name)))`;
	await once(spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "inherit" }), "exit");
	return performance.now() - startMs;
}

async function timeAtelier(): Promise<{ readonly readyMs: number; readonly imageMs: number }> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const env = { PORT: "0", DATA_DIR: folder, STORE_URL: `sqlite:${join(folder, "atelier.db")}` };
	const startMs = performance.now();
	const child = spawn(process.execPath, ["src/index.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
	try {
		const origin = await readOrigin(child.stdout);
		const readyMs = performance.now() - startMs;
		const user = await openUserClient(origin);
		const reply = await user.type("/image", { prompt: "a lighthouse in a storm" });
		const attachments = filesOf(await reply.until(isFinalReply));
		if (attachments.length !== 1) throw new Error("no image was delivered");
		const imageMs = performance.now() - startMs;
		await user.close();
		return { readyMs, imageMs };
	} finally {
		child.kill("SIGKILL");
		await once(child, "exit");
		await rm(folder, { recursive: true, force: true });
	}
}

function summary(name: string, samplesMs: readonly number[], bound = ""): string {
	const seconds = samplesMs.map((ms) => ms / 1000);
	return `${name.padEnd(34)} median ${medianAndRange(seconds, 2)} s${bound}`;
}

const libraries: number[] = [];
const ready: number[] = [];
const image: number[] = [];
for (let run = 0; run < runs; run++) {
	libraries.push(await timeLibraries());
	const { readyMs, imageMs } = await timeAtelier();
	ready.push(readyMs);
	image.push(imageMs);
}
const ratios = ready.map((ms, run) => ms / (libraries[run] ?? ms));
process.stdout.write(
	[
		`${describeMachine()}, ${runs} runs in turn`,
		summary("loading the libraries alone", libraries),
		summary("start to ready", ready, "   bound 2 s"),
		summary("start to the first image", image, "   bound 4 s"),
		`ready / libraries                  median ${medianAndRange(ratios, 2)}`,
		"",
	].join("\n"),
);
