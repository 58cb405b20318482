/**
 * Measures the time from the service's "done" until members see the result, for 1, 8 and 25 MB, compared with a plain script
 * that downloads and uploads the same bytes; and the memory of eight concurrent results of 10 MB. The whole bot runs in a
 * process of its own with its store on disk; Discord (the playground) and the service run in another. All traffic is loopback,
 * so the bench measures work, not a network; bench/slow-network.ts measures one.
 *
 * The time of the bot and of the plain script counts from the first "done" response of the service. The bot then parses it,
 * downloads the file, detects its type, writes and syncs it, posts the hold, commits each step of the task, and edits the reply.
 * The plain script (processes/plain-script.ts) reads the link, downloads into memory and sends a form with `fetch`; it writes nothing
 * to disk and checks nothing.
 *
 * Bot and script alternate on the same servers with kept connections; the order changes each round. Each has just submitted a
 * task, sleeps until a poll is due, and polls, so that neither starts with cold memory. Each is a process of its own, and a third
 * one observes the messages, because sharing a process with the observer would warm up the plain script. The bench prints
 * medians, 10th percentiles, and the ratios per round: other load affects medians most, and the 10th percentile least.
 *
 * Run: node tools/node24.mjs bench/delivery.ts [ROUNDS] [SIZES, such as 1,8]
 */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { fork, type ChildProcess } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { on, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCanvas } from "@napi-rs/canvas";
import { EventSourceParserStream } from "eventsource-parser/stream";
import Fastify from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { loadConfig } from "../src/config/load-config.ts";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { createApp } from "../src/app/create-app.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { PageEvent } from "@atelier/playground/page-contract";
import { openUserClient } from "@atelier/playground/user-client";
import { createPlayground } from "@atelier/playground/playground";
import type { DeliveryPlan, Report } from "./processes/plain-script.ts";
import { startFlags } from "./lib/start-flags.ts";
import { describeMachine, median, quantile } from "./lib/statistics.ts";

const MB = 1_000_000;
const MIB = 1024 * 1024;
const SIZES_MB = [1, 8, 25];
const CONCURRENT_RESULTS = 8;
const CONCURRENT_RESULT_MB = 10;
const ROUNDS = 40;
/** Unmeasured rounds before the measurement, each of WARM_UP_CONCURRENCY deliveries by each side. */
const WARM_UP_ROUNDS = 10;
const WARM_UP_CONCURRENCY = 4;
/** The bot's own poll interval. */
const POLL_EVERY_MS = 1_000;
const WARM_UP_POLL_MS = 10;
const TIME_RATIO_MAX = 1.3;
const MEMORY_RATIO_MAX = 3;
const SAMPLE_EVERY_MS = 5;
const DELIVERY_TIMEOUT_MS = 120_000;
const BASELINE_SCRIPT = join(import.meta.dirname, "processes/plain-script.ts");
const logger = pino({ level: "silent" });

interface BenchEndpoints {
	readonly discord: string;
	readonly service: string;
	readonly botToken: string;
}

type BotRequest = { readonly kind: "watch" } | { readonly kind: "peak" };

/** Runs Discord and a media service with images of each size. Its tasks are done when the bench says so. */
async function runServices(): Promise<void> {
	const images = new Map(await Promise.all([...SIZES_MB, CONCURRENT_RESULT_MB].map(imageOf)));
	const app = Fastify({ forceCloseConnections: true });
	let discord = "";
	const playground = createPlayground({ clock: systemClock, logger, origin: () => discord });
	await playground.register(app);
	discord = await app.listen({ host: "127.0.0.1", port: 0 });
	await openAdminClient(discord).setFiles({ bytesMax: 25 * MIB });

	let isDone = false;
	const doneAtMs = new Map<string, number>();
	const ids = [...images.keys()].map((sizeMb) => `mb-${sizeMb}`);
	const models = ids.map((id) => ({
		id,
		name: id,
		mediaType: "image",
		scenes: ["text-to-image"],
		price: { credits: 4, per: "output" },
	}));
	const server = createServer((request, response) => {
		const { pathname } = new URL(request.url ?? "/", "http://service");
		const [, first] = pathname.split("/");
		const answer = (data: unknown): void => void response.end(JSON.stringify({ code: 0, message: "ok", data }));
		if (first === "files") {
			response.end(images.get(Number(pathname.split("/")[2])));
		} else if (pathname === "/api/v1/models") {
			answer({ models });
		} else if (pathname === "/api/v1/generate") {
			let body = "";
			request.on("data", (chunk) => (body += String(chunk)));
			request.on("end", () => answer({ taskId: `${(JSON.parse(body) as { model: string }).model}.${Math.random()}` }));
		} else if (pathname.startsWith("/api/v1/task/")) {
			const taskId = decodeURIComponent(pathname.split("/")[4] ?? "");
			const outputs = [{ url: `http://${request.headers.host}/files/${/^mb-(\d+)/.exec(taskId)?.[1]}` }];
			if (isDone && !doneAtMs.has(taskId)) doneAtMs.set(taskId, nowMs());
			answer(isDone ? { taskId, status: "success", outputs } : { taskId, status: "processing" });
		} else if (pathname === "/done") {
			isDone = true;
			response.end();
		} else if (pathname === "/again") {
			isDone = false;
			response.end(JSON.stringify([...doneAtMs.values()]));
			doneAtMs.clear();
		} else {
			response.writeHead(404).end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	process.once("SIGTERM", () => void playground.close().then(() => process.exit(0)));
	process.send?.({ discord, service, botToken: playground.botToken } satisfies BenchEndpoints);
}

/** Runs the bot with the flags of `npm start`, and reports its peak memory on request. */
async function runBot(): Promise<void> {
	await createApp(loadConfig(JSON.parse(process.argv[3] ?? "{}") as Record<string, string>), logger);
	let idleBytes = 0;
	let peakBytes = 0;
	const sample = (): void => {
		peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
	};
	process.on("message", ({ kind }: BotRequest) => {
		if (kind === "watch") {
			idleBytes = process.memoryUsage.rss();
			peakBytes = idleBytes;
			setInterval(sample, SAMPLE_EVERY_MS);
		} else process.send?.({ idleBytes, peakBytes });
	});
	process.send?.("ready");
}

/** Noise does not compress, so the size of the PNG is known: slightly more than three bytes per pixel. */
async function imageOf(sizeMb: number): Promise<readonly [number, Buffer]> {
	const probe = await noise(500);
	const side = Math.floor(500 * Math.sqrt((0.995 * sizeMb * MB) / probe.byteLength));
	return [sizeMb, await noise(side)];
}

async function noise(side: number): Promise<Buffer> {
	const canvas = createCanvas(side, side);
	const context = canvas.getContext("2d");
	const pixels = context.createImageData(side, side);
	randomFillSync(pixels.data);
	for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255;
	context.putImageData(pixels, 0, 0);
	return await canvas.encode("png");
}

function start(role: string, env: Readonly<Record<string, string>> = {}, execArgv: string[] = []): ChildProcess {
	return fork(import.meta.filename, [role, JSON.stringify(env)], { execArgv });
}

/**
 * Types `count` requests for the model `mb-SIZE` at once. Resolves to the time from the first "done" of all tasks until each
 * result is visible.
 */
async function deliver({ discord, service }: BenchEndpoints, sizeMb: number, count: number): Promise<number[]> {
	const user = await openUserClient(discord);
	try {
		const options = { prompt: "noise", model: `mb-${sizeMb}` };
		const replies = await Promise.all(Array.from({ length: count }, () => user.type("/image", options)));
		await Promise.all(replies.map((reply) => reply.until(() => true)));
		await fetch(`${service}/done`);
		const seenAtMs = await Promise.all(
			replies.map(async (reply) => {
				const attachments = filesOf(await reply.until(isFinalReply, DELIVERY_TIMEOUT_MS));
				if (attachments.length !== 1) throw new Error(`no image: ${reply.message()?.content}`);
				return nowMs();
			}),
		);
		const doneAtMs = Math.min(...(await doneTimes(service)));
		return seenAtMs.map((atMs) => atMs - doneAtMs);
	} finally {
		await user.close();
	}
}

/** Reads the time of the first "done" response of each task, from which both sides are measured, and resets the service. */
async function doneTimes(service: string): Promise<number[]> {
	return (await (await fetch(`${service}/again`)).json()) as number[];
}

/** Delivers the same bytes by the plain script, which downloads into memory and posts a message; observed like the bot's. */
async function deliverPlainly(
	{ discord, service, botToken }: BenchEndpoints,
	script: ChildProcess,
	sizeMb: number,
	pollEveryMs = POLL_EVERY_MS,
): Promise<number> {
	const user = await openUserClient(discord);
	const { channels } = await user.state();
	await user.close();
	const stopWatching = new AbortController();
	const { body: pageEvents } = await fetch(`${discord}/playground/events`, { signal: stopWatching.signal });
	if (!pageEvents) throw new Error("the page has no events");
	const reports = on(script, "message")[Symbol.asyncIterator]();
	const next = async (): Promise<Report> => ((await reports.next()).value as [Report])[0];
	const messagesUrl = `${discord}/api/v10/channels/${channels[0]?.id}/messages`;
	const authorization = `Bot ${botToken}`;
	script.send({ service, model: `mb-${sizeMb}`, pollEveryMs, messagesUrl, authorization } satisfies DeliveryPlan);
	const created = await next();
	if (created.kind !== "submitted") throw new Error("the script uploaded before it submitted");
	await fetch(`${service}/done`);
	for await (const { data } of pageEvents
		.pipeThrough(new TextDecoderStream())
		.pipeThrough(new EventSourceParserStream())) {
		const event = JSON.parse(data) as PageEvent;
		if ("message" in event && event.message.id === created.messageId && filesOf(event.message).length === 1) break;
	}
	const seenAtMs = nowMs();
	const completed = await next();
	if (completed.kind !== "uploaded") throw new Error("the script submitted twice");
	await reports.return?.();
	stopWatching.abort();
	return seenAtMs - Math.min(...(await doneTimes(service)));
}

async function withBot<Result>(
	{ discord, service, botToken }: BenchEndpoints,
	use: (bot: ChildProcess) => Promise<Result>,
): Promise<Result> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const env = {
		DISCORD_TOKEN: botToken,
		DISCORD_API_URL: `${discord}/api`,
		MEDIA_API_URL: service,
		MEDIA_API_KEY: "bench",
		DATA_DIR: folder,
		GUILD_CREDITS: "1000000",
		PORT: "0",
		LOG_LEVEL: "silent",
	};
	const bot = start("bot", env, await startFlags());
	try {
		await once(bot, "message");
		return await use(bot);
	} finally {
		bot.kill("SIGKILL");
		await once(bot, "exit");
		await rm(folder, { recursive: true, force: true });
	}
}

/** A clock with sub-millisecond resolution that all processes of this machine share. */
function nowMs(): number {
	return performance.timeOrigin + performance.now();
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

function medianAndTenths(values: readonly number[]): string {
	const [lower, upper] = [quantile(values, 1 / 10), quantile(values, 9 / 10)];
	return `${median(values).toFixed(1)} ms (a tenth below ${lower.toFixed(1)}, a tenth above ${upper.toFixed(1)})`;
}

/** Compares the times of both sides by three ratios. TIME_RATIO_MAX limits `worst`, the largest of them. */
function compare(
	ourMs: readonly number[],
	plainMs: readonly number[],
): { readonly worst: number; readonly summary: string } {
	const medians = median(ourMs) / median(plainMs);
	const fastest = quantile(ourMs, 1 / 10) / quantile(plainMs, 1 / 10);
	const paired = ourMs.map((ms, round) => ms / (plainMs[round] ?? Number.NaN));
	const [lower, upper] = [quantile(paired, 1 / 4), quantile(paired, 3 / 4)];
	const summary =
		`${medians.toFixed(2)} times by medians, ${fastest.toFixed(2)} by the 10th percentiles, ${median(paired).toFixed(2)} ` +
		`by rounds (half of them from ${lower.toFixed(2)} to ${upper.toFixed(2)})`;
	return { worst: Math.max(medians, fastest, median(paired)), summary };
}

async function main(rounds: number, sizesMb: readonly number[]): Promise<void> {
	const [services, script] = [start("services"), fork(BASELINE_SCRIPT)];
	try {
		const [[endpoints]] = (await Promise.all([once(services, "message"), once(script, "message")])) as [
			[BenchEndpoints],
			unknown,
		];
		print(`deliver: ${describeMachine()}, ${rounds} rounds`);
		await withBot(endpoints, async () => {
			// Warms up both sides: a bot that runs for weeks has compiled its code.
			for (let warming = 0; warming < WARM_UP_ROUNDS; warming++) {
				await deliver(endpoints, 1, WARM_UP_CONCURRENCY);
				for (let each = 0; each < WARM_UP_CONCURRENCY; each++)
					await deliverPlainly(endpoints, script, 1, WARM_UP_POLL_MS);
			}
			for (const sizeMb of sizesMb) {
				const [ourMs, plainMs]: [number[], number[]] = [[], []];
				const sides = [
					async () => ourMs.push(...(await deliver(endpoints, sizeMb, 1))),
					async () => plainMs.push(await deliverPlainly(endpoints, script, sizeMb)),
				];
				// The order alternates between rounds, so that neither always runs after the other.
				for (let round = 0; round < rounds; round++) {
					for (const turn of round % 2 === 0 ? sides : sides.toReversed()) await turn();
				}
				const { worst, summary } = compare(ourMs, plainMs);
				const verdict = worst <= TIME_RATIO_MAX ? "ok" : `MORE THAN ${TIME_RATIO_MAX}`;
				print(
					`${String(sizeMb).padStart(2)} MB: ${medianAndTenths(ourMs)}, plain ${medianAndTenths(plainMs)}, ${summary}: ${verdict}`,
				);
			}
		});
		await withBot(endpoints, async (bot) => {
			await deliver(endpoints, 1, 1);
			await sleep(1000);
			bot.send({ kind: "watch" } satisfies BotRequest);
			const times = await deliver(endpoints, CONCURRENT_RESULT_MB, CONCURRENT_RESULTS);
			const answered = once(bot, "message");
			bot.send({ kind: "peak" } satisfies BotRequest);
			const [{ idleBytes, peakBytes }] = (await answered) as [{ idleBytes: number; peakBytes: number }];
			const ratio = (peakBytes - idleBytes) / (CONCURRENT_RESULTS * CONCURRENT_RESULT_MB * MB);
			const verdict = ratio <= MEMORY_RATIO_MAX ? "ok" : `MORE THAN ${MEMORY_RATIO_MAX}`;
			print(
				`${CONCURRENT_RESULTS} of ${CONCURRENT_RESULT_MB} MB at once: ${medianAndTenths(times)}; memory ${(idleBytes / MB).toFixed(0)} MB idle, ` +
					`${(peakBytes / MB).toFixed(0)} MB at most, ${ratio.toFixed(2)} times the bytes of the files above idle: ${verdict}`,
			);
		});
	} finally {
		for (const child of [services, script]) {
			child.kill();
			await once(child, "exit");
		}
	}
}

const [, , roleOrRounds = String(ROUNDS), sizes = SIZES_MB.join(",")] = process.argv;
if (roleOrRounds === "services") await runServices();
else if (roleOrRounds === "bot") await runBot();
else await main(Number(roleOrRounds), sizes.split(",").map(Number));
