/**
 * How much do four bots and two studios handle together, and what is lost when any of them is killed? Four bots with a shard
 * each, two studios, Postgres as their stores, Redis as their queue, and the playground as Discord in a process of its own,
 * with 10,000 guilds. First, as many commands as complete with a fixed number at once. Then kill -9 of any process every five
 * seconds; afterwards the ledgers of the bots, the studios and the paid service are compared with what members saw.
 *
 * All processes and the load generator share this machine, so the figures of speed are a lower bound.
 *
 * Run: node tools/node24.mjs bench/cluster.ts [--seconds 60] [--kills 24] [--guilds 10000] [--at-once 48]
 */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "@redis/client";
import { openStore } from "@atelier/store/open-store";
import { createTaskStore } from "../src/services/tasks/task-store.ts";
import { compare } from "../test/crash/tasks/compare.ts";
import { openTestCluster, type TestCluster } from "./lib/cluster-processes.ts";
import type { RestartableProcess } from "./lib/child-process.ts";
import { delaysOf, keepTyping, quantile, type Typed } from "./lib/load-generator.ts";

const BOTS = 4;
const STUDIOS = 2;
const WARM_MS = 8_000;
const KILL_EVERY_MS = 5_000;
const UNDER_KILLS = 16;
const END_TIMEOUT_MS = 240_000;

const { values } = parseArgs({
	options: {
		seconds: { type: "string", default: "60" },
		kills: { type: "string", default: "24" },
		guilds: { type: "string", default: "10000" },
		"at-once": { type: "string", default: "48" },
	},
});
const [seconds, kills, guilds, atOnce] = [values.seconds, values.kills, values.guilds, values["at-once"]].map(
	Number,
) as [number, number, number, number];

async function sum(lives: readonly RestartableProcess[]): Promise<number> {
	return (await Promise.all(lives.map((managed) => managed.cpuMs()))).reduce((all, each) => all + each, 0);
}

/** Credits spent since the start, by account. */
async function spent({ bots, studios, playground, query: ask, redisUrl, adminClient }: TestCluster) {
	const redis = createClient({ url: redisUrl });
	await redis.connect();
	const stats = await redis.info("stats");
	redis.destroy();
	const [row] = await ask("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
	const { counts } = await adminClient.requests();
	return {
		botCpuMs: await sum(bots),
		studioCpuMs: await sum(studios),
		playgroundCpuMs: await sum([playground]),
		redisCommands: Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]),
		transactions: Number(row?.["xact_commit"]),
		requests: counts.valid + counts.invalid + counts.unchecked,
		invalid: counts.invalid,
	};
}

const line = (name: string, text: string): string => `${name.padEnd(44)} ${text}`;
const ms = (numbers: readonly number[]): string =>
	`p50 ${quantile(numbers, 0.5).toFixed(0)}, p99 ${quantile(numbers, 0.99).toFixed(0)}, slowest ${quantile(numbers, 1).toFixed(0)} ms`;

async function measureSpeed(cluster: TestCluster): Promise<Typed[]> {
	const typed: Typed[] = [];
	const over = new AbortController();
	const typing = keepTyping(cluster, atOnce, typed, over.signal);
	await sleep(WARM_MS);
	const [before, from, startMs] = [await spent(cluster), typed.length, Date.now()];
	await sleep(seconds * 1000);
	const [after, endMs] = [await spent(cluster), Date.now()];
	over.abort();
	await typing;
	const measured = typed.slice(from);
	const { answerMs, fileMs } = delaysOf(measured);
	const isWithin = ({ reply }: Typed): boolean => {
		const last = reply.states.at(-1);
		return last !== undefined && last.atMs >= startMs && last.atMs <= endMs;
	};
	const delivered = typed.filter((each) => isWithin(each) && delaysOf([each]).fileMs.length > 0).length;
	const each = (key: keyof typeof after): string => ((after[key] - before[key]) / delivered).toFixed(1);
	const resident = await Promise.all(cluster.bots.map((bot) => bot.residentBytes()));
	process.stdout.write(
		[
			line(
				`commands to their file, ${atOnce} under way`,
				`${((delivered * 1000) / (endMs - startMs)).toFixed(1)} a second (${delivered} in ${seconds} s)`,
			),
			line("from typing to the answer", ms(answerMs)),
			line("from typing to the file", ms(fileMs)),
			line("commands without an answer", String(measured.filter(({ reply }) => reply.failure() !== undefined).length)),
			line(
				"processor time for each command",
				`bots ${each("botCpuMs")} ms, studios ${each("studioCpuMs")} ms, playground ${each("playgroundCpuMs")} ms`,
			),
			line(
				"for each command",
				`${each("transactions")} transactions of the bots, ${each("redisCommands")} commands to Redis, ${each("requests")} requests to Discord`,
			),
			line("requests that Discord's schema refuses", String(after.invalid)),
			line("memory of the bots", `${resident.map((bytes) => (bytes / 2 ** 20).toFixed(0)).join(", ")} MiB`),
			"",
		].join("\n"),
	);
	return typed;
}

async function killAll(cluster: TestCluster): Promise<Typed[]> {
	const typed: Typed[] = [];
	const over = new AbortController();
	const typing = keepTyping(cluster, UNDER_KILLS, typed, over.signal);
	const lives = [...cluster.bots, ...cluster.studios];
	const killed = new Map<string, number>();
	for (let n = 0; n < kills; n++) {
		await sleep(KILL_EVERY_MS);
		const victim = lives[Math.floor(Math.random() * lives.length)];
		if (!victim) continue;
		killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1);
		await victim.kill();
	}
	over.abort();
	await typing;
	process.stdout.write(`${line("killed", [...killed].map(([name, times]) => `${name} ${times}x`).join(", "))}\n`);
	return typed;
}

async function compareLedgers(cluster: TestCluster, typed: readonly Typed[]): Promise<number> {
	const [store, studioStore] = [await openStore(cluster.botStoreUrl), await openStore(cluster.studioStoreUrl)];
	try {
		const open = async (): Promise<string[]> => await Array.fromAsync(createTaskStore(store).openIds());
		for (const untilMs = Date.now() + END_TIMEOUT_MS; Date.now() < untilMs && (await open()).length > 0;)
			await sleep(250);
		const unended = (await open()).map((taskId) => `${taskId} has not ended`);
		const replies = typed.map(({ reply }) => reply);
		const compared = await compare(store, studioStore, replies, { mayFail: true });
		const ordered = new Map<string, number>();
		for (const [attempt, times] of cluster.paidService.submissions) {
			const [taskId = ""] = attempt.split(":");
			ordered.set(taskId, (ordered.get(taskId) ?? 0) + times);
		}
		const paidTwice = [...ordered]
			.filter(([, times]) => times > 1)
			.map(([taskId, times]) => `${taskId} was paid ${times} times`);
		const logged = cluster.bots.flatMap(({ lines }) => lines.filter((text) => text.startsWith('{"level":5')));
		const { tasks, succeeded, failed, unanswered } = compared;
		const faults = [...unended, ...compared.faults, ...paidTwice];
		process.stdout.write(
			[
				line(
					"commands, and tasks of them",
					`${replies.length}, ${tasks} (${unanswered} came while no bot was connected)`,
				),
				line("made and charged; told why not, uncharged", `${succeeded}; ${failed}`),
				line("paid by the studios", String(ordered.size)),
				line("errors in the logs of the bots", String(logged.length)),
				line("lost, twice, or not in the books", String(faults.length)),
				...faults.slice(0, 20).map((fault) => `\t${fault}`),
				...logged.slice(0, 5).map((text) => `\t${text.slice(0, 300)}`),
				"",
			].join("\n"),
		);
		return faults.length;
	} finally {
		await Promise.all([store.close(), studioStore.close()]);
	}
}

const cluster = await openTestCluster({ guilds, bots: BOTS, studios: STUDIOS });
if (cluster) {
	try {
		process.stdout.write(
			`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; ${BOTS} bots with a shard each, ${STUDIOS} studios, ${guilds} servers\n`,
		);
		const typed = await measureSpeed(cluster);
		const faults = await compareLedgers(cluster, [...typed, ...(await killAll(cluster))]);
		if (faults > 0) process.exitCode = 1;
	} finally {
		await cluster.close();
	}
}
