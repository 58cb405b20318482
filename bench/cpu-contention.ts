/**
 * Are commands answered in time while every core transcodes? The real bot and its playground in one process, a user who types
 * `/credits show` repeatedly, and one concurrent transcode per core, in worker processes like those of the bot. For
 * comparison, the same user in the same run without transcodes.
 *
 * Run: node tools/node24.mjs bench/cpu-contention.ts [COMMANDS]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { createTranscodeWorkerPool } from "../src/services/delivery/transcode/worker-pool.ts";
import { createTranscoder } from "../src/services/delivery/transcode/transcoder.ts";
import { createTempDir } from "../src/services/delivery/temp-dir.ts";
import { makeMedia } from "@atelier/common/testing/make-media";
import { startFlags } from "./lib/start-flags.ts";
import { readOrigin } from "./lib/read-origin.ts";
import { describeMachine, quantile } from "./lib/statistics.ts";

const RESPONSE_MS_MAX = 1000;
const MIB = 1024 * 1024;
const commands = Number(process.argv[2] ?? 200);
const slots = availableParallelism();
/** The measurement lasts at least until this many videos have ended, about two per core, so that it includes every pass. */
const VIDEOS_MIN = 2 * slots;

/** Measures at least `commands` responses, and continues until `isEnough`. */
async function measureResponseTimes(user: UserClient, isEnough = (): boolean => true): Promise<number[]> {
	const timesMs: number[] = [];
	while (timesMs.length < commands || !isEnough()) {
		const startMs = performance.now();
		await (await user.type("/credits show")).until(isFinalReply);
		timesMs.push(performance.now() - startMs);
	}
	return timesMs;
}

/** Transcodes videos in every slot, one after the other, until the signal; calls `onTranscoded` for each. */
async function transcode(folder: string, onTranscoded: () => void, signal: AbortSignal): Promise<void> {
	const path = join(folder, "video.mp4");
	const source = "testsrc2=s=1280x720:r=30:d=6";
	const options = { qp: "12", preset: "ultrafast" };
	makeMedia(path, {
		format: "mp4",
		video: { source, filter: "noise=alls=8:allf=t,format=yuv420p", encoder: "libx264", options },
	});
	const { size: sizeBytes } = await stat(path);
	const workerPool = createTranscodeWorkerPool({ workersMax: slots });
	const tempDir = createTempDir({ parentDir: join(folder, "scratch"), clock: systemClock });
	const transcoder = createTranscoder({ workerPool: workerPool, tempDir: tempDir, threads: slots });
	const transcodeInLoop = async (): Promise<void> => {
		while (!signal.aborted) {
			await using _ = await transcoder.transcode(
				{ path, sizeBytes, bytesMax: 2 * MIB },
				pino({ level: "silent" }),
				signal,
			);
			onTranscoded();
		}
	};
	await Promise.allSettled(Array.from({ length: slots }, transcodeInLoop));
	await workerPool.close();
}

function summary(name: string, timesMs: readonly number[]): string {
	const at = (share: number): string => quantile(timesMs, share).toFixed(0);
	return `${name.padEnd(28)} p50 ${at(0.5).padStart(4)} ms   p99 ${at(0.99).padStart(4)} ms   worst ${at(1).padStart(4)} ms\n`;
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-busy-"));
const env = { PORT: "0", DATA_DIR: folder, STORE_URL: `sqlite:${join(folder, "atelier.db")}` };
const bot = spawn(process.execPath, [...(await startFlags()), "src/index.ts"], {
	env,
	stdio: ["ignore", "pipe", "inherit"],
});
try {
	const user = await openUserClient(await readOrigin(bot.stdout));
	bot.stdout.resume();
	await measureResponseTimes(user);
	process.stdout.write(`${describeMachine()}, ${commands} commands, load average before ${loadavg()[0]?.toFixed(1)}\n`);
	process.stdout.write(summary("nothing else", await measureResponseTimes(user)));
	const stopTranscoding = new AbortController();
	let transcoded = 0;
	const transcoding = transcode(folder, () => void (transcoded += 1), stopTranscoding.signal);
	const timesMs = await measureResponseTimes(user, () => transcoded >= VIDEOS_MIN);
	stopTranscoding.abort();
	await transcoding;
	process.stdout.write(summary(`${slots} concurrent videos`, timesMs));
	process.stdout.write(`videos transcoded meanwhile: ${transcoded}; bound: p99 ${RESPONSE_MS_MAX} ms\n`);
	await user.close();
	process.exitCode = quantile(timesMs, 0.99) < RESPONSE_MS_MAX ? 0 : 1;
} finally {
	bot.kill("SIGKILL");
	await once(bot, "exit");
	await rm(folder, { recursive: true, force: true });
}
process.exit();
