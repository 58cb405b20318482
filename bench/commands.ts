/**
 * How long does a command wait for its response if 500 arrive at once while 10,000 tasks are pending? Compared with a bare
 * discord.js handler that only defers: same run, same playground, alternating. In each round, a first burst warms up both.
 *
 * The playground, the service and the users are in this process; the bot under test is in another one. A command without a response
 * within Discord's 3 s counts as unanswered.
 *
 * Run: node tools/node24.mjs bench/commands.ts [ROUNDS]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPlayground } from "@atelier/playground";
import { measureBurst } from "./lib/command-typing-user.ts";
import { startMediaService } from "./lib/media-service.ts";
import { storePendingTasks } from "./lib/pending-tasks.ts";
import { withAtelier, withBaselineBot } from "./lib/slow-network.ts";
import { describeMachine, median, medianAndRange, quantile } from "./lib/statistics.ts";

const COMMANDS = 500;
const PENDING_TASKS = 10_000;
/** Discord's limit for the first response. */
const RESPONSE_MS_MAX = 3000;
const RATIO_MAX = 1.25;
/** The submits of a burst end before the next one. */
const PAUSE_MS = 1_000;
const rounds = Number(process.argv[2] ?? 5);

interface Round {
	readonly p50Ms: number;
	readonly p99Ms: number;
	readonly slowestMs: number;
	/** Commands without a response, also in the burst that warms up. */
	readonly unanswered: number;
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
await using playground = await startPlayground();
// Ends no task.
const service = await startMediaService([{ model: "bench", mediaType: "image", bytes: Buffer.alloc(0) }]);
const user = await playground.openUser();
const discord = { DISCORD_TOKEN: playground.botToken, DISCORD_API_URL: playground.apiUrl };
const setup = { env: { ...discord, SERVICE: service.origin }, user };

async function measure(): Promise<Round> {
	const warmUp = await measureBurst(user, COMMANDS);
	await sleep(PAUSE_MS);
	const responseMs = await measureBurst(user, COMMANDS);
	return {
		p50Ms: median(responseMs),
		p99Ms: quantile(responseMs, 0.99),
		slowestMs: quantile(responseMs, 1),
		unanswered: 2 * COMMANDS - warmUp.length - responseMs.length,
	};
}

const bare: Round[] = [];
const atelier: Round[] = [];
for (let round = -1; round < rounds; round++) {
	// A store of its own: the tasks of earlier rounds would have replies to update.
	const storeUrl = `sqlite:${join(folder, `${round}.db`)}`;
	await storePendingTasks(storeUrl, PENDING_TASKS);
	const atelierRound = await withAtelier(setup, { STORE_URL: storeUrl }, measure);
	const bareRound = await withBaselineBot(setup, { SERVICE: "" }, measure);
	// The unmeasured first round warms this process up.
	if (round < 0) continue;
	atelier.push(atelierRound);
	bare.push(bareRound);
}
await service.close();
await rm(folder, { recursive: true, force: true });
const spread = (side: readonly Round[], key: keyof Round): string => medianAndRange(side.map((round) => round[key]));
const unansweredIn = (side: readonly Round[]): number => side.reduce((sum, { unanswered }) => sum + unanswered, 0);
const ratios = atelier.map(({ p99Ms }, n) => p99Ms / (bare[n]?.p99Ms ?? Number.NaN));
process.stdout.write(
	[
		`${describeMachine()}, ${rounds} rounds in turn, ${COMMANDS} commands at once`,
		`bare handler that defers, p50 ms      ${spread(bare, "p50Ms")}`,
		`bare handler that defers, p99 ms      ${spread(bare, "p99Ms")}`,
		`Atelier, ${PENDING_TASKS} tasks pending, p50 ms ${spread(atelier, "p50Ms")}`,
		`Atelier, ${PENDING_TASKS} tasks pending, p99 ms ${spread(atelier, "p99Ms")}`,
		`Atelier, the slowest, ms              ${spread(atelier, "slowestMs")}   bound ${RESPONSE_MS_MAX}`,
		`p99, Atelier / bare                   ${medianAndRange(ratios, 2)}   bound ${RATIO_MAX}`,
		`unanswered, Atelier and bare          ${unansweredIn(atelier)}, ${unansweredIn(bare)} of ${2 * COMMANDS * rounds} each   bound 0`,
		"",
	].join("\n"),
);
