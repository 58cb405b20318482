/**
 * How long do members wait for a result of 1, 8 and 25 MB after the service has reported the end of its task, compared with a plain
 * script that downloads and uploads the same bytes? And how much memory do eight concurrent results of 10 MB need? The whole bot runs
 * in a process of its own with its store on disk; Discord (the playground) and the service run in another. All traffic is loopback, so
 * the bench measures work, not a network; bench/slow-network.ts measures one.
 *
 * The time of both sides counts from the first poll that reports the end. The bot then parses the response, downloads the file,
 * detects its type, writes and syncs it, posts the hold, commits each step of the task, and edits the reply. The plain script
 * (processes/baseline-script.ts) reads the link, downloads into memory and sends a form with `fetch`; it writes nothing to disk and
 * checks nothing.
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
import { on, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import type { PageEvent } from "@atelier/playground/page/page-contract";
import { startPlayground } from "@atelier/playground";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import type { DeliveryPlan, Report } from "./processes/baseline-script.ts";
import type { RestartableProcess } from "./lib/child-process.ts";
import { nowMs, startMediaService, type ServedFile } from "./lib/media-service.ts";
import { createNoiseImage } from "./lib/noise-image.ts";
import { memoryOf, resetPeakMemory } from "./lib/process-memory.ts";
import { withAtelier } from "./lib/slow-network.ts";
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
const DELIVERY_TIMEOUT_MS = 120_000;
/** The pause before the memory of the idle bot is read. */
const SETTLE_MS = 1_000;
const PLAIN_SCRIPT = "bench/processes/baseline-script.ts";
/** The argument by which this script runs as the process of the services. */
const SERVICES_ROLE = "services";

interface BenchEndpoints {
	readonly discord: string;
	readonly service: string;
	readonly botEnv: Readonly<Record<"DISCORD_TOKEN" | "DISCORD_API_URL", string>>;
}

/** Ends tasks as soon as they are submitted, or asks for the times at which polls first reported their end. */
interface ServiceRequest {
	readonly kind: "end" | "reportedAt";
	readonly prompts: readonly string[];
}

/** Runs Discord and a media service with images of each size. Tasks end when the bench says so. */
async function runServices(): Promise<void> {
	const playground = await startPlayground();
	await playground.admin.setFiles({ bytesMax: 25 * MIB });
	const service = await startMediaService(await Promise.all([...SIZES_MB, CONCURRENT_RESULT_MB].map(imageOf)));
	const endWhenSubmitted = async (prompt: string): Promise<void> => {
		while (!service.hasTask(prompt)) await sleep(1);
		service.end(prompt);
	};
	process.on("message", ({ kind, prompts }: ServiceRequest) => {
		if (kind === "end") void Promise.all(prompts.map(endWhenSubmitted));
		else process.send?.(prompts.map(service.reportedAtMs));
	});
	process.once("SIGTERM", () => void playground.close().then(() => process.exit(0)));
	const botEnv = { DISCORD_TOKEN: playground.botToken, DISCORD_API_URL: playground.apiUrl };
	const endpoints: BenchEndpoints = { discord: playground.origin, service: service.origin, botEnv };
	process.send?.(endpoints);
}

async function imageOf(sizeMb: number): Promise<ServedFile> {
	return { model: `mb-${sizeMb}`, mediaType: "image", bytes: await createNoiseImage(sizeMb * MB) };
}

/** The services, which run in another process, and a user of the playground. */
interface Services {
	readonly process: ChildProcess;
	readonly endpoints: BenchEndpoints;
	readonly user: UserClient;
}

let promptCount = 0;

function endTasks(services: Services, prompts: readonly string[]): void {
	services.process.send({ kind: "end", prompts } satisfies ServiceRequest);
}

/** Resolves to the earliest time at which a poll reported the end of one of the tasks, from which both sides are measured. */
async function firstReportedAtMs(services: Services, prompts: readonly string[]): Promise<number> {
	const answered = once(services.process, "message");
	services.process.send({ kind: "reportedAt", prompts } satisfies ServiceRequest);
	const [times] = (await answered) as [readonly number[]];
	return Math.min(...times);
}

/**
 * Types `count` requests for the model `mb-SIZE` at once. Resolves to the time from the first report of an end until each result is
 * visible.
 */
async function deliver(services: Services, sizeMb: number, count: number): Promise<number[]> {
	const prompts = Array.from({ length: count }, () => `noise ${++promptCount}`);
	const replies = await Promise.all(
		prompts.map((prompt) => services.user.type("/image", { prompt, model: `mb-${sizeMb}` })),
	);
	endTasks(services, prompts);
	const seenAtMs = await Promise.all(
		replies.map(async (reply) => {
			const files = filesOf(await reply.until(isFinalReply, DELIVERY_TIMEOUT_MS));
			if (files.length !== 1) throw new Error(`no image: ${reply.message()?.content}`);
			return nowMs();
		}),
	);
	const reportedAtMs = await firstReportedAtMs(services, prompts);
	return seenAtMs.map((atMs) => atMs - reportedAtMs);
}

/** Delivers an image by the plain script, which downloads into memory and edits a message; observed like the bot's. */
async function deliverPlainly(
	services: Services,
	script: ChildProcess,
	sizeMb: number,
	pollEveryMs = POLL_EVERY_MS,
): Promise<number> {
	const { discord, service, botEnv } = services.endpoints;
	const { channels } = await services.user.state();
	const stopWatching = new AbortController();
	const { body: pageEvents } = await fetch(`${discord}/playground/events`, { signal: stopWatching.signal });
	if (!pageEvents) throw new Error("the page has no events");
	const reports = on(script, "message")[Symbol.asyncIterator]();
	const nextReport = async (): Promise<Report> => ((await reports.next()).value as [Report])[0];
	const prompt = `noise ${++promptCount}`;
	const plan: DeliveryPlan = {
		service,
		model: `mb-${sizeMb}`,
		prompt,
		pollEveryMs,
		messagesUrl: `${botEnv.DISCORD_API_URL}/v10/channels/${channels[0]?.id}/messages`,
		authorization: `Bot ${botEnv.DISCORD_TOKEN}`,
	};
	script.send(plan);
	const submitted = await nextReport();
	if (submitted.kind !== "submitted") throw new Error("the script uploaded before it submitted");
	endTasks(services, [prompt]);
	for await (const { data } of pageEvents
		.pipeThrough(new TextDecoderStream())
		.pipeThrough(new EventSourceParserStream())) {
		const event = JSON.parse(data) as PageEvent;
		if ("message" in event && event.message.id === submitted.messageId && filesOf(event.message).length === 1) break;
	}
	const seenAtMs = nowMs();
	const uploaded = await nextReport();
	if (uploaded.kind !== "uploaded") throw new Error("the script submitted twice");
	await reports.return?.();
	stopWatching.abort();
	return seenAtMs - (await firstReportedAtMs(services, [prompt]));
}

async function withBot({ endpoints, user }: Services, use: (bot: RestartableProcess) => Promise<void>): Promise<void> {
	await withAtelier({ env: { ...endpoints.botEnv, SERVICE: endpoints.service }, user }, {}, use);
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
	const servicesProcess = fork(import.meta.filename, [SERVICES_ROLE], { execArgv: [] });
	const script = fork(PLAIN_SCRIPT, { execArgv: [] });
	try {
		const [[endpoints]] = (await Promise.all([once(servicesProcess, "message"), once(script, "message")])) as [
			[BenchEndpoints],
			unknown,
		];
		const user = await openUserClient(endpoints.discord);
		const services: Services = { process: servicesProcess, endpoints, user };
		print(`deliver: ${describeMachine()}, ${rounds} rounds`);
		await withBot(services, async () => {
			// Warms up both sides: a bot that runs for weeks has compiled its code.
			for (let round = 0; round < WARM_UP_ROUNDS; round++) {
				await deliver(services, 1, WARM_UP_CONCURRENCY);
				for (let n = 0; n < WARM_UP_CONCURRENCY; n++) await deliverPlainly(services, script, 1, WARM_UP_POLL_MS);
			}
			for (const sizeMb of sizesMb) await compareSides(services, script, sizeMb, rounds);
		});
		await withBot(services, (bot) => measureMemory(services, bot));
		await user.close();
	} finally {
		for (const child of [servicesProcess, script]) {
			child.kill();
			await once(child, "exit");
		}
	}
}

async function compareSides(services: Services, script: ChildProcess, sizeMb: number, rounds: number): Promise<void> {
	const [ourMs, plainMs]: [number[], number[]] = [[], []];
	const sides = [
		async () => ourMs.push(...(await deliver(services, sizeMb, 1))),
		async () => plainMs.push(await deliverPlainly(services, script, sizeMb)),
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

/** Measures the peak memory of a bot that delivers several results at once. */
async function measureMemory(services: Services, bot: RestartableProcess): Promise<void> {
	await deliver(services, 1, 1);
	await sleep(SETTLE_MS);
	const idleBytes = await bot.residentBytes();
	await resetPeakMemory(bot.pid());
	const times = await deliver(services, CONCURRENT_RESULT_MB, CONCURRENT_RESULTS);
	const peakBytes = await memoryOf(bot.pid(), "VmHWM");
	const ratio = (peakBytes - idleBytes) / (CONCURRENT_RESULTS * CONCURRENT_RESULT_MB * MB);
	const verdict = ratio <= MEMORY_RATIO_MAX ? "ok" : `MORE THAN ${MEMORY_RATIO_MAX}`;
	print(
		`${CONCURRENT_RESULTS} of ${CONCURRENT_RESULT_MB} MB at once: ${medianAndTenths(times)}; memory ${(idleBytes / MB).toFixed(0)} MB idle, ` +
			`${(peakBytes / MB).toFixed(0)} MB at most, ${ratio.toFixed(2)} times the bytes of the files above idle: ${verdict}`,
	);
}

const [, , roleOrRounds = String(ROUNDS), sizes = SIZES_MB.join(",")] = process.argv;
if (roleOrRounds === SERVICES_ROLE) await runServices();
else await main(Number(roleOrRounds), sizes.split(",").map(Number));
