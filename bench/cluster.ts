/**
 * How many commands do four bots and two studios handle together, and what is lost when any of them is killed? Four bots with a
 * shard each, two studios, Postgres as their stores, Redis as their queue, and the playground as Discord in a process of its own, with
 * 10,000 guilds. The bots run the bundle. First the bench measures the rate at a fixed number of concurrent commands. Then it kills a
 * random bot or studio every five seconds (SIGKILL); afterwards it compares the ledgers of the bots and studios, and the records of
 * the service that the studios pay, with what members saw. Exits with 1 if they differ.
 *
 * All processes and the load generator share this machine, so the figures of speed are a lower bound.
 *
 * Run: node tools/node24.mjs bench/cluster.ts [--bots 4] [--studios 2] [--seconds 60] [--kills 24] [--guilds 10000]
 * [--at-once 48]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createClient } from "@redis/client";
import { openStore } from "@atelier/store/open-store";
import { createTaskStore } from "../src/services/tasks/task-store.ts";
import { build } from "../tools/build.ts";
import { compareReplies } from "../test/crash/tasks/compare-replies.ts";
import { openTestCluster, type TestCluster } from "./lib/cluster-processes.ts";
import { cpuMsOf, type RestartableProcess } from "./lib/child-process.ts";
import { responseTimesOf, keepTyping, type TypedCommand } from "./lib/command-typing-user.ts";
import { describeMachine, describeWaits } from "./lib/statistics.ts";

const WARM_UP_MS = 8_000;
const KILL_EVERY_MS = 5_000;
const COMMANDS_DURING_KILLS = 16;
const END_TIMEOUT_MS = 240_000;

const { values } = parseArgs({
	options: {
		seconds: { type: "string", default: "60" },
		kills: { type: "string", default: "24" },
		guilds: { type: "string", default: "10000" },
		"at-once": { type: "string", default: "48" },
		bots: { type: "string", default: "4" },
		studios: { type: "string", default: "2" },
	},
});
const seconds = Number(values.seconds);
const kills = Number(values.kills);
const guilds = Number(values.guilds);
const atOnce = Number(values["at-once"]);
const botCount = Number(values.bots);
const studioCount = Number(values.studios);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

async function sumCpuMs(processes: readonly RestartableProcess[]): Promise<number> {
	return sum(await Promise.all(processes.map((managed) => managed.cpuMs())));
}

/** Reads the counters of all processes and services since their start. */
async function readCounters({ bots, studios, playground, query, redisUrl, adminClient }: TestCluster) {
	const redis = createClient({ url: redisUrl });
	await redis.connect();
	const [stats, cpu] = [await redis.info("stats"), await redis.info("cpu")];
	redis.destroy();
	const redisCpu = ["user", "sys"].map((mode) => Number(new RegExp(`used_cpu_${mode}:([\\d.]+)`).exec(cpu)?.[1]));
	// The first row is the database of the bots, which the query uses; the second that of the studios.
	const transactions = await query(`SELECT datname, xact_commit FROM pg_stat_database
		WHERE datname LIKE 'atelier_bench_%' ORDER BY datname = current_database() DESC`);
	const backends = await query("SELECT pid FROM pg_stat_activity WHERE datname LIKE 'atelier_bench_%'");
	const { counts } = await adminClient.requests();
	const ownCpu = process.cpuUsage();
	return {
		botCpuMs: await sumCpuMs(bots),
		studioCpuMs: await sumCpuMs(studios),
		playgroundCpuMs: await sumCpuMs([playground]),
		postgresCpuMs: sum(await Promise.all(backends.map(({ pid }) => cpuMsOf(Number(pid)).catch(() => 0)))),
		redisCpuMs: sum(redisCpu) * 1000,
		loadCpuMs: (ownCpu.user + ownCpu.system) / 1000,
		redisCommands: Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]),
		botTransactions: Number(transactions[0]?.["xact_commit"]),
		studioTransactions: Number(transactions[1]?.["xact_commit"]),
		requests: counts.valid + counts.invalid + counts.unchecked,
		invalid: counts.invalid,
	};
}

const formatLine = (name: string, text: string): string => `${name.padEnd(44)} ${text}`;

/** The parts of the system by the counter of their processor time. */
const CPU_PARTS = [
	["bots", "botCpuMs"],
	["studios", "studioCpuMs"],
	["playground", "playgroundCpuMs"],
	["Postgres", "postgresCpuMs"],
	["Redis", "redisCpuMs"],
	["load generator", "loadCpuMs"],
] as const;

async function measureSpeed(cluster: TestCluster): Promise<TypedCommand[]> {
	const commands: TypedCommand[] = [];
	const stopTyping = new AbortController();
	const typing = keepTyping(cluster, atOnce, commands, stopTyping.signal);
	await sleep(WARM_UP_MS);
	const [before, from, startMs] = [await readCounters(cluster), commands.length, Date.now()];
	await sleep(seconds * 1000);
	const [after, endMs] = [await readCounters(cluster), Date.now()];
	stopTyping.abort();
	await typing;
	const measured = commands.slice(from);
	const { responseMs, fileMs } = responseTimesOf(measured);
	/** A command counts for the rate if it ended while the counters ran, whenever it was typed. */
	const isWithin = ({ reply }: TypedCommand): boolean => {
		const last = reply.states.at(-1);
		return last !== undefined && last.atMs >= startMs && last.atMs <= endMs;
	};
	const delivered = commands.filter((each) => isWithin(each) && responseTimesOf([each]).fileMs.length > 0).length;
	const costOf = (key: keyof typeof after): number => (after[key] - before[key]) / delivered;
	const perCommand = (key: keyof typeof after): string => costOf(key).toFixed(1);
	const cpuMs = sum(CPU_PARTS.map(([, key]) => costOf(key)));
	const resident = await Promise.all(cluster.bots.map((bot) => bot.residentBytes()));
	process.stdout.write(
		[
			formatLine(
				`commands to their file, ${atOnce} at once`,
				`${((delivered * 1000) / (endMs - startMs)).toFixed(1)} a second (${delivered} in ${seconds} s)`,
			),
			formatLine("from typing to the answer", describeWaits(responseMs)),
			formatLine("from typing to the file", describeWaits(fileMs)),
			formatLine(
				"commands without an answer",
				String(measured.filter(({ reply }) => reply.failure() !== undefined).length),
			),
			formatLine(
				"processor time for each command",
				CPU_PARTS.map(
					([name, key]) => `${name} ${perCommand(key)} ms (${((100 * costOf(key)) / cpuMs).toFixed(0)} %)`,
				).join(", "),
			),
			formatLine(
				"for each command",
				`${perCommand("botTransactions")} transactions of the bots, ${perCommand("studioTransactions")} of the studios, ${perCommand("redisCommands")} commands to Redis, ${perCommand("requests")} requests to Discord`,
			),
			formatLine("requests that Discord's schema rejects", String(after.invalid)),
			formatLine("memory of the bots", `${resident.map((bytes) => (bytes / 2 ** 20).toFixed(0)).join(", ")} MiB`),
			"",
		].join("\n"),
	);
	return commands;
}

/** Kills bots and studios at random while users type. Resolves to what they typed. */
async function killRandomly(cluster: TestCluster): Promise<TypedCommand[]> {
	const typed: TypedCommand[] = [];
	const stopTyping = new AbortController();
	const typing = keepTyping(cluster, COMMANDS_DURING_KILLS, typed, stopTyping.signal);
	const processes = [...cluster.bots, ...cluster.studios];
	const killed = new Map<string, number>();
	for (let n = 0; n < kills; n++) {
		await sleep(KILL_EVERY_MS);
		const victim = processes[Math.floor(Math.random() * processes.length)];
		if (!victim) continue;
		killed.set(victim.name, (killed.get(victim.name) ?? 0) + 1);
		await victim.kill();
	}
	stopTyping.abort();
	await typing;
	process.stdout.write(`${formatLine("killed", [...killed].map(([name, times]) => `${name} ${times}x`).join(", "))}\n`);
	return typed;
}

/** Compares all records after the last task has ended. Resolves to the number of differences, which it prints. */
async function compareLedgers(cluster: TestCluster, commands: readonly TypedCommand[]): Promise<number> {
	const [store, studioStore] = [await openStore(cluster.botStoreUrl), await openStore(cluster.studioStoreUrl)];
	try {
		const openTaskIds = async (): Promise<string[]> => await Array.fromAsync(createTaskStore(store).openIds());
		const endUntilMs = Date.now() + END_TIMEOUT_MS;
		while (Date.now() < endUntilMs && (await openTaskIds()).length > 0) await sleep(250);
		const openTasks = (await openTaskIds()).map((taskId) => `${taskId} has not ended`);
		const replies = commands.map(({ reply }) => reply);
		const comparison = await compareReplies(store, studioStore, replies, { mayFail: true });
		const submissions = new Map<string, number>();
		for (const [attempt, times] of cluster.paidService.submissions) {
			// The studio submits each attempt under `TASK:NUMBER`.
			const [taskId = ""] = attempt.split(":");
			submissions.set(taskId, (submissions.get(taskId) ?? 0) + times);
		}
		const paidTwice = [...submissions]
			.filter(([, times]) => times > 1)
			.map(([taskId, times]) => `${taskId} was paid ${times} times`);
		const loggedErrors = cluster.bots.flatMap(({ lines }) => lines.filter((text) => /^\{"level":[56]/.test(text)));
		const { tasks, succeeded, failed, unanswered } = comparison;
		const problems = [...openTasks, ...comparison.violations, ...paidTwice];
		process.stdout.write(
			[
				formatLine(
					"commands, and tasks of them",
					`${replies.length}, ${tasks} (${unanswered} came while no bot was connected)`,
				),
				formatLine("delivered and charged; failed and not charged", `${succeeded}; ${failed}`),
				formatLine("paid by the studios", String(submissions.size)),
				formatLine("errors in the logs of the bots", String(loggedErrors.length)),
				formatLine("lost, delivered twice, or missing in a ledger", String(problems.length)),
				...problems.slice(0, 20).map((problem) => `\t${problem}`),
				...loggedErrors.slice(0, 5).map((text) => `\t${text.slice(0, 300)}`),
				"",
			].join("\n"),
		);
		return problems.length;
	} finally {
		await Promise.all([store.close(), studioStore.close()]);
	}
}

await build();
const cluster = await openTestCluster({ guilds, bots: botCount, studios: studioCount });
if (cluster) {
	try {
		process.stdout.write(
			`${describeMachine()}; ${botCount} bots with a shard each, ${studioCount} studios, ${guilds} servers\n`,
		);
		const typed = await measureSpeed(cluster);
		const problemCount = await compareLedgers(cluster, [...typed, ...(await killRandomly(cluster))]);
		if (problemCount > 0) process.exitCode = 1;
	} finally {
		await cluster.close();
	}
}
