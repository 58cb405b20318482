/**
 * Does any resource grow over time? The cluster of bench/cluster.ts at about half of its maximum load. Twice a minute each bot
 * collects garbage and reports its memory, handles, timers and open files; the ledger reports the open holds. Growth is a slope
 * over the second half of the run that exceeds its noise (three standard errors) and would add more than a tenth in a day. The
 * guilds are few, so that bounded caches per guild are full before the second half.
 */
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { createProgram, parseNumber } from "../tools/create-program.ts";
import { readResources, STATE_FLAGS, type ProcessState } from "./lib/read-resources.ts";
import { openTestCluster, type TestCluster } from "./lib/cluster-processes.ts";
import { delaysOf, quantile, typeEvery, type Typed } from "./lib/load-generator.ts";
import { slopeOf } from "./lib/regression.ts";

const BOTS = 2;
const STUDIOS = 1;
const SAMPLES_MIN = 12;
const SAMPLE_EVERY_MS_MAX = 30_000;
const DAY_MINUTES = 24 * 60;
/** Growth per day below which a slope counts as noise. */
const A_DAY_MAX = 0.1;
/** A short run ends before all caches are warm, and needs a larger allowance. */
const WARM_MINUTES = 5;
const UNTIL_WARM = 4;
const DRAIN_MS = 60_000;

const { minutes, rate, guilds } = createProgram("soak")
	.description(
		"Does anything grow while the bot works for a while? Needs Postgres and redis-server; exits with 1 where something grows.",
	)
	.option("--minutes <count>", "how long", parseNumber, 10)
	.option("--rate <count>", "commands a second", parseNumber, 10)
	.option("--guilds <count>", "how many servers", parseNumber, 60)
	.parse()
	.opts();

type Series = Map<string, { readonly atMinutes: number; readonly value: number }[]>;

const RECORDED = [
	"rss",
	"heapUsed",
	"external",
	"timers",
	"handles",
	"files",
] as const satisfies readonly (keyof ProcessState)[];
/** A single sample is noisy: the heap contains garbage until its next collection. */
const AT_LEAST: Readonly<Record<string, number>> = {
	rss: 16 * 2 ** 20,
	heapUsed: 4 * 2 ** 20,
	external: 4 * 2 ** 20,
	timers: 20,
	handles: 20,
	files: 10,
	holds: 20,
};

async function sample(cluster: TestCluster, series: Series, startMs: number): Promise<void> {
	const atMinutes = (Date.now() - startMs) / 60_000;
	const note = (name: string, value: number): void =>
		void series.set(name, [...(series.get(name) ?? []), { atMinutes, value }]);
	for (const bot of cluster.bots) {
		const state = await readResources(bot);
		for (const key of RECORDED) note(`${bot.name} ${key}`, state[key]);
	}
	const [row] = await cluster.query("SELECT count(*)::int AS open FROM public.keyv WHERE key LIKE 'open:%'");
	note("all holds", Number(row?.["open"]));
}

/** Describes the growth in words. */
function verdictOf(
	name: string,
	all: readonly { readonly atMinutes: number; readonly value: number }[],
): string | undefined {
	const later = all.slice(Math.floor(all.length / 2));
	const { perMinute, error, mean } = slopeOf(later.map(({ atMinutes, value }) => [atMinutes, value]));
	const kind = name.split(" ").at(-1) ?? "";
	const atLeast = (AT_LEAST[kind] ?? 0) * (minutes < WARM_MINUTES ? UNTIL_WARM : 1);
	const spanMinutes = (later.at(-1)?.atMinutes ?? 0) - (later[0]?.atMinutes ?? 0);
	const isCertain = perMinute > 3 * error && perMinute * spanMinutes > atLeast / 2;
	const isMuch = perMinute * DAY_MINUTES > Math.max(A_DAY_MAX * mean, atLeast);
	return isCertain && isMuch ? `${name} grows by ${perMinute.toFixed(2)} a minute` : undefined;
}

const cluster = await openTestCluster({
	guilds,
	bots: BOTS,
	studios: STUDIOS,
	nodeArgs: STATE_FLAGS,
});
if (cluster) {
	try {
		const typed: Typed[] = [];
		const over = new AbortController();
		const series: Series = new Map();
		const typing = typeEvery(cluster, rate, typed, over.signal);
		const everyMs = Math.min(SAMPLE_EVERY_MS_MAX, (minutes * 60_000) / SAMPLES_MIN);
		const startMs = Date.now();
		while (Date.now() - startMs < minutes * 60_000) {
			await sleep(everyMs);
			await sample(cluster, series, startMs);
		}
		over.abort();
		await typing;
		const openNow = async (): Promise<number> =>
			Number(
				(await cluster.query("SELECT count(*)::int AS open FROM public.keyv WHERE key LIKE 'open:%'"))[0]?.["open"],
			);
		for (const untilMs = Date.now() + DRAIN_MS; Date.now() < untilMs && (await openNow()) > 0;) await sleep(500);
		const { fileMs } = delaysOf(typed);
		const verdicts = [...series].flatMap(([name, all]) => verdictOf(name, all) ?? []);
		const left = await openNow();
		if (left > 0) verdicts.push(`${left} holds are open at the end`);
		const lines = [...series].map(([name, all]) => {
			const numbers = all.map(({ value }) => value);
			const isBytes = /rss|heapUsed|external/.test(name);
			const shown = (value: number): string => (isBytes ? `${(value / 2 ** 20).toFixed(1)} MiB` : value.toFixed(0));
			const middle = numbers[Math.floor(numbers.length / 2)] ?? 0;
			return `${name.padEnd(18)} ${shown(numbers[0] ?? 0)} at first, ${shown(middle)} at half, ${shown(numbers.at(-1) ?? 0)} at last, at most ${shown(Math.max(...numbers))}`;
		});
		process.stdout.write(
			[
				`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; ${minutes} minutes, ${rate} commands a second, ${BOTS} bots, ${guilds} servers`,
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
