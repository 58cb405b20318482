/**
 * What does a member wait for when the bot has the line of a home or a small server: a round trip of 40 ms, 50 Mbit/s down and
 * 10 Mbit/s up? The bot runs in a process of its own behind a throttled proxy (lib/throttled-proxy.ts) that carries its REST
 * requests, its gateway connection, its requests to the media service, and the callbacks. Beside it runs a plain discord.js
 * program (processes/baseline-bot.ts) behind a line of its own with the same profile. Both sides alternate; the order changes each round.
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
 * `resets` delivers 8 MB while connections are reset, and prints what the resets cost. Every result must arrive.
 *
 * Run: node tools/node24.mjs bench/slow-network.ts delivery [SIZES, such as 1,8] [ROUNDS]
 *      node tools/node24.mjs bench/slow-network.ts commands [ROUNDS]
 *      node tools/node24.mjs bench/slow-network.ts resets [RESULTS]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { isFinalReply } from "../src/discord/is-final-reply.ts";
import { measureBurst } from "./lib/command-typing-user.ts";
import { createNoiseImage } from "./lib/noise-image.ts";
import { openLine, withAtelier, withBaselineBot, type LineSetup } from "./lib/slow-network.ts";
import { nowMs, type ServedFile } from "./lib/media-service.ts";
import { storePendingTasks } from "./lib/pending-tasks.ts";
import { describeMachine, describeWaits, median, medianAndRange, quantile } from "./lib/statistics.ts";
import type { LineProfile } from "./lib/throttled-proxy.ts";

const LINE = { downMbit: 50, upMbit: 10, rttMs: 40 } as const satisfies LineProfile;
const MB = 1_000_000;
const SIZES_MB = [1, 8, 25];
const MODES = ["callbacks", "polls"] as const;
type Mode = (typeof MODES)[number];
/**
 * The round trips of a program without open connections, as the head of this file counts them: 1.5 + 2 + 0.5 with callbacks. With
 * polls, half a trip of the response that reports the end takes the place of the callback.
 */
const LIMIT_ROUND_TRIPS: Readonly<Record<Mode, number>> = { callbacks: 4, polls: 3 };
const LIMIT_RATIO_MAX = 1.1;
const DELIVERY_TIMEOUT_MS = 180_000;
/** The service runs each task for this long: the first poll of the plain program, after a second, finds the result. */
const RUN_MS = 700;
const WARM_UP_DELIVERIES = 3;
/** The rounds of each size in MB: smaller files need more for the same spread. */
const DELIVERY_ROUNDS: Readonly<Record<number, number>> = { 1: 9, 8: 5 };
const DELIVERY_ROUNDS_MIN = 3;
const COMMANDS = 50;
const COMMAND_ROUNDS = 10;
const WARM_UP_BURSTS = 4;
/** The submits of a burst end before the next one. */
const PAUSE_MS = 1_000;
const PENDING_TASKS = 10_000;
const COMMANDS_RATIO_MAX = 1.1;
const RESET_MB = 8;
const RESET_EVERY_MB = [100, 30];
const RESET_RESULTS = 5;

async function imageOf(sizeMb: number): Promise<ServedFile> {
	return { model: `mb-${sizeMb}`, mediaType: "image", bytes: await createNoiseImage(sizeMb * MB) };
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

let promptCount = 0;

/** Resolves to the time from the end of a task, or with polls from its report, until the member sees its file. */
async function deliver(line: LineSetup, model: string, mode: Mode): Promise<number> {
	const { user, service } = line;
	const prompt = `noise ${++promptCount}`;
	const reply = await user.type("/image", { prompt, model });
	while (!service.hasTask(prompt)) await sleep(5);
	await sleep(RUN_MS);
	const endedAtMs = service.end(prompt);
	const message = await reply.until(isFinalReply, DELIVERY_TIMEOUT_MS);
	const seenAtMs = nowMs();
	if (filesOf(message).length !== 1) throw new Error(`no image: ${message.content}`);
	return seenAtMs - (mode === "callbacks" ? endedAtMs : (service.reportedAtMs(prompt) ?? Number.NaN));
}

/** Returns the least times of the line for a file, if the upload starts during the download and if it starts afterwards. */
function limitsOf(bytes: number, mode: Mode): { readonly streamedMs: number; readonly sequentialMs: number } {
	const [downMs, upMs] = [(bytes * 8) / (LINE.downMbit * 1000), (bytes * 8) / (LINE.upMbit * 1000)];
	const tripsMs = LIMIT_ROUND_TRIPS[mode] * LINE.rttMs;
	return { streamedMs: tripsMs + Math.max(downMs, upMs), sequentialMs: tripsMs + downMs + upMs };
}

/** Runs both programs while `use` runs; with callbacks, each has a port that its service reaches. */
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
	await withAtelier(our, ourEnv, () => withBaselineBot(plain, plainEnv, use));
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
				const roundCount = rounds ?? DELIVERY_ROUNDS[sizeMb] ?? DELIVERY_ROUNDS_MIN;
				const [ourMs, plainMs]: [number[], number[]] = [[], []];
				const sides = [
					async () => ourMs.push(await deliver(our, model, mode)),
					async () => plainMs.push(await deliver(plain, model, mode)),
				];
				for (let round = 0; round < roundCount; round++)
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

/** Resolves to the response times of one burst. */
async function measureResponses({ user }: LineSetup): Promise<readonly number[]> {
	const responseMs = await measureBurst(user, COMMANDS);
	if (responseMs.length < COMMANDS) throw new Error(`${COMMANDS - responseMs.length} commands have no response`);
	await sleep(PAUSE_MS);
	return responseMs;
}

const p99Of = (responseMs: readonly number[] = []): number => quantile(responseMs, 0.99);

async function measureCommands(rounds: number): Promise<void> {
	const files = [await imageOf(1)];
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	await using our = await openLine(LINE, { files });
	await using plain = await openLine(LINE, { files });
	const STORE_URL = `sqlite:${join(folder, "atelier.db")}`;
	await storePendingTasks(STORE_URL, PENDING_TASKS);
	const bursts = new Map<LineSetup, (readonly number[])[]>([our, plain].map((line) => [line, []]));
	await withAtelier(our, { STORE_URL }, () =>
		withBaselineBot(plain, { SERVICE: "" }, async () => {
			for (let round = -WARM_UP_BURSTS; round < rounds; round++) {
				for (const line of round % 2 === 0 ? [our, plain] : [plain, our]) {
					const responseMs = await measureResponses(line);
					if (round >= 0) bursts.get(line)?.push(responseMs);
				}
			}
		}),
	);
	await rm(folder, { recursive: true, force: true });
	const [ours = [], plains = []] = [bursts.get(our), bursts.get(plain)];
	const ofAll = p99Of(ours.flat()) / p99Of(plains.flat());
	const ratios = ours.map((responseMs, round) => p99Of(responseMs) / p99Of(plains[round]));
	print(`${COMMANDS} commands at once, ${rounds} rounds in turn, ${PENDING_TASKS} tasks pending`);
	print(`Atelier        ${describeWaits(ours.flat())}`);
	print(`plain program  ${describeWaits(plains.flat())}`);
	const verdict = ofAll <= COMMANDS_RATIO_MAX ? "" : `, MORE THAN ${COMMANDS_RATIO_MAX}`;
	print(`p99, Atelier / plain: ${ofAll.toFixed(2)} of all commands${verdict}; by rounds ${medianAndRange(ratios, 2)}`);
}

async function measureResets(results: number): Promise<void> {
	const file = await imageOf(RESET_MB);
	for (const everyMb of RESET_EVERY_MB) {
		await using line = await openLine({ ...LINE, resetEveryBytes: everyMb * MB }, { files: [file] });
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
