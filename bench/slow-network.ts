/**
 * What does a member wait for when the bot has the line of a home or a small server: a round trip of 40 ms, 50 Mbit/s down and
 * 10 Mbit/s up? The bot runs in a process of its own behind a throttled proxy (lib/throttled-proxy.ts) that carries its REST
 * requests, its gateway connection, its requests to the media service, and the callbacks. Beside it runs a plain discord.js
 * program (processes/plain-bot.ts) behind a line of its own with the same profile. Both sides alternate; the order changes each round.
 *
 * `delivery` measures until the member sees a result of 1, 8 and 25 MB: with callbacks from the end of the task at the service, with
 * polls from the response that reports it, since bench/polling.ts measures the wait for a poll. It prints two limits of the line: a
 * download and then an upload, and the longer of the two, for an upload that starts during the download. Each limit includes the
 * round trips of a program without open connections: the callback needs a connection and half a trip, the file a connection, a
 * request and its first byte, and the last byte half a trip to Discord.
 *
 * `commands` measures from typing to the first response, for 50 commands at once while 10,000 tasks are pending; the plain program
 * has none and only defers.
 *
 * `resets` delivers 8 MB while connections are reset at seeded byte counts, and prints what the resets cost. Every result must
 * arrive.
 *
 * Run: node tools/node24.mjs bench/slow-network.ts delivery [SIZES, such as 1,8] [ROUNDS]
 *      node tools/node24.mjs bench/slow-network.ts commands [ROUNDS]
 *      node tools/node24.mjs bench/slow-network.ts resets [RESULTS]
 */
import { randomFillSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCanvas } from "@napi-rs/canvas";
import { filesOf } from "@atelier/playground/user-client/message-contents";
import type { UserClient } from "@atelier/playground/user-client";
import { isFinalReply } from "../src/discord/find-posted-reply.ts";
import { openLine, withAtelier, withPlainBot, type LineSetup } from "./lib/slow-line.ts";
import type { ServedFile } from "./lib/media-service.ts";
import { storePendingTasks } from "./lib/pending-tasks.ts";
import { describeMachine, median, medianAndRange, quantile } from "./lib/statistics.ts";
import type { LineProfile } from "./lib/throttled-proxy.ts";

const LINE = { downMbit: 50, upMbit: 10, rttMs: 40 } as const satisfies LineProfile;
const MB = 1_000_000;
const SIZES_MB = [1, 8, 25];
const MODES = ["callbacks", "polls"] as const;
type Mode = (typeof MODES)[number];
const LIMIT_ROUND_TRIPS: Readonly<Record<Mode, number>> = { callbacks: 4, polls: 3 };
const LIMIT_RATIO_MAX = 1.1;
const DELIVERY_TIMEOUT_MS = 180_000;
/** The service runs each task for this long. */
const RUN_MS = 700;
const WARM_UP_DELIVERIES = 3;
/** Smaller files need more rounds for the same spread. */
const DELIVERY_ROUNDS: Readonly<Record<number, number>> = { 1: 9, 8: 5 };
const DELIVERY_ROUNDS_MIN = 3;
const COMMANDS = 50;
const COMMAND_ROUNDS = 10;
const WARM_UP_BURSTS = 4;
const PENDING_TASKS = 10_000;
const COMMANDS_RATIO_MAX = 1.1;
const RESET_MB = 8;
const RESET_EVERY_MB = [100, 30];
const RESET_RESULTS = 5;

/** Noise does not compress, so the size of the PNG is known: slightly more than three bytes per pixel. */
async function imageOf(sizeMb: number): Promise<ServedFile> {
	const probe = await noise(500);
	const side = Math.floor(500 * Math.sqrt((0.995 * sizeMb * MB) / probe.byteLength));
	return { model: `mb-${sizeMb}`, mediaType: "image", bytes: await noise(side) };
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

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

let prompts = 0;

/** Resolves to the time from the end of a task until the member sees its file. */
async function deliver(line: LineSetup, model: string, mode: Mode): Promise<number> {
	const { user, service } = line;
	const prompt = `noise ${++prompts}`;
	const reply = await user.type("/image", { prompt, model });
	while (!service.hasTask(prompt)) await sleep(5);
	await sleep(RUN_MS);
	const endedAtMs = service.end(prompt);
	const message = await reply.until(isFinalReply, DELIVERY_TIMEOUT_MS);
	const seenAtMs = Date.now();
	if (filesOf(message).length !== 1) throw new Error(`no image: ${message.content}`);
	return seenAtMs - (mode === "callbacks" ? endedAtMs : (service.reportedAtMs(prompt) ?? Number.NaN));
}

function limitsOf(bytes: number, mode: Mode): { readonly streamedMs: number; readonly sequentialMs: number } {
	const [downMs, upMs] = [(bytes * 8) / (LINE.downMbit * 1000), (bytes * 8) / (LINE.upMbit * 1000)];
	const tripsMs = LIMIT_ROUND_TRIPS[mode] * LINE.rttMs;
	return { streamedMs: tripsMs + Math.max(downMs, upMs), sequentialMs: tripsMs + downMs + upMs };
}

async function withBots(
	lines: { readonly our: LineSetup; readonly plain: LineSetup },
	mode: Mode,
	use: () => Promise<void>,
): Promise<void> {
	const { our, plain } = lines;
	const [ourEnv, plainEnv] =
		mode === "callbacks"
			? [
					{
						PORT: String(await our.openCallbacks()),
						PUBLIC_URL: "https://atelier.example",
						MEDIA_API_PROFILE: "studio",
					},
					{ CALLBACK_PORT: String(await plain.openCallbacks()) },
				]
			: [{}, {}];
	await withAtelier(our, ourEnv, () => withPlainBot(plain, plainEnv, use));
}

async function measureDeliveries(sizesMb: readonly number[], rounds: number | undefined): Promise<void> {
	const files = await Promise.all(sizesMb.map(imageOf));
	const smallest = `mb-${sizesMb[0]}`;
	for (const mode of MODES) {
		await using our = await openLine(LINE, { files });
		await using plain = await openLine(LINE, { files });
		await withBots({ our, plain }, mode, async () => {
			for (let n = 0; n < WARM_UP_DELIVERIES; n++) for (const line of [our, plain]) await deliver(line, smallest, mode);
			for (const [index, { model, bytes }] of files.entries()) {
				const sizeMb = sizesMb[index] ?? Number.NaN;
				const [ourMs, plainMs]: [number[], number[]] = [[], []];
				const sides = [
					async () => ourMs.push(await deliver(our, model, mode)),
					async () => plainMs.push(await deliver(plain, model, mode)),
				];
				for (let round = 0; round < (rounds ?? DELIVERY_ROUNDS[sizeMb] ?? DELIVERY_ROUNDS_MIN); round++)
					for (const turn of round % 2 === 0 ? sides : sides.toReversed()) await turn();
				printDelivery(sizeMb, mode, limitsOf(bytes.byteLength, mode), { ourMs, plainMs });
			}
		});
	}
}

function printDelivery(
	sizeMb: number,
	mode: Mode,
	{ streamedMs, sequentialMs }: ReturnType<typeof limitsOf>,
	{ ourMs, plainMs }: { readonly ourMs: readonly number[]; readonly plainMs: readonly number[] },
): void {
	const toLimit = median(ourMs) / streamedMs;
	const toPlain = median(ourMs) / median(plainMs);
	const isOverLimit = mode === "callbacks" && toLimit > LIMIT_RATIO_MAX;
	print(
		`${String(sizeMb).padStart(2)} MB, ${mode.padEnd(9)}  ${medianAndRange(ourMs)} ms, plain ${medianAndRange(plainMs)} ms; ` +
			`limit ${streamedMs.toFixed(0)} ms streamed (${sequentialMs.toFixed(0)} in sequence): ${toLimit.toFixed(2)} of the limit` +
			`${isOverLimit ? `, MORE THAN ${LIMIT_RATIO_MAX}` : ""}; ${toPlain.toFixed(2)} of the plain program${toPlain > 1 ? ", SLOWER" : ""}`,
	);
}

/** Resolves to the time from typing to the first response, for each of many concurrent commands. */
async function measureBurst(user: UserClient): Promise<number[]> {
	return await Promise.all(
		Array.from({ length: COMMANDS }, async () => {
			const typedAtMs = Date.now();
			const reply = await user.type("/image", { prompt: `a boat with the number ${++prompts}` });
			while (reply.states.length === 0) {
				await sleep(10);
				const failure = reply.failure();
				if (failure !== undefined) throw new Error(failure);
			}
			return (reply.states[0]?.atMs ?? Number.NaN) - typedAtMs;
		}),
	);
}

/** Adds the times of one burst to `allMs`. Resolves to their p99. */
async function measureP99({ user }: LineSetup, allMs: number[]): Promise<number> {
	const burstMs = await measureBurst(user);
	// The submits of a burst end before the next one.
	await sleep(1000);
	allMs.push(...burstMs);
	return quantile(burstMs, 0.99);
}

function quantilesOf(ms: readonly number[]): string {
	return `p50 ${median(ms).toFixed(0)}, p99 ${quantile(ms, 0.99).toFixed(0)}, slowest ${quantile(ms, 1).toFixed(0)} ms`;
}

async function measureCommands(rounds: number): Promise<void> {
	const files = [await imageOf(1)];
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	await using our = await openLine(LINE, { files });
	await using plain = await openLine(LINE, { files });
	const [ourMs, plainMs]: [number[], number[]] = [[], []];
	const ratios: number[] = [];
	const STORE_URL = `sqlite:${join(folder, "atelier.db")}`;
	await storePendingTasks(STORE_URL, PENDING_TASKS);
	await withAtelier(our, { STORE_URL }, () =>
		withPlainBot(plain, { SERVICE: "" }, async () => {
			for (let n = 0; n < WARM_UP_BURSTS; n++) for (const line of [our, plain]) await measureP99(line, []);
			for (let round = 0; round < rounds; round++) {
				const isOursFirst = round % 2 === 0;
				const ourFirstMs = isOursFirst ? await measureP99(our, ourMs) : undefined;
				const plainP99Ms = await measureP99(plain, plainMs);
				ratios.push((ourFirstMs ?? (await measureP99(our, ourMs))) / plainP99Ms);
			}
		}),
	);
	await rm(folder, { recursive: true, force: true });
	const [ourP99, plainP99] = [ourMs, plainMs].map((ms) => quantile(ms, 0.99));
	const ofAll = (ourP99 ?? Number.NaN) / (plainP99 ?? Number.NaN);
	print(`${COMMANDS} commands at once, ${rounds} rounds in turn, ${PENDING_TASKS} tasks pending`);
	print(`Atelier        ${quantilesOf(ourMs)}`);
	print(`plain program  ${quantilesOf(plainMs)}`);
	const verdict = ofAll <= COMMANDS_RATIO_MAX ? "" : `, MORE THAN ${COMMANDS_RATIO_MAX}`;
	print(`p99, Atelier / plain: ${ofAll.toFixed(2)} of all${verdict}; by rounds ${medianAndRange(ratios, 2)}`);
}

async function measureResets(results: number): Promise<void> {
	const file = await imageOf(RESET_MB);
	for (const everyMb of RESET_EVERY_MB) {
		await using line = await openLine({ ...LINE, resets: { seed: 1, everyBytes: everyMb * MB } }, { files: [file] });
		await withAtelier(line, {}, async () => {
			const deliveredMs: number[] = [];
			for (let n = 0; n < results; n++) deliveredMs.push(await deliver(line, file.model, "polls"));
			print(
				`${results} results of ${RESET_MB} MB, a reset every ${everyMb} MB on average: all delivered, ${line.proxy.resets()} connections ` +
					`reset, ${medianAndRange(deliveredMs)} ms`,
			);
		});
	}
}

const [, , part = "delivery", ...args] = process.argv;
print(`${describeMachine()}; line of ${LINE.downMbit}/${LINE.upMbit} Mbit/s, round trip ${LINE.rttMs} ms`);
if (part === "delivery") {
	const [sizes = SIZES_MB.join(","), rounds] = args;
	await measureDeliveries(sizes.split(",").map(Number), rounds === undefined ? undefined : Number(rounds));
} else if (part === "commands") await measureCommands(Number(args[0] ?? COMMAND_ROUNDS));
else if (part === "resets") await measureResets(Number(args[0] ?? RESET_RESULTS));
else throw new Error(`unknown part: ${part}`);
