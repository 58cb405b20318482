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
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { Reply } from "@atelier/playground/user-client";
import { createSketchEngine } from "@atelier/studio/engines/sketch-engine";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { UPLOAD_BYTES_MAX } from "../src/app/create-delivery.ts";
import { nowMs } from "./lib/media-service.ts";
import { memoryOf, resetPeakMemory } from "./lib/process-memory.ts";
import { runSketch } from "./lib/run-sketch.ts";
import { openLine, withAtelier } from "./lib/slow-network.ts";
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
const SUBMIT_CHECK_MS = 20;
/** The pause after the last submit, before the memory of the idle bot is read. */
const SETTLE_MS = 5_000;
/** Discord's limits: requests of the bot in a second, and edits of one reply in two seconds. */
const BOT_LIMIT = { requestsMax: 50, windowMs: 1_000 };
const REPLY_LIMIT = { requestsMax: 5, windowMs: 2_000 };
const MIB = 1024 * 1024;
const MODEL = "clip";

/** Creates a video with its index at the front, and enlarges it with a box that players ignore. */
async function createVideo(): Promise<Buffer> {
	const sketch = createSketchEngine();
	const video = await runSketch(sketch, { model: "sketch-motion", scene: "text-to-video", options: { duration: 2 } });
	await sketch.close();
	const padding = Buffer.alloc(VIDEO_BYTES - video.bytes.byteLength);
	padding.writeUInt32BE(padding.byteLength);
	padding.write("free", 4, "latin1");
	return Buffer.concat([video.bytes, padding]);
}

/** Records the times of requests by the limit of Discord that they count towards: that of the bot, or that of one reply. */
function createRequestTimes() {
	const ofBot: number[] = [];
	const ofReplies = new Map<string, number[]>();
	return {
		watch: (app: FastifyInstance): void => {
			app.addHook("onRequest", (request, _reply, done) => {
				const replyToken = /^\/api\/v10\/(?:webhooks|interactions)\/\d+\/([^/]+)/.exec(request.url)?.[1];
				if (replyToken !== undefined) ofReplies.set(replyToken, [...(ofReplies.get(replyToken) ?? []), Date.now()]);
				else if (request.headers.authorization?.startsWith("Bot ")) ofBot.push(Date.now());
				done();
			});
		},
		/** Returns the most requests with the bot token in one window. */
		mostOfBot: (windowMs: number): number => mostWithin(ofBot, windowMs),
		/** Returns the most requests for one reply in one window. */
		mostOfOneReply: (windowMs: number): number =>
			Math.max(0, ...[...ofReplies.values()].map((times) => mostWithin(times, windowMs))),
	};
}

function mostWithin(times: readonly number[], windowMs: number): number {
	const countFrom = (startMs: number): number =>
		times.filter((atMs) => atMs >= startMs && atMs < startMs + windowMs).length;
	return Math.max(0, ...times.map(countFrom));
}

interface Video {
	readonly prompt: string;
	readonly channelId: string;
	readonly isOfLargeServer: boolean;
	/** The time of its end at the service, after that of the first video. */
	readonly endsAfterMs: number;
	reply?: Reply;
}

/** Plans the videos of all servers. Takes a channel of each: the first is that of the large server. */
function planVideos([largeChannelId = "", ...smallChannelIds]: readonly string[]): readonly Video[] {
	const ofLarge = Array.from({ length: LARGE_SERVER_VIDEOS }, (_, n) => ({
		prompt: `large ${n}`,
		channelId: largeChannelId,
		isOfLargeServer: true,
		endsAfterMs: 0,
	}));
	const ofSmall = Array.from({ length: SMALL_SERVER_VIDEOS }, (_, n) =>
		smallChannelIds.map((channelId, server) => ({
			prompt: `small ${server} ${n}`,
			channelId,
			isOfLargeServer: false,
			endsAfterMs: (MINUTE_MS * (n * SMALL_SERVERS + server)) / (SMALL_SERVERS * SMALL_SERVER_VIDEOS),
		})),
	).flat();
	return [...ofLarge, ...ofSmall];
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
				await sleep(SUBMIT_CHECK_MS);
				const denied = video.reply.message();
				if (denied && isFinalReply(denied)) throw new Error(`not submitted: ${textOf(denied)}`);
			}
		}
	};
	await Promise.all(Array.from({ length: TYPED_AT_ONCE }, typeAll));
	await sleep(SETTLE_MS);
	const idleBytes = await bot.residentBytes();
	await resetPeakMemory(bot.pid());
	const startMs = Date.now();
	const waitsMs = await Promise.all(
		videos.map(async ({ prompt, endsAfterMs, reply }) => {
			await sleep(startMs + endsAfterMs - Date.now());
			const endedAtMs = service.end(prompt);
			const message = await reply?.until(isFinalReply, DELIVERY_TIMEOUT_MS);
			if (!message || filesOf(message).length !== 1) throw new Error(`not delivered: ${message && textOf(message)}`);
			return nowMs() - endedAtMs;
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
		`most requests with the bot token in a second ${requestTimes.mostOfBot(BOT_LIMIT.windowMs)} (limit ${BOT_LIMIT.requestsMax}), ` +
			`of one reply in two seconds ${requestTimes.mostOfOneReply(REPLY_LIMIT.windowMs)} (limit ${REPLY_LIMIT.requestsMax})`,
	);
	for (const isOfLargeServer of [true, false]) {
		const own = waitsMs.filter((_, n) => videos[n]?.isOfLargeServer === isOfLargeServer);
		print(
			`wait in ${isOfLargeServer ? "the large server" : "small servers   "}: p50 ${(median(own) / 1000).toFixed(1)}, p90 ` +
				`${(quantile(own, 0.9) / 1000).toFixed(1)}, longest ${(quantile(own, 1) / 1000).toFixed(1)} s`,
		);
	}
});
