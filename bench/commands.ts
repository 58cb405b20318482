/**
 * How long does a command wait for its response if 500 arrive at once while 10,000 tasks are pending? Compared with a bare
 * discord.js handler that only defers: same run, same playground, alternating. In each round, a first burst warms up both.
 *
 * The playground, the service and the users are in this process; the bot under test is in another one. The processor time of
 * both shows which of them a slow response waits for. A command without a response within Discord's 3 s counts as unanswered.
 *
 * Run: node tools/node24.mjs bench/commands.ts [ROUNDS]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openUserClient, type UserClient } from "@atelier/playground/user-client";
import { startProcess, type RestartableProcess } from "./lib/child-process.ts";
import { measureBurst } from "./lib/command-burst.ts";
import { startMediaService } from "./lib/media-service.ts";
import { storePendingTasks } from "./lib/pending-tasks.ts";
import { npmStartFlags } from "./lib/npm-start-flags.ts";
import { startPlayground, untilBotOffline } from "./lib/start-playground.ts";
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
interface Round {
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly slowestMs: number;
	/** Commands without a response, also in the burst that warms up. */
	readonly unanswered: number;
	/** Processor time per command until a second after the last response. */
	readonly botCpuMs: number;
	/** The same of this process. */
	readonly benchCpuMs: number;
}

async function measure(bot: RestartableProcess, user: UserClient): Promise<Round> {
	try {
		const warmUp = await measureBurst(user, COMMANDS);
		await sleep(1000);
		const botBeforeMs = await bot.cpuMs();
		const benchBefore = process.cpuUsage();
		const { responseMs, unanswered } = await measureBurst(user, COMMANDS);
		await sleep(1000);
		const { user: userUs, system: systemUs } = process.cpuUsage(benchBefore);
		return {
			p50Ms: median(responseMs),
			p99Ms: quantile(responseMs, 0.99),
			slowestMs: quantile(responseMs, 1),
			unanswered: warmUp.unanswered + unanswered,
			botCpuMs: ((await bot.cpuMs()) - botBeforeMs) / COMMANDS,
			benchCpuMs: (userUs + systemUs) / 1000 / COMMANDS,
		};
	} finally {
		await bot.stop("SIGKILL");
		await untilBotOffline(user);
	}
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const playground = await startPlayground();
// Ends no task.
const service = await startMediaService([{ model: "bench", mediaType: "image", bytes: Buffer.alloc(0) }]);
const user = await openUserClient(playground.origin);
const env = {
	...playground.env,
	MEDIA_API_URL: service.origin,
	MEDIA_API_KEY: "bench-key-0123456789",
	DATA_DIR: folder,
	PORT: "0",
	GUILD_CREDITS: "100000",
	LOG_LEVEL: "info",
};
const bare: Round[] = [];
const atelier: Round[] = [];
const pollsPerSecond: number[] = [];
for (let round = -1; round < rounds; round++) {
	// A store of its own: the tasks of earlier rounds would have replies to update.
	const storeUrl = `sqlite:${join(folder, `${round}.db`)}`;
	await storePendingTasks(storeUrl, PENDING_TASKS);
	const bot = await startProcess({
		name: "Atelier",
		args: [...(await npmStartFlags()), "src/index.ts"],
		env: { ...env, STORE_URL: storeUrl },
		ready: "Atelier is ready",
	});
	const pollsBefore = service.polls();
	const startMs = Date.now();
	const atelierRound = await measure(bot, user);
	const polls = ((service.polls() - pollsBefore) / (Date.now() - startMs)) * 1000;
	const bareBot = await startProcess({
		name: "bare handler",
		args: ["--input-type=module", "-e", BARE_BOT],
		env,
		ready: "ready",
	});
	const bareRound = await measure(bareBot, user);
	// The unmeasured first round registers the commands, which the bare handler uses too, and warms this process up.
	if (round < 0) continue;
	atelier.push(atelierRound);
	bare.push(bareRound);
	pollsPerSecond.push(polls);
}
await user.close();
await service.close();
await playground[Symbol.asyncDispose]();
await rm(folder, { recursive: true, force: true });
const spread = (side: readonly Round[], key: keyof Round, digits = 0): string =>
	medianAndRange(
		side.map((round) => round[key]),
		digits,
	);
const unansweredIn = (side: readonly Round[]): number => side.reduce((sum, { unanswered }) => sum + unanswered, 0);
process.stdout.write(
	[
		`${describeMachine()}, ${rounds} rounds in turn, ${COMMANDS} commands at once`,
		`bare handler that defers, p50 ms      ${spread(bare, "p50Ms")}`,
		`bare handler that defers, p99 ms      ${spread(bare, "p99Ms")}`,
		`Atelier, ${PENDING_TASKS} tasks pending, p50 ms ${spread(atelier, "p50Ms")}`,
		`Atelier, ${PENDING_TASKS} tasks pending, p99 ms ${spread(atelier, "p99Ms")}`,
		`Atelier, the slowest, ms              ${spread(atelier, "slowestMs")}   bound ${RESPONSE_MS_MAX}`,
		`p99, Atelier / bare                   ${medianAndRange(
			atelier.map(({ p99Ms }, n) => p99Ms / (bare[n]?.p99Ms ?? Number.NaN)),
			2,
		)}   bound ${RATIO_MAX}`,
		`unanswered, Atelier and bare          ${unansweredIn(atelier)}, ${unansweredIn(bare)} of ${2 * COMMANDS * rounds} each   bound 0`,
		`processor ms per command, Atelier     ${spread(atelier, "botCpuMs", 2)}, to the task at the service`,
		`  playground and users meanwhile      ${spread(atelier, "benchCpuMs", 2)}`,
		`processor ms per command, bare        ${spread(bare, "botCpuMs", 2)}, to the first response`,
		`  playground and users meanwhile      ${spread(bare, "benchCpuMs", 2)}`,
		`polls per second meanwhile            ${medianAndRange(pollsPerSecond)}`,
		"",
	].join("\n"),
);
