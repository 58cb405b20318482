/**
 * How many polls detect the end of a task, and with what delay (lag)? The real schedule and duration statistics on virtual time,
 * compared with fixed intervals. All see the same durations.
 *
 * Run: node tools/node24.mjs bench/polling.ts [SEEDS]
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import TinyQueue from "tinyqueue";
import type { Clock } from "@atelier/common/clock";
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import { createPolling } from "../src/services/tasks/polling.ts";
import { createDurationStats } from "../src/services/tasks/duration-stats.ts";
import type { TaskIn } from "../src/services/tasks/task.ts";
import { createRandom, type Random } from "../test/simulation/random.ts";
import { pendingTask } from "./lib/pending-tasks.ts";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const SEEDS = Number(process.argv[2] ?? 7);
/** Tasks of each seed: the first fill the statistics of durations, the others count. */
const WARM_UP_TASKS = 150;
const MEASURED_TASKS = 1500;
/** The first tasks of all, for which there are no statistics yet. */
const COLD_TASKS = 10;
const NO_BUDGET = 1e9;
const POLL_INTERVAL_MS_MIN = 1000;
/** The spread of the factor by which estimates are wrong, and of the exponent of the progress. */
const ESTIMATE_SIGMA = 0.2;
const PROGRESS_SIGMA = 0.15;

/** The durations have a log-normal distribution: σ is the standard deviation of their logarithm. */
interface TaskKind {
	readonly name: string;
	readonly mediaType: "image" | "video" | "music";
	/** Returns the median after a share of all tasks, from 0 to 1: it may drift. */
	readonly medianMsAt: (elapsedShare: number) => number;
	readonly sigma: number;
	readonly typicalSeconds: number;
}

const TASK_KINDS: readonly TaskKind[] = [
	{ name: "image, 8 s, σ .35", mediaType: "image", medianMsAt: () => 8_000, sigma: 0.35, typicalSeconds: 10 },
	{ name: "music, 40 s, σ .35", mediaType: "music", medianMsAt: () => 40_000, sigma: 0.35, typicalSeconds: 30 },
	{ name: "video, 90 s, σ .35", mediaType: "video", medianMsAt: () => 90_000, sigma: 0.35, typicalSeconds: 60 },
	{ name: "video, 90 s, σ .8", mediaType: "video", medianMsAt: () => 90_000, sigma: 0.8, typicalSeconds: 60 },
	{
		name: "video, drifts from 60 s to 120 s, σ .35",
		mediaType: "video",
		medianMsAt: (elapsedShare) => 60_000 * 2 ** elapsedShare,
		sigma: 0.35,
		typicalSeconds: 60,
	},
];

/** One generation. Times count from its submit. */
interface SimulatedTask {
	readonly endMs: number;
	/** The service's estimates are wrong by this factor. */
	readonly estimateFactor: number;
	/** The reported progress is the elapsed share of the duration to this power. */
	readonly progressExponent: number;
}

/** Returns a normally distributed number with the mean 0 and the standard deviation 1 (Box-Muller). */
function normal(random: Random): number {
	return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function simulateTasks(kind: TaskKind, count: number, seed: number): readonly SimulatedTask[] {
	const random = createRandom(seed);
	return Array.from({ length: count }, (_, n) => ({
		endMs: kind.medianMsAt(n / count) * Math.exp(kind.sigma * normal(random)),
		estimateFactor: Math.exp(ESTIMATE_SIGMA * normal(random)),
		progressExponent: Math.exp(PROGRESS_SIGMA * normal(random)),
	}));
}

interface Score {
	readonly polls: number;
	readonly meanLagMs: number;
	readonly p99LagMs: number;
}

interface TaskScore {
	readonly polls: number;
	readonly lagMs: number;
}

function scoreOf(found: readonly TaskScore[]): Score {
	const lags = found.map(({ lagMs }) => lagMs).toSorted((a, b) => a - b);
	return {
		polls: mean(found.map(({ polls }) => polls)),
		meanLagMs: mean(lags),
		p99LagMs: lags[Math.floor(lags.length * 0.99)] ?? Number.NaN,
	};
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

/** The polls of a fixed interval. */
const pollEvery = (intervalMs: number, all: readonly SimulatedTask[]): readonly TaskScore[] =>
	all.map(({ endMs }) => {
		const polls = Math.ceil(endMs / intervalMs);
		return { polls, lagMs: polls * intervalMs - endMs };
	});

/** The service's response while a task is open. */
type Reporting = (task: SimulatedTask, elapsedMs: number) => Partial<OpenRemoteTask>;

const NOTHING: Reporting = () => ({});
/** The reported progress is nonlinear: 40 % may mean a third or a half of the duration. */
const PROGRESS: Reporting = ({ endMs, progressExponent }, elapsedMs) => ({
	phase: "running",
	progressPercent: Math.floor(100 * (elapsedMs / endMs) ** progressExponent),
});
/** The estimate is usually off by a fifth, from the start to the end. */
const ESTIMATES: Reporting = ({ endMs, estimateFactor }, elapsedMs) => ({
	phase: "running",
	estimatedSeconds: Math.ceil(((endMs - elapsedMs) * estimateFactor) / 1000),
});

/** Runs the real schedule and duration statistics, with the polls of all tasks in the order of their time. */
async function runOurs(
	kind: TaskKind,
	all: readonly SimulatedTask[],
	seed: number,
	reporting: Reporting,
): Promise<readonly TaskScore[]> {
	/** About ten tasks are open at a time. */
	const submitEveryMs = mean(all.map(({ endMs }) => endMs)) / 10;
	let nowMs = 0;
	const clock: Clock = { nowMs: () => nowMs, sleep: () => new Promise(() => {}) };
	const random = createRandom(seed);
	const durations = createDurationStats();
	const polling = createPolling({
		durations,
		clock,
		random: () => random.next(),
		pollsPerSecond: () => NO_BUDGET,
		intervalMsMin: POLL_INTERVAL_MS_MIN,
	});
	const scores: TaskScore[] = [];
	const due = new TinyQueue<{ readonly n: number; readonly atMs: number }>([], (one, other) => one.atMs - other.atMs);
	const schedule = (n: number, atMs: number): void => due.push({ n, atMs });
	for (const n of all.keys()) schedule(n, n * submitEveryMs);
	/** The polls of each submitted task. */
	const polls: number[] = [];
	for (let next = due.pop(), steps = 0; next; next = due.pop(), steps++) {
		// Lets pending writes of the store run.
		if (steps % 2000 === 0) await nextTurn();
		const { n } = next;
		const simulated = all[n];
		if (!simulated) continue;
		nowMs = next.atMs;
		const submittedAtMs = n * submitEveryMs;
		const task = taskOf(kind, n, submittedAtMs);
		const earlierPolls = polls[n];
		if (earlierPolls === undefined) {
			polls[n] = 0;
			schedule(n, polling.pollTimeMs(task, true));
			continue;
		}
		polls[n] = earlierPolls + 1;
		const lagMs = nowMs - submittedAtMs - simulated.endMs;
		if (lagMs >= 0) {
			polling.recordEnd(task, { state: "success", outputs: [], startedAtMs: null, finishedAtMs: null });
			scores[n] = { polls: earlierPolls + 1, lagMs };
		} else {
			const remote = { ...OPEN_TASK, ...reporting(simulated, nowMs - submittedAtMs) };
			schedule(n, polling.planNextPoll(task, remote));
		}
	}
	return scores;
}

const OPEN_TASK: OpenRemoteTask = {
	state: "open",
	word: "processing",
	phase: "unknown",
	progressPercent: null,
	queuePosition: null,
	estimatedSeconds: null,
	startedAtMs: null,
	pollAgainAfterMs: null,
};

function taskOf({ mediaType, typicalSeconds }: TaskKind, n: number, submittedAtMs: number): TaskIn<"submitted"> {
	const task = pendingTask(n, submittedAtMs);
	return { ...task, request: { ...task.request, mediaType, typicalSeconds }, deadlineAtMs: Number.MAX_SAFE_INTEGER };
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

function row(name: string, scores: readonly Score[], note = ""): void {
	const column = (read: (score: Score) => number): string => medianAndRange(scores.map(read), 2).padEnd(24);
	const polls = column((score) => score.polls);
	const lag = column(({ meanLagMs }) => meanLagMs / 1000);
	const p99 = column(({ p99LagMs }) => p99LagMs / 1000);
	print(`  ${name.padEnd(32)} ${polls} ${lag} ${p99} ${note}`);
}

const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);

const tasksOf = (kind: TaskKind, seed: number): readonly SimulatedTask[] =>
	simulateTasks(kind, WARM_UP_TASKS + MEASURED_TASKS, seed);

async function runAllSeeds(kind: TaskKind, reporting: Reporting): Promise<readonly (readonly TaskScore[])[]> {
	const runs: (readonly TaskScore[])[] = [];
	for (const seed of seeds) runs.push(await runOurs(kind, tasksOf(kind, seed), seed, reporting));
	return runs;
}

const scoresAfterWarmUp = (runs: readonly (readonly TaskScore[])[]): readonly Score[] =>
	runs.map((found) => scoreOf(found.slice(WARM_UP_TASKS)));

async function benchKind(kind: TaskKind): Promise<void> {
	print(`\n${kind.name}`);
	print(`  ${"".padEnd(32)} ${"polls".padEnd(24)} ${"mean lag, s".padEnd(24)} p99 lag, s`);
	for (const intervalMs of [2_000, 5_000])
		row(
			`fixed ${intervalMs / 1000} s`,
			seeds.map((seed) => scoreOf(pollEvery(intervalMs, tasksOf(kind, seed).slice(WARM_UP_TASKS)))),
		);
	const runs = await runAllSeeds(kind, NOTHING);
	row("Atelier", scoresAfterWarmUp(runs));
	row(
		`Atelier, the first ${COLD_TASKS} tasks ever`,
		runs.map((found) => scoreOf(found.slice(0, COLD_TASKS))),
	);
	row("Atelier, progress", scoresAfterWarmUp(await runAllSeeds(kind, PROGRESS)), "target: 4 polls");
	row("Atelier, estimates", scoresAfterWarmUp(await runAllSeeds(kind, ESTIMATES)), "target: 4 polls");
}

print(`${describeMachine()}, ${SEEDS} seeds of ${MEASURED_TASKS} tasks; median (least to most)`);
for (const kind of TASK_KINDS) await benchKind(kind);
