/**
 * How long does a newcomer wait for the first image: `git clone`, `npm ci` with a warm package cache, `npm start`, and the first
 * `/image` on the page? The bench clones this repository as committed into an empty folder, and prints each part. The part of
 * Atelier begins with `npm start`. The first run warms the cache and does not count.
 *
 * Run: node tools/node24.mjs bench/install.ts [RUNS]
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { openUserClient } from "@atelier/playground/user-client";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const RUNS = 3;
const TOTAL_SECONDS_MAX = 40;
const OWN_SECONDS_MAX = 3;
const PARTS = ["git clone", "npm ci", "npm start to ready", "ready to the first image"] as const;
const run = promisify(execFile);

/** Reads the log of a starting bot. Resolves to its origin when it is ready. */
async function untilBotReady(output: NodeJS.ReadableStream): Promise<string> {
	for await (const line of createInterface({ input: output })) {
		const { msg, url } = JSON.parse(line) as { readonly msg: string; readonly url?: string };
		if (url !== undefined && msg.startsWith("Atelier is ready")) return url;
	}
	throw new Error("the bot ended before it was ready");
}

/** Resolves to the seconds of each part. */
async function measure(): Promise<readonly number[]> {
	const parent = await mkdtemp(join(tmpdir(), "atelier-install-"));
	const cwd = join(parent, "atelier");
	// Not the variables of the npm script that may have started this bench.
	const childEnv = { PATH: env["PATH"], HOME: env["HOME"], PORT: "0", DATA_DIR: join(parent, "data") };
	const atMs = [performance.now()];
	try {
		await run("git", ["clone", "--quiet", "--no-hardlinks", process.cwd(), cwd]);
		atMs.push(performance.now());
		await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd, env: childEnv });
		atMs.push(performance.now());
		const bot = spawn("npm", ["start", "--silent"], { cwd, env: childEnv, stdio: ["ignore", "pipe", "inherit"] });
		try {
			const origin = await untilBotReady(bot.stdout);
			atMs.push(performance.now());
			const user = await openUserClient(origin);
			const reply = await user.type("/image", { prompt: "a lighthouse in a storm" });
			if (filesOf(await reply.until(isFinalReply)).length !== 1) throw new Error("no image was delivered");
			atMs.push(performance.now());
			await user.close();
		} finally {
			bot.kill("SIGTERM");
			if (bot.exitCode === null && bot.signalCode === null) await once(bot, "exit");
		}
	} finally {
		await rm(parent, { recursive: true, force: true, maxRetries: 5 });
	}
	return PARTS.map((_, part) => ((atMs[part + 1] ?? Number.NaN) - (atMs[part] ?? Number.NaN)) / 1000);
}

const runs = Number(process.argv[2] ?? RUNS);
await measure();
const seconds: (readonly number[])[] = [];
for (let n = 0; n < runs; n++) seconds.push(await measure());
const totals = seconds.map((parts) => parts.reduce((sum, part) => sum + part, 0));
const own = seconds.map(([, , ready = Number.NaN, image = Number.NaN]) => ready + image);
process.stdout.write(
	[
		`${describeMachine()}, ${runs} runs`,
		...PARTS.map(
			(name, part) =>
				`${name.padEnd(28)}${medianAndRange(
					seconds.map((each) => each[part] ?? 0),
					2,
				)} s`,
		),
		`${"all".padEnd(28)}${medianAndRange(totals, 2)} s   bound ${TOTAL_SECONDS_MAX} s`,
		`${"from npm start".padEnd(28)}${medianAndRange(own, 2)} s   bound ${OWN_SECONDS_MAX} s`,
		"",
	].join("\n"),
);
