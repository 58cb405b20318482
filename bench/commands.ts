/**
 * How long does a command wait for its response if 500 arrive at once while 10,000 tasks are pending? Compared with a bare
 * discord.js handler that only defers: same run, same playground, alternating. Run: node tools/node24.mjs bench/commands.ts [ROUNDS]
 *
 * The playground, the service and the users are in this process; the bot under test is in another one. The processor time of
 * both shows which of them a slow response waits for. A command without a response within Discord's 3 s counts as unanswered.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { createPlayground } from "@atelier/playground/playground";
import { startProcess, type RestartableProcess } from "./lib/child-process.ts";
import { storePendingTasks } from "./lib/pending-tasks.ts";
import { startFlags } from "./lib/start-flags.ts";
import { describeMachine, median, medianAndRange, quantile } from "./lib/statistics.ts";

const COMMANDS = 500;
const PENDING_TASKS = 10_000;
/** Discord's limit for the first response. */
const RESPONSE_MS_MAX = 3000;
const RATIO_MAX = 1.25;
const rounds = Number(process.argv[2] ?? 5);

/** The smallest bot that responds in time. */
const BARE_BOT = `
import { Client, Events } from "discord.js";
const client = new Client({ intents: [], rest: { api: process.env.DISCORD_API_URL } });
client.on(Events.InteractionCreate, (interaction) => void interaction.deferReply().catch(() => {}));
client.once(Events.ClientReady, () => console.log("ready"));
await client.login(process.env.DISCORD_TOKEN);
`;
const MODEL = {
	id: "bench",
	name: "Bench",
	mediaType: "image",
	scenes: ["text-to-image"],
	price: { credits: 1, per: "output" },
};

/** A playground, and a service that accepts every task and finishes none. */
async function startServices() {
	const app = fastify({ forceCloseConnections: true });
	let origin = "";
	let submits = 0;
	let reads = 0;
	const playground = createPlayground({ clock: systemClock, logger: pino({ level: "silent" }), origin: () => origin });
	await playground.register(app);
	app.post("/api/v1/generate", () => ({ code: 0, data: { taskId: `order-${++submits}` } }));
	app.get("/api/v1/models", () => ({ code: 0, data: { models: [MODEL] } }));
	app.get<{ Params: { id: string } }>("/api/v1/task/:id", ({ params }) => {
		reads += 1;
		return { code: 0, data: { taskId: params.id, status: "processing" } };
	});
	origin = await app.listen({ port: 0, host: "127.0.0.1" });
	return {
		reads: () => reads,
		env: {
			DISCORD_TOKEN: playground.botToken,
			DISCORD_API_URL: `${origin}/api`,
			MEDIA_API_URL: origin,
			MEDIA_API_KEY: "bench-key-0123456789",
		},
		userClient: await openUserClient(origin),
		close: async () => {
			await app.close();
			await playground.close();
		},
	};
}

interface Burst {
	/** Of the commands that got a response. */
	readonly responseMs: readonly number[];
	readonly unanswered: number;
}

/** Measures the time from typing to the first response, for each of many concurrent commands. */
async function measureBurst(user: UserClient): Promise<Burst> {
	const waits = await Promise.all(
		Array.from({ length: COMMANDS }, async (_, n) => {
			const typedAtMs = Date.now();
			const reply = await user.type("/image", { prompt: `a boat with the number ${n}` });
			await reply.until(() => true).catch(() => {});
			return reply.failure() === undefined ? (reply.states[0]?.atMs ?? Number.NaN) - typedAtMs : undefined;
		}),
	);
	const responseMs = waits.filter((waitMs) => waitMs !== undefined);
	return { responseMs, unanswered: COMMANDS - responseMs.length };
}

async function waitUntilOffline(user: UserClient): Promise<void> {
	while ((await user.state()).bot.online) await sleep(50);
}

interface Round {
	readonly p50: number;
	readonly p99: number;
	readonly max: number;
	/** Of both bursts. */
	readonly unanswered: number;
	/** Processor time per command until a second after the last response. */
	readonly botCpuMs: number;
	readonly benchCpuMs: number;
}

async function measure(bot: RestartableProcess, user: UserClient): Promise<Round> {
	try {
		const warmUp = await measureBurst(user);
		await sleep(1000);
		const botBeforeMs = await bot.cpuMs();
		const benchBefore = process.cpuUsage();
		const { responseMs, unanswered } = await measureBurst(user);
		await sleep(1000);
		const { user: userUs, system: systemUs } = process.cpuUsage(benchBefore);
		return {
			p50: median(responseMs),
			p99: quantile(responseMs, 0.99),
			max: quantile(responseMs, 1),
			unanswered: warmUp.unanswered + unanswered,
			botCpuMs: ((await bot.cpuMs()) - botBeforeMs) / COMMANDS,
			benchCpuMs: (userUs + systemUs) / 1000 / COMMANDS,
		};
	} finally {
		await bot.stop("SIGKILL");
		await waitUntilOffline(user);
	}
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const services = await startServices();
const env = { ...services.env, DATA_DIR: folder, PORT: "0", GUILD_CREDITS: "100000", LOG_LEVEL: "info" };
const bare: Round[] = [];
const atelier: Round[] = [];
const pollsPerSecond: number[] = [];
for (let round = -1; round < rounds; round++) {
	// A store of its own: the tasks of earlier rounds would have replies to update.
	const storeUrl = `sqlite:${join(folder, `${round}.db`)}`;
	await storePendingTasks(storeUrl, PENDING_TASKS);
	const bot = await startProcess({
		name: "Atelier",
		args: [...(await startFlags()), "src/index.ts"],
		env: { ...env, STORE_URL: storeUrl },
		ready: "Atelier is ready",
	});
	const before = services.reads();
	const startMs = Date.now();
	const ofBot = await measure(bot, services.userClient);
	const polls = ((services.reads() - before) / (Date.now() - startMs)) * 1000;
	const bareBot = await startProcess({
		name: "bare handler",
		args: ["--input-type=module", "-e", BARE_BOT],
		env,
		ready: "ready",
	});
	const ofBare = await measure(bareBot, services.userClient);
	// The first round creates the commands and warms this process up.
	if (round < 0) continue;
	atelier.push(ofBot);
	bare.push(ofBare);
	pollsPerSecond.push(polls);
}
await services.userClient.close();
await services.close();
await rm(folder, { recursive: true, force: true });
const spread = (side: readonly Round[], key: keyof Round, digits = 0): string =>
	medianAndRange(
		side.map((round) => round[key]),
		digits,
	);
const sum = (side: readonly Round[]): number => side.reduce((total, { unanswered }) => total + unanswered, 0);
process.stdout.write(
	[
		`${describeMachine()}, ${rounds} rounds in turn, ${COMMANDS} commands at once`,
		`bare handler that defers, p50 ms      ${spread(bare, "p50")}`,
		`bare handler that defers, p99 ms      ${spread(bare, "p99")}`,
		`Atelier, ${PENDING_TASKS} tasks pending, p50 ms ${spread(atelier, "p50")}`,
		`Atelier, ${PENDING_TASKS} tasks pending, p99 ms ${spread(atelier, "p99")}`,
		`Atelier, the slowest, ms              ${spread(atelier, "max")}   bound ${RESPONSE_MS_MAX}`,
		`p99, Atelier / bare                   ${medianAndRange(
			atelier.map(({ p99 }, n) => p99 / (bare[n]?.p99 ?? p99)),
			2,
		)}   bound ${RATIO_MAX}`,
		`unanswered, Atelier and bare          ${sum(atelier)}, ${sum(bare)} of ${2 * COMMANDS * rounds} each   bound 0`,
		`processor ms per command, Atelier     ${spread(atelier, "botCpuMs", 2)}, to the task at the service`,
		`  playground and users meanwhile      ${spread(atelier, "benchCpuMs", 2)}`,
		`processor ms per command, bare        ${spread(bare, "botCpuMs", 2)}, to the first response`,
		`  playground and users meanwhile      ${spread(bare, "benchCpuMs", 2)}`,
		`polls per second meanwhile            ${medianAndRange(pollsPerSecond)}`,
		"",
	].join("\n"),
);
