/**
 * What happens when 1,000 videos of 1 MB end within a minute on one process? One server has 200 of them, which end at once at the
 * beginning; 80 servers have 10 each, which end evenly over the minute. The line (100 Mbit/s both ways, round trip 40 ms) needs 80
 * seconds for them, so that deliveries queue. The bot runs in a process of its own and gets callbacks.
 *
 * All must be delivered. The bench prints the memory of the bot above idle as a share of the upload budget; the most requests in
 * the windows of Discord's limits, each of which would be a 429 beyond the limit; and the time from the end of a video until its
 * member sees it. The order is fair if the members of small servers do not wait for the videos of the large one.
 *
 * Run: node tools/node24.mjs bench/burst.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { Reply } from "@atelier/playground/user-client";
import { createSketchEngine } from "@atelier/studio/engines/sketch-engine";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { UPLOAD_BYTES_MAX } from "../src/app/create-delivery.ts";
import { openLine, withAtelier } from "./lib/slow-line.ts";
import { describeMachine, median, quantile } from "./lib/statistics.ts";

const LINE = { downMbit: 100, upMbit: 100, rttMs: 40 } as const;
const VIDEO_BYTES = 1_000_000;
const LARGE_SERVER_VIDEOS = 200;
const SMALL_SERVERS = 80;
const SMALL_SERVER_VIDEOS = 10;
const MINUTE_MS = 60_000;
/** Videos that are typed at a time. */
const TYPED_AT_ONCE = 10;
const DELIVERY_TIMEOUT_MS = 10 * MINUTE_MS;
const MEMORY_RATIO_MAX = 1.5;
const SAMPLE_EVERY_MS = 20;
/** Discord's limits: requests of the bot in a second, and edits of one reply in two seconds. */
const BOT_LIMIT = { requestsMax: 50, windowMs: 1_000 };
const REPLY_LIMIT = { requestsMax: 5, windowMs: 2_000 };
const MIB = 1024 * 1024;
const MODEL = "clip";

/** A video with its index at the front, and a box that no player reads up to the size. */
async function createVideo(): Promise<Buffer> {
	const engine = createSketchEngine();
	const [video] = await engine.run(
		{
			taskId: "1",
			attempt: 1,
			checkpoint: { read: async () => undefined, write: async () => {} },
			model: "sketch-motion",
			scene: "text-to-video",
			prompt: "a lighthouse",
			options: { duration: 2 },
			inputs: [],
		},
		new AbortController().signal,
		() => {},
	);
	await engine.close();
	if (!video) throw new Error("no video");
	const padding = Buffer.alloc(VIDEO_BYTES - video.bytes.byteLength);
	padding.writeUInt32BE(padding.byteLength);
	padding.write("free", 4, "latin1");
	return Buffer.concat([video.bytes, padding]);
}

/** Records the times of requests, by what Discord counts together. */
function createRequestTimes() {
	const times = new Map<string, number[]>();
	return {
		watch: (app: FastifyInstance): void => {
			app.addHook("onRequest", (request, _reply, done) => {
				const token = /^\/api\/v10\/(?:webhooks|interactions)\/\d+\/([^/]+)/.exec(request.url)?.[1];
				const key = token ?? (request.headers.authorization?.startsWith("Bot ") ? "bot" : undefined);
				if (key !== undefined) times.set(key, [...(times.get(key) ?? []), Date.now()]);
				done();
			});
		},
		/** Returns the most requests in one window, of the bot or of any reply. */
		most(isBot: boolean, windowMs: number): number {
			const lists = [...times].filter(([key]) => (key === "bot") === isBot).map(([, list]) => list);
			return Math.max(0, ...lists.flatMap((list) => list.map((startMs) => countWithin(list, startMs, windowMs))));
		},
	};
}

function countWithin(times: readonly number[], startMs: number, windowMs: number): number {
	return times.filter((atMs) => atMs >= startMs && atMs < startMs + windowMs).length;
}

interface Video {
	readonly prompt: string;
	readonly channelId: string;
	readonly isOfLarge: boolean;
	/** After the first end. */
	readonly endsAtMs: number;
	reply?: Reply;
}

function planVideos([large = "", ...small]: readonly string[]): readonly Video[] {
	const ofLarge = Array.from({ length: LARGE_SERVER_VIDEOS }, (_, n) => ({
		prompt: `large ${n}`,
		channelId: large,
		isOfLarge: true,
		endsAtMs: 0,
	}));
	const ofSmall = Array.from({ length: SMALL_SERVER_VIDEOS }, (_round, n) =>
		small.map((channelId, server) => ({
			prompt: `small ${server} ${n}`,
			channelId,
			isOfLarge: false,
			endsAtMs: (MINUTE_MS * (n * SMALL_SERVERS + server)) / (SMALL_SERVERS * SMALL_SERVER_VIDEOS),
		})),
	).flat();
	return [...ofLarge, ...ofSmall];
}

async function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "utf8");
	return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

const requestTimes = createRequestTimes();
const files = [{ model: MODEL, mediaType: "video" as const, bytes: await createVideo() }];
await using line = await openLine(LINE, { files, configure: requestTimes.watch });
const { user, service, playgroundOrigin } = line;
const admin = openAdminClient(playgroundOrigin);
await admin.setGuildCount(1 + SMALL_SERVERS);
const { guilds } = await admin.guilds(0, 1 + SMALL_SERVERS);
const videos = planVideos(guilds.map(({ channelIds }) => channelIds[0] ?? ""));
const env = {
	PORT: String(await line.openCallbacks()),
	PUBLIC_URL: "https://atelier.example",
	MEDIA_API_PROFILE: "studio",
};
await withAtelier(line, env, async (bot) => {
	print(`${describeMachine()}; line of ${LINE.downMbit}/${LINE.upMbit} Mbit/s, round trip ${LINE.rttMs} ms`);
	const waiting = [...videos];
	const typeAll = async (): Promise<void> => {
		for (let video = waiting.shift(); video; video = waiting.shift()) {
			const { prompt, channelId } = video;
			video.reply = await user.type("/video", { prompt, model: MODEL }, { channel: channelId });
			while (!service.hasTask(prompt)) {
				await sleep(SAMPLE_EVERY_MS);
				const denied = video.reply.message();
				if (denied && isFinalReply(denied)) throw new Error(`not submitted: ${textOf(denied)}`);
			}
		}
	};
	await Promise.all(Array.from({ length: TYPED_AT_ONCE }, typeAll));
	await sleep(5_000);
	const idleBytes = await memoryOf(bot.pid(), "VmRSS");
	// Resets the recorded peak.
	await writeFile(`/proc/${bot.pid()}/clear_refs`, "5");
	const startMs = Date.now();
	const waitsMs = await Promise.all(
		videos.map(async ({ prompt, endsAtMs, reply }) => {
			await sleep(startMs + endsAtMs - Date.now());
			const endedAtMs = service.end(prompt);
			const message = await reply?.until(isFinalReply, DELIVERY_TIMEOUT_MS);
			if (!message || filesOf(message).length !== 1) throw new Error(`not delivered: ${message && textOf(message)}`);
			return Date.now() - endedAtMs;
		}),
	);
	const seconds = (Date.now() - startMs) / 1000;
	const peakBytes = (await memoryOf(bot.pid(), "VmHWM")) - idleBytes;
	const memoryRatio = peakBytes / UPLOAD_BYTES_MAX;
	const lineSeconds = (videos.length * VIDEO_BYTES * 8) / (LINE.upMbit * 1_000_000);
	print(
		`${waitsMs.length} videos delivered in ${seconds.toFixed(1)} s; the line alone needs ${lineSeconds.toFixed(1)} s`,
	);
	print(
		`memory ${(idleBytes / MIB).toFixed(0)} MiB idle, ${(peakBytes / MIB).toFixed(0)} MiB more at most: ${memoryRatio.toFixed(2)} of the ` +
			`upload budget${memoryRatio > MEMORY_RATIO_MAX ? `, MORE THAN ${MEMORY_RATIO_MAX}` : ""}`,
	);
	print(
		`most requests with the bot token in a second ${requestTimes.most(true, BOT_LIMIT.windowMs)} (limit ${BOT_LIMIT.requestsMax}), ` +
			`of one reply in two seconds ${requestTimes.most(false, REPLY_LIMIT.windowMs)} (limit ${REPLY_LIMIT.requestsMax})`,
	);
	for (const isOfLarge of [true, false]) {
		const own = waitsMs.filter((_, n) => videos[n]?.isOfLarge === isOfLarge);
		print(
			`wait in ${isOfLarge ? "the large server" : "small servers   "}: p50 ${(median(own) / 1000).toFixed(1)}, p90 ` +
				`${(quantile(own, 0.9) / 1000).toFixed(1)}, longest ${(quantile(own, 1) / 1000).toFixed(1)} s`,
		);
	}
});
