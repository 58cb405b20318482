/**
 * What happens when 1,000 videos of 1 MB are finished by the service within a minute, for one process? One server has 200 of them,
 * which end at once at the beginning; 80 servers have 10 each, which end evenly over the minute. The line (100 Mbit/s both ways,
 * round trip 40 ms) needs 80 seconds to transfer them, so that deliveries queue. The bot runs in a process of its own and gets callbacks.
 *
 * All must be delivered. The bench prints the memory of the bot above idle as a share of the upload budget; the most requests in
 * the windows of Discord's limits; how many requests beyond them were answered with 429; and the time from the end of a video until its
 * member sees it. The order is fair if the members of small servers do not wait for the videos of the large one.
 *
 * With `--late`, the videos end after the tokens of their replies have expired. The bot then edits the replies with its own token, for
 * which Discord limits the edits in a channel: those of the large server need 200 seconds.
 *
 * Run: node tools/node24.mjs bench/burst.ts [--late]
 */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { systemClock, type Clock } from "@atelier/common/clock";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { Reply } from "@atelier/playground/user-client";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import { UPLOAD_BYTES_MAX } from "../src/app/create-services.ts";
import { nowMs } from "./lib/media-service.ts";
import { memoryOf, resetPeakMemory } from "./lib/process-memory.ts";
import { openLine, withAtelier } from "./lib/slow-network.ts";
import { describeMachine, median, quantile } from "./lib/statistics.ts";

const LINE = { downMbit: 100, upMbit: 100, rttMs: 40 } as const;
const VIDEO_BYTES = 1_000_000;
const LARGE_SERVER_VIDEOS = 200;
const SMALL_SERVERS = 80;
const SMALL_SERVER_VIDEOS = 10;
const MINUTE_MS = 60_000;
/** Commands that are typed at a time. */
const TYPED_AT_ONCE = 10;
const DELIVERY_TIMEOUT_MS = 10 * MINUTE_MS;
const MEMORY_RATIO_MAX = 1.5;
const SUBMIT_CHECK_MS = 20;
/** The pause after the last submit, before the memory of the idle bot is read. */
const SETTLE_MS = 5_000;
/** Discord's limits: requests with the bot token, requests for one reply by its token, and those of one method for the messages of one channel. */
const LIMITS = {
	bot: { requestsMax: 50, windowMs: 1_000 },
	reply: { requestsMax: 5, windowMs: 2_000 },
	channel: { requestsMax: 5, windowMs: 5_000 },
} as const;
/** With `--late`, Discord's clock is behind by this much: the bot sees tokens that expire in a minute. */
const BEHIND_MS = 14 * MINUTE_MS;
const TOKENS_LEFT_MS = MINUTE_MS;
const MIB = 1024 * 1024;
const MODEL = "clip";

/** Creates a video with its index at the front, and enlarges it with a box that players ignore. */
function createVideo(): Buffer {
	const video = smallMediaFile("a.mp4");
	const padding = Buffer.alloc(VIDEO_BYTES - video.byteLength);
	padding.writeUInt32BE(padding.byteLength);
	padding.write("free", 4, "latin1");
	return Buffer.concat([video, padding]);
}

type LimitName = keyof typeof LIMITS;

interface CountedLimit {
	readonly name: LimitName;
	/** The bucket that a REST client learns from the headers. */
	readonly bucket: string;
	/** The reply or channel with the limit. */
	readonly owner: string;
}

/** Returns the limits that a request counts towards. */
function limitsOf({ method, url, headers }: FastifyRequest): readonly CountedLimit[] {
	const [, replyToken] = /^\/api\/v10\/(?:webhooks|interactions)\/\d+\/([^/]+)/.exec(url) ?? [];
	if (replyToken !== undefined) return [{ name: "reply", bucket: "reply", owner: replyToken }];
	if (headers.authorization?.startsWith("Bot ") !== true) return [];
	const ofBot = { name: "bot", bucket: "bot", owner: "" } as const;
	const [, channelId] = /^\/api\/v10\/channels\/(\d+)\/messages/.exec(url) ?? [];
	return channelId === undefined
		? [ofBot]
		: [ofBot, { name: "channel", bucket: `messages ${method}`, owner: channelId }];
}

/** Enforces Discord's limits: each counts in windows that begin with a request. Records the times of the requests. */
function createDiscordLimits() {
	const windows = new Map<string, { readonly endMs: number; used: number }>();
	const timesByLimit = new Map<string, number[]>();
	const limitHeaders = new WeakMap<FastifyRequest, Record<string, string>>();
	const rejections: Record<LimitName, number> = { bot: 0, reply: 0, channel: 0 };

	/** Counts a request towards a limit. Returns the time until the window ends, and how many requests are left in it. */
	function count({ name, bucket, owner }: CountedLimit, atMs: number) {
		const { requestsMax, windowMs } = LIMITS[name];
		const key = `${name} ${bucket} ${owner}`;
		timesByLimit.set(key, [...(timesByLimit.get(key) ?? []), atMs]);
		const previous = windows.get(key);
		const window = previous && previous.endMs > atMs ? previous : { endMs: atMs + windowMs, used: 0 };
		window.used++;
		windows.set(key, window);
		return { name, bucket, seconds: (window.endMs - atMs) / 1_000, left: requestsMax - window.used };
	}

	function headersOf({ name, bucket, seconds, left }: ReturnType<typeof count>): Record<string, string> {
		return {
			"x-ratelimit-limit": String(LIMITS[name].requestsMax),
			"x-ratelimit-remaining": String(Math.max(0, left)),
			"x-ratelimit-reset": (Date.now() / 1_000 + seconds).toFixed(3),
			"x-ratelimit-reset-after": seconds.toFixed(3),
			"x-ratelimit-bucket": createHash("sha256").update(bucket).digest("hex").slice(0, 32),
		};
	}

	return {
		rejections,
		enforce: (app: FastifyInstance): void => {
			app.addHook("onRequest", (request, reply, done) => {
				const atMs = Date.now();
				const counted = limitsOf(request).map((limit) => count(limit, atMs));
				const last = counted.at(-1);
				// Discord sends no headers about the limit of the bot.
				if (last && last.name !== "bot") limitHeaders.set(request, headersOf(last));
				const exceeded = counted.find(({ left }) => left < 0);
				if (!exceeded) return done();
				rejections[exceeded.name]++;
				const isGlobal = exceeded.name === "bot";
				reply
					.header("retry-after", Math.ceil(exceeded.seconds))
					.header("x-ratelimit-scope", isGlobal ? "global" : "user");
				if (isGlobal) reply.header("x-ratelimit-global", "true");
				reply
					.code(429)
					.send({ message: "You are being rate limited.", retry_after: exceeded.seconds, global: isGlobal });
			});
			app.addHook("onSend", (request, reply, _payload, done) => {
				reply.headers(limitHeaders.get(request) ?? {});
				done();
			});
		},
		/** Returns the most requests in any period as long as the window of a limit. The windows themselves start with a request. */
		most: (name: LimitName): number =>
			Math.max(
				0,
				...[...timesByLimit]
					.filter(([key]) => key.startsWith(`${name} `))
					.map(([, times]) => mostWithin(times, LIMITS[name].windowMs)),
			),
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

const { values } = parseArgs({ options: { late: { type: "boolean", default: false } } });
const clock: Clock = values.late ? { ...systemClock, nowMs: () => systemClock.nowMs() - BEHIND_MS } : systemClock;
const limits = createDiscordLimits();
const files = [{ model: MODEL, mediaType: "video" as const, bytes: createVideo() }];
await using line = await openLine(LINE, { files, configure: limits.enforce, clock });
const { user, service, playgroundOrigin } = line;
const admin = openAdminClient(playgroundOrigin);
await admin.setGuildCount({ count: 1 + SMALL_SERVERS });
const { guilds } = await admin.guilds({ from: 0, limit: 1 + SMALL_SERVERS });
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
	await sleep(values.late ? TOKENS_LEFT_MS : SETTLE_MS);
	const idleBytes = await bot.residentBytes();
	await resetPeakMemory(bot.pid());
	const startMs = Date.now();
	const waitsMs = await Promise.all(
		videos.map(async ({ prompt, endsAfterMs, reply }) => {
			await sleep(Math.max(0, startMs + endsAfterMs - Date.now()));
			const endedAtMs = service.end(prompt);
			// With `--late`, a reply without the file is the notice that the result takes longer.
			await reply?.until((message) => filesOf(message).length === 1, DELIVERY_TIMEOUT_MS);
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
	for (const [name, { requestsMax, windowMs }] of Object.entries(LIMITS) as [LimitName, (typeof LIMITS)[LimitName]][]) {
		print(
			`limit by ${name}: at most ${limits.most(name)} requests in ${windowMs / 1000} s (${requestsMax} allowed), ` +
				`${limits.rejections[name]} answered with 429`,
		);
	}
	for (const isOfLargeServer of [true, false]) {
		const own = waitsMs.filter((_, n) => videos[n]?.isOfLargeServer === isOfLargeServer);
		print(
			`wait in ${isOfLargeServer ? "the large server" : "small servers   "}: p50 ${(median(own) / 1000).toFixed(1)}, p90 ` +
				`${(quantile(own, 0.9) / 1000).toFixed(1)}, longest ${(quantile(own, 1) / 1000).toFixed(1)} s`,
		);
	}
});
