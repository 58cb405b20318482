/**
 * Does a video that is too large for Discord arrive if the machine has 512 MiB or 1 GiB, and how much memory does that take? The
 * bot runs as `npm start` starts it, with its worker processes, in a cgroup with that limit; the playground, the media
 * service and the user run outside of it. Each video is transcoded to 10 MiB. Prints for each video and limit: the peak
 * resident memory of the bot and of each worker (VmHWM), the seconds from the command to its result, the number of processes
 * that the kernel killed, and what the member received.
 *
 * Creates a cgroup below its own, which needs root on Linux. Both versions of cgroups work.
 *
 * Run: node tools/node24.mjs bench/transcode-memory.ts [MIB ...]   (default: 512 1024; 0 is no limit)
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startPlayground, type StartedPlayground } from "@atelier/playground";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import type { encodeMedia } from "@atelier/common/testing/encode-media";
import { startMediaService } from "./lib/media-service.ts";
import { createMemoryCgroup, type MemoryCgroup } from "./lib/memory-cgroup.ts";
import { watchPeakMemory } from "./lib/process-memory.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { describeMachine } from "./lib/statistics.ts";

const MIB = 1024 * 1024;
const LIMIT_BYTES = 10 * MIB;
const RESULT_TIMEOUT_MS = 20 * 60_000;
const GRAIN = "noise=alls=6:allf=t";
const HDR = "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc";
/** As many reference frames as common encoders use: they decide how many frames a decoder keeps. */
const H264 = { qp: "18", preset: "ultrafast", refs: "4", bf: "3" };

type Recipe = Parameters<typeof encodeMedia>[1];

const VIDEOS: Readonly<Record<string, Recipe>> = {
	"4K H.264, 2 s": h264("testsrc2=s=3840x2160:r=30:d=2"),
	"4K HEVC 10 bit HDR, 2 s": {
		format: "mp4",
		video: {
			source: "testsrc2=s=3840x2160:r=30:d=2",
			filter: `${GRAIN},format=yuv420p10le,${HDR}`,
			encoder: "libx265",
			options: { preset: "ultrafast", crf: "10", "x265-params": "ref=4:bframes=4:log-level=error" },
		},
	},
	"1080p 60 fps H.264, 4 s": h264("testsrc2=s=1920x1080:r=60:d=4"),
};

function h264(source: string): Recipe {
	return { format: "mp4", video: { source, filter: `${GRAIN},format=yuv420p`, encoder: "libx264", options: H264 } };
}

/** Encodes in a process of its own, whose memory its end returns to the machine. */
async function makeFile(path: string, recipe: Recipe): Promise<void> {
	const script = fileURLToPath(import.meta.resolve("@atelier/common/testing/encode-media"));
	const [code] = (await once(
		spawn(process.execPath, [script, path, JSON.stringify(recipe)], { stdio: "inherit" }),
		"exit",
	)) as [number];
	if (code !== 0) throw new Error(`cannot create ${path}`);
}

async function startBot(cgroup: MemoryCgroup | undefined, env: Readonly<Record<string, string>>) {
	const program = [process.execPath, ...(await npmStartFlags()), "src/index.ts"].map((part) => `'${part}'`).join(" ");
	const command = `${cgroup ? `${cgroup.joinCommand} && ` : ""}exec ${program}`;
	const bot = spawn("sh", ["-c", command], { env, stdio: ["ignore", "pipe", "inherit"] });
	const ended = once(bot, "exit").then(() => Promise.reject(new Error("the bot ended")));
	const ready = Promise.withResolvers<void>();
	createInterface({ input: bot.stdout }).on("line", (line) => {
		if (line.includes("Atelier is ready")) ready.resolve();
	});
	await Promise.race([ready.promise, ended]);
	// The end of the bot is an error only before it is ready.
	ended.catch(() => {});
	return bot;
}

async function stopBot(bot: ChildProcess): Promise<void> {
	if (bot.exitCode !== null || bot.signalCode !== null) return;
	const exited = once(bot, "exit");
	bot.kill("SIGTERM");
	await exited;
}

/** Types the command, and resolves to what the member received. */
async function requestVideo(playground: StartedPlayground): Promise<string> {
	const user = await playground.openUser();
	const message = await (await user.type("/video", { prompt: "a boat" })).until(isFinalReply, RESULT_TIMEOUT_MS);
	const files = filesOf(message).map(
		({ content_type: type, width, height }) => `${type} ${width ?? "?"} x ${height ?? "?"}`,
	);
	return files.length > 0 ? files.join(", ") : textOf(message).replaceAll("\n", " ");
}

async function measure(name: string, path: string, limitMib: number): Promise<void> {
	await using disposables = new AsyncDisposableStack();
	const playground = disposables.use(await startPlayground());
	await playground.admin.setFiles({ bytesMax: LIMIT_BYTES });
	const video = { model: "video", mediaType: "video", bytes: await readFile(path) } as const;
	const service = await startMediaService([video], { endsAtOnce: true });
	disposables.defer(() => service.close());
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-memory-"));
	disposables.defer(() => rm(folder, { recursive: true, force: true }));
	const cgroup =
		limitMib > 0
			? disposables.use(await createMemoryCgroup(`atelier-bench-${process.pid}`, limitMib * MIB))
			: undefined;
	const bot = await startBot(cgroup, {
		DISCORD_TOKEN: playground.botToken,
		DISCORD_API_URL: playground.apiUrl,
		MEDIA_API_URL: service.origin,
		MEDIA_API_KEY: "bench-key-0123456789",
		DATA_DIR: folder,
		PORT: "0",
		NODE_COMPILE_CACHE: join(folder, "compiled"),
	});
	disposables.defer(() => stopBot(bot));
	const stopWatching = watchPeakMemory(bot.pid ?? 0);
	const startMs = performance.now();
	const received = await requestVideo(playground);
	const seconds = (performance.now() - startMs) / 1000;
	const { ownBytes, childrenBytes } = stopWatching();
	const kills = cgroup ? await cgroup.oomKills() : 0;
	const mib = (bytes: number): string => (bytes / MIB).toFixed(0);
	process.stdout.write(
		`${name.padEnd(24)} ${limitMib > 0 ? `${limitMib} MiB` : "no limit"}: bot ${mib(ownBytes)}, workers ${childrenBytes.map(mib).join(" + ")} MiB; ${seconds.toFixed(0)} s; killed ${kills}; ${received}\n`,
	);
}

const limits = process.argv.slice(2).map(Number);
const limitsMib = limits.length > 0 ? limits : [512, 1024];
process.stdout.write(`${describeMachine()}; each video to ${LIMIT_BYTES / MIB} MiB\n`);
const folder = await mkdtemp(join(tmpdir(), "atelier-bench-memory-"));
try {
	for (const [name, recipe] of Object.entries(VIDEOS)) {
		const path = join(folder, "video.mp4");
		await makeFile(path, recipe);
		process.stdout.write(`${name}: ${((await stat(path)).size / MIB).toFixed(0)} MiB\n`);
		for (const limitMib of limitsMib) await measure(name, path, limitMib);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}
process.exit(0);
