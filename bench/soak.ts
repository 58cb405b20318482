/**
 * Does any resource grow over time? A cluster like that of bench/cluster.ts, with two bots and one studio, at about half of its
 * maximum load. At least twice a minute each bot collects garbage and reports its memory, handles, timers and open files; the store
 * counts the open tasks, each of which has a hold. Growth is a slope over the second half of the run that exceeds its noise (three
 * standard errors) and would add more than a tenth, and more than `GROWTH_MIN`, in a day. The guilds are few, so that bounded caches
 * per guild are full before the second half.
 *
 * Run: node tools/node24.mjs bench/soak.ts [--minutes 10] [--rate 10] [--guilds 60]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createProgram, parseNumber } from "../tools/npm-script-arguments.ts";
import { readResources, RESOURCE_FLAGS, type ProcessResources } from "./lib/read-resources.ts";
import { openTestCluster, type TestCluster } from "./lib/cluster-processes.ts";
import { responseTimesOf, typeEvery, type TypedCommand } from "./lib/command-typing-user.ts";
import { describeMachine, quantile } from "./lib/statistics.ts";

const BOTS = 2;
const STUDIOS = 1;
const SAMPLES_MIN = 12;
const SAMPLE_EVERY_MS_MAX = 30_000;
const DAY_MINUTES = 24 * 60;
/** Growth per day, as a share of the mean, below which a slope counts as noise. */
const DAILY_GROWTH_MAX = 0.1;
/** A short run ends before all caches are warm, and needs a larger allowance. */
const WARM_MINUTES = 5;
const WARM_UP_FACTOR = 4;
const DRAIN_MS = 60_000;

const { minutes, rate, guilds } = createProgram("soak")
	.description(
		"Does any resource grow while the bot works? Needs Postgres and redis-server; exits with 1 if a resource grows.",
	)
	.option("--minutes <count>", "how long", parseNumber, 10)
	.option("--rate <count>", "commands a second", parseNumber, 10)
	.option("--guilds <count>", "how many servers", parseNumber, 60)
	.parse()
	.opts();

interface Sample {
	readonly atMinutes: number;
	readonly value: number;
}

/** Samples by the name of what is measured: `bot N RESOURCE` or `open tasks`. */
type Series = Map<string, Sample[]>;

const RECORDED = [
	"rss",
	"heapUsed",
	"external",
	"timers",
	"handles",
	"files",
] as const satisfies readonly (keyof ProcessResources)[];
/** Smaller growth of a resource, the last word of the name, is noise: single samples vary with the work of that moment. */
const GROWTH_MIN: Readonly<Record<string, number>> = {
	rss: 16 * 2 ** 20,
	heapUsed: 4 * 2 ** 20,
	external: 4 * 2 ** 20,
	timers: 20,
	handles: 20,
	files: 10,
	tasks: 20,
};

async function recordSample(cluster: TestCluster, series: Series, startMs: number): Promise<void> {
	const atMinutes = (Date.now() - startMs) / 60_000;
	const record = (name: string, value: number): void =>
		void series.set(name, [...(series.get(name) ?? []), { atMinutes, value }]);
	for (const bot of cluster.bots) {
		const resources = await readResources(bot);
		for (const key of RECORDED) record(`${bot.name} ${key}`, resources[key]);
	}
	record("open tasks", await countOpenTasks(cluster));
}

async function countOpenTasks(cluster: TestCluster): Promise<number> {
	const [row] = await cluster.query("SELECT count(*)::int AS open FROM public.keyv WHERE key LIKE 'open:%'");
	return Number(row?.["open"]);
}

/** Fits a line by least squares. */
function fitLine(samples: readonly Sample[]): {
	readonly slopePerMinute: number;
	/** The standard error of the slope. */
	readonly slopeError: number;
	readonly mean: number;
} {
	const sum = (termOf: (sample: Sample) => number): number =>
		samples.reduce((total, sample) => total + termOf(sample), 0);
	const meanMinutes = sum(({ atMinutes }) => atMinutes) / samples.length;
	const mean = sum(({ value }) => value) / samples.length;
	const spread = sum(({ atMinutes }) => (atMinutes - meanMinutes) ** 2);
	const slopePerMinute = sum(({ atMinutes, value }) => (atMinutes - meanMinutes) * (value - mean)) / spread;
	const unexplained = sum(({ atMinutes, value }) => (value - mean - slopePerMinute * (atMinutes - meanMinutes)) ** 2);
	const degreesOfFreedom = Math.max(1, samples.length - 2);
	return { slopePerMinute, slopeError: Math.sqrt(unexplained / degreesOfFreedom / spread), mean };
}

/** Describes the growth of a resource; `undefined` if it does not grow. */
function verdictOf(name: string, all: readonly Sample[]): string | undefined {
	const secondHalf = all.slice(Math.floor(all.length / 2));
	const { slopePerMinute, slopeError, mean } = fitLine(secondHalf);
	const resource = name.split(" ").at(-1) ?? "";
	const growthMin = (GROWTH_MIN[resource] ?? 0) * (minutes < WARM_MINUTES ? WARM_UP_FACTOR : 1);
	const spanMinutes = (secondHalf.at(-1)?.atMinutes ?? 0) - (secondHalf[0]?.atMinutes ?? 0);
	const isCertain = slopePerMinute > 3 * slopeError && slopePerMinute * spanMinutes > growthMin / 2;
	const isRelevant = slopePerMinute * DAY_MINUTES > Math.max(DAILY_GROWTH_MAX * mean, growthMin);
	return isCertain && isRelevant ? `${name} grows by ${slopePerMinute.toFixed(2)} a minute` : undefined;
}

const cluster = await openTestCluster({
	guilds,
	bots: BOTS,
	studios: STUDIOS,
	nodeArgs: RESOURCE_FLAGS,
});
if (cluster) {
	try {
		const typed: TypedCommand[] = [];
		const stopTyping = new AbortController();
		const series: Series = new Map();
		const typing = typeEvery(cluster, rate, typed, stopTyping.signal);
		const sampleEveryMs = Math.min(SAMPLE_EVERY_MS_MAX, (minutes * 60_000) / SAMPLES_MIN);
		const startMs = Date.now();
		while (Date.now() - startMs < minutes * 60_000) {
			await sleep(sampleEveryMs);
			await recordSample(cluster, series, startMs);
		}
		stopTyping.abort();
		await typing;
		const drainUntilMs = Date.now() + DRAIN_MS;
		while (Date.now() < drainUntilMs && (await countOpenTasks(cluster)) > 0) await sleep(500);
		const { fileMs } = responseTimesOf(typed);
		const verdicts = [...series].flatMap(([name, all]) => verdictOf(name, all) ?? []);
		const openTasks = await countOpenTasks(cluster);
		if (openTasks > 0) verdicts.push(`${openTasks} tasks are open at the end`);
		const lines = [...series].map(([name, samples]) => {
			const numbers = samples.map(({ value }) => value);
			const isBytes = /rss|heapUsed|external/.test(name);
			const formatValue = (value: number): string =>
				isBytes ? `${(value / 2 ** 20).toFixed(1)} MiB` : value.toFixed(0);
			const halfwayValue = numbers[Math.floor(numbers.length / 2)] ?? 0;
			return `${name.padEnd(18)} ${formatValue(numbers[0] ?? 0)} at first, ${formatValue(halfwayValue)} at half, ${formatValue(numbers.at(-1) ?? 0)} at last, at most ${formatValue(Math.max(...numbers))}`;
		});
		process.stdout.write(
			[
				`${describeMachine()}; ${minutes} minutes, ${rate} commands a second, ${BOTS} bots, ${guilds} servers`,
				`${typed.length} commands, ${fileMs.length} with their file, p99 ${quantile(fileMs, 0.99).toFixed(0)} ms`,
				...lines,
				verdicts.length === 0 ? "nothing grows" : verdicts.join("\n"),
				"",
			].join("\n"),
		);
		if (verdicts.length > 0) process.exitCode = 1;
	} finally {
		await cluster.close();
	}
}
