/**
 * How many polls detect the end of a task, and with what delay (lag)? The real schedule and duration statistics on virtual time,
 * compared with fixed intervals and an oracle that knows the distribution and plans by dynamic programming. All see the same durations.
 *
 * κ is the lag that one saved poll is worth. For the rows "at the lag of 5 s" the bench calibrates κ on separate durations, so
 * that the mean lag is that of a fixed interval of 5 s.
 *
 * Run: node tools/node24.mjs bench/polling.ts [SEEDS]
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "@atelier/common/clock";
import type { OpenRemoteTask } from "@atelier/media-protocol/remote-task";
import { createDueHeap } from "../src/services/tasks/due-heap.ts";
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
/** Tasks on which κ is calibrated. */
const CALIBRATION_TASKS = 1000;
/** The first tasks of all, for which there are no statistics yet. */
const COLD_TASKS = 10;
const NO_BUDGET = 1e9;
const POLL_INTERVAL_MS_MIN = 1000;
/** The spread of the factor by which estimates are wrong, and of the exponent of the progress. */
const ESTIMATE_SIGMA = 0.2;
const PROGRESS_SIGMA = 0.15;

/** A share of the durations, with a log-normal distribution: σ is the standard deviation of their logarithm. */
interface DurationPart {
	readonly share: number;
	readonly medianMs: number;
	readonly sigma: number;
}

interface TaskKind {
	readonly name: string;
	readonly mediaType: "image" | "video" | "music";
	/** Returns the distribution after a share of all tasks, from 0 to 1: it may drift. */
	readonly durationsAt: (elapsedShare: number) => readonly DurationPart[];
	readonly typicalSeconds: number;
}

const fixedDurations = (medianMs: number, sigma: number) => (): readonly DurationPart[] => [
	{ share: 1, medianMs, sigma },
];

const TASK_KINDS: readonly TaskKind[] = [
	{ name: "image, 8 s, σ .35", mediaType: "image", durationsAt: fixedDurations(8_000, 0.35), typicalSeconds: 10 },
	{ name: "image, 8 s, σ .8", mediaType: "image", durationsAt: fixedDurations(8_000, 0.8), typicalSeconds: 10 },
	{ name: "music, 40 s, σ .35", mediaType: "music", durationsAt: fixedDurations(40_000, 0.35), typicalSeconds: 30 },
	{ name: "music, 40 s, σ .8", mediaType: "music", durationsAt: fixedDurations(40_000, 0.8), typicalSeconds: 30 },
	{ name: "video, 90 s, σ .35", mediaType: "video", durationsAt: fixedDurations(90_000, 0.35), typicalSeconds: 60 },
	{ name: "video, 90 s, σ .8", mediaType: "video", durationsAt: fixedDurations(90_000, 0.8), typicalSeconds: 60 },
	{
		name: "video, 3/4 60 s and 1/4 180 s, σ .25",
		mediaType: "video",
		durationsAt: () => [
			{ share: 0.75, medianMs: 60_000, sigma: 0.25 },
			{ share: 0.25, medianMs: 180_000, sigma: 0.25 },
		],
		typicalSeconds: 60,
	},
	{
		name: "video, drifts from 60 s to 120 s, σ .35",
		mediaType: "video",
		durationsAt: (elapsedShare) => [{ share: 1, medianMs: 60_000 * 2 ** elapsedShare, sigma: 0.35 }],
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
	return Array.from({ length: count }, (_, n) => {
		const part = pickPart(kind.durationsAt(n / count), random);
		const task = {
			endMs: part.medianMs * Math.exp(part.sigma * normal(random)),
			estimateFactor: Math.exp(ESTIMATE_SIGMA * normal(random)),
			progressExponent: Math.exp(PROGRESS_SIGMA * normal(random)),
		};
		// Keeps the tasks those of the figures in docs/performance.md, which were drawn with one number more.
		random.next();
		return task;
	});
}

/** Picks a part of a mixed distribution by the shares of the parts, which add up to 1. */
function pickPart(parts: readonly DurationPart[], random: Random): DurationPart {
	let remaining = random.next();
	for (const part of parts) {
		remaining -= part.share;
		if (remaining < 0) return part;
	}
	return parts.at(-1) ?? { share: 1, medianMs: 0, sigma: 0 };
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

interface OurSettings {
	readonly reporting?: Reporting;
	readonly kappaMs?: number;
}

/** Runs the real schedule and duration statistics, with the polls of all tasks in the order of their time. */
async function runOurs(
	kind: TaskKind,
	all: readonly SimulatedTask[],
	seed: number,
	settings: OurSettings = {},
): Promise<readonly TaskScore[]> {
	const { reporting = NOTHING, kappaMs } = settings;
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
		pollsPerSecondMax: NO_BUDGET,
		budgetShare: () => 1,
		intervalMsMin: POLL_INTERVAL_MS_MIN,
		...(kappaMs !== undefined && { pollWorthMs: kappaMs }),
	});
	const scores: TaskScore[] = [];
	const due = createDueHeap();
	let sequence = 0;
	const schedule = (n: number, atMs: number): void =>
		due.push({ taskId: String(n), dueAtMs: atMs, rankMs: atMs, sequence: sequence++ });
	for (const n of all.keys()) schedule(n, n * submitEveryMs);
	/** The polls of each submitted task. */
	const polls: number[] = [];
	for (let next = due.pop(), steps = 0; next; next = due.pop(), steps++) {
		// Lets pending writes of the store run.
		if (steps % 2000 === 0) await nextTurn();
		const n = Number(next.taskId);
		const simulated = all[n];
		if (!simulated) continue;
		nowMs = next.dueAtMs;
		const submittedAtMs = n * submitEveryMs;
		const task = taskOf(kind, n, submittedAtMs);
		const earlierPolls = polls[n];
		if (earlierPolls === undefined) {
			polls[n] = 0;
			schedule(n, polling.planFirstPoll(task));
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

const ORACLE_STEPS = 500;

/** The polls that minimize κ x polls + lag for a known distribution, by dynamic programming from the end. */
function oraclePolls(parts: readonly DurationPart[], kappaMs: number): readonly number[] {
	const lowMs = Math.min(...parts.map(({ medianMs, sigma }) => medianMs * Math.exp(-4 * sigma)));
	const highMs = Math.max(...parts.map(({ medianMs, sigma }) => medianMs * Math.exp(5 * sigma)));
	const times = [
		0,
		...Array.from({ length: ORACLE_STEPS }, (_, n) => lowMs * (highMs / lowMs) ** (n / (ORACLE_STEPS - 1))),
	];
	const below = times.map((ms) =>
		sum(parts, ({ share, medianMs, sigma }) => share * cumulative(Math.log(ms / medianMs) / sigma)),
	);
	const timeBelow = times.map((ms) =>
		sum(parts, ({ share, medianMs, sigma }) => {
			return share * medianMs * Math.exp((sigma * sigma) / 2) * cumulative(Math.log(ms / medianMs) / sigma - sigma);
		}),
	);
	const cost = Array.from<number>({ length: times.length }).fill(0);
	const after = Array.from<number>({ length: times.length }).fill(times.length);
	for (let from = times.length - 2; from >= 0; from--) {
		cost[from] = Number.POSITIVE_INFINITY;
		for (let to = from + 1; to < times.length; to++) {
			const lag = at(times, to) * (at(below, to) - at(below, from)) - (at(timeBelow, to) - at(timeBelow, from));
			const total = kappaMs * (1 - at(below, from)) + lag + at(cost, to);
			if (total >= at(cost, from)) continue;
			cost[from] = total;
			after[from] = to;
		}
	}
	const polls: number[] = [];
	for (let index = at(after, 0); index < times.length; index = at(after, index)) polls.push(at(times, index));
	return polls;
}

const at = (numbers: readonly number[], index: number): number => numbers[index] ?? Number.NaN;
const sum = (parts: readonly DurationPart[], term: (part: DurationPart) => number): number =>
	parts.reduce((all, part) => all + term(part), 0);

/** Abramowitz and Stegun 7.1.26: exact to 1.5e-7. */
function cumulative(z: number): number {
	const x = Math.abs(z) / Math.SQRT2;
	const t = 1 / (1 + 0.327_591_1 * x);
	const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
	const erf = 1 - polynomial * Math.exp(-x * x);
	return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}

function runOracle(kind: TaskKind, all: readonly SimulatedTask[], kappaMs: number): readonly TaskScore[] {
	const segments = 10;
	return Array.from({ length: segments }, (_, segment) => {
		const polls = oraclePolls(kind.durationsAt((segment + 0.5) / segments), kappaMs);
		const last = at(polls, polls.length - 1);
		return all
			.slice(Math.floor((segment * all.length) / segments), Math.floor(((segment + 1) * all.length) / segments))
			.map(({ endMs }) => {
				const index = polls.findIndex((pollMs) => pollMs >= endMs);
				if (index >= 0) return { polls: index + 1, lagMs: at(polls, index) - endMs };
				return { polls: polls.length + 1, lagMs: Math.max(0, last * 1.5 - endMs) };
			});
	}).flat();
}

/** Finds the κ with a mean lag of `lagMs` by bisection, because the lag grows with κ. */
async function kappaFor(lagMs: number, meanLagMs: (kappaMs: number) => Promise<number>): Promise<number> {
	let [low, high] = [20, 20_000];
	for (let round = 0; round < 9; round++) {
		const middle = Math.sqrt(low * high);
		if ((await meanLagMs(middle)) > lagMs) high = middle;
		else low = middle;
	}
	return Math.sqrt(low * high);
}

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

function row(name: string, scores: readonly Score[], note = ""): void {
	const column = (read: (score: Score) => number): string => medianAndRange(scores.map(read), 2).padEnd(24);
	const polls = column((score) => score.polls);
	const lag = column(({ meanLagMs }) => meanLagMs / 1000);
	const p99 = column(({ p99LagMs }) => p99LagMs / 1000);
	print(`  ${name.padEnd(42)} ${polls} ${lag} ${p99} ${note}`);
}

const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);
const calibrationSeed = 1_000_003;

async function runAllSeeds(kind: TaskKind, settings: OurSettings): Promise<readonly (readonly TaskScore[])[]> {
	const runs: (readonly TaskScore[])[] = [];
	for (const seed of seeds) {
		runs.push(await runOurs(kind, simulateTasks(kind, WARM_UP_TASKS + MEASURED_TASKS, seed), seed, settings));
	}
	return runs;
}

const scoresAfterWarmUp = (runs: readonly (readonly TaskScore[])[]): readonly Score[] =>
	runs.map((found) => scoreOf(found.slice(WARM_UP_TASKS)));

async function benchKind(kind: TaskKind): Promise<void> {
	print(`\n${kind.name}`);
	print(`  ${"".padEnd(42)} ${"polls".padEnd(24)} ${"mean lag, s".padEnd(24)} p99 lag, s`);
	const fixedScores = (intervalMs: number): readonly Score[] =>
		seeds.map((seed) =>
			scoreOf(pollEvery(intervalMs, simulateTasks(kind, WARM_UP_TASKS + MEASURED_TASKS, seed).slice(WARM_UP_TASKS))),
		);
	const fixed = fixedScores(5_000);
	row("fixed 2 s", fixedScores(2_000));
	row("fixed 5 s", fixed);
	const sample = simulateTasks(kind, CALIBRATION_TASKS, calibrationSeed);
	const { meanLagMs } = scoreOf(pollEvery(5_000, sample));
	const shareOf = (scores: readonly Score[]): string =>
		`${medianAndRange(
			scores.map(({ polls }, n) => (100 * polls) / (fixed[n]?.polls ?? Number.NaN)),
			0,
		)} % of the polls of fixed 5 s`;

	const oracleKappaMs = await kappaFor(
		meanLagMs,
		async (kappaMs) => scoreOf(runOracle(kind, sample, kappaMs)).meanLagMs,
	);
	const oracle = seeds.map((seed) =>
		scoreOf(
			runOracle(kind, simulateTasks(kind, WARM_UP_TASKS + MEASURED_TASKS, seed), oracleKappaMs).slice(WARM_UP_TASKS),
		),
	);
	row(`oracle at the lag of 5 s, κ ${(oracleKappaMs / 1000).toFixed(2)} s`, oracle, shareOf(oracle));
	const kappaMs = await kappaFor(meanLagMs, async (each) => {
		const scores = await runOurs(kind, sample, calibrationSeed, { kappaMs: each });
		return scoreOf(scores.slice(WARM_UP_TASKS)).meanLagMs;
	});
	const atLag = scoresAfterWarmUp(await runAllSeeds(kind, { kappaMs }));
	row(
		`Atelier at the lag of 5 s, κ ${(kappaMs / 1000).toFixed(2)} s`,
		atLag,
		kind.name.endsWith("σ .35") ? `${shareOf(atLag)}; target 60` : shareOf(atLag),
	);
	const runs = await runAllSeeds(kind, {});
	row("Atelier, as it is (κ 0.25 s)", scoresAfterWarmUp(runs));
	row(
		`Atelier, the first ${COLD_TASKS} tasks ever`,
		runs.map((found) => scoreOf(found.slice(0, COLD_TASKS))),
	);
	row("Atelier, progress", scoresAfterWarmUp(await runAllSeeds(kind, { reporting: PROGRESS })), "target: 4 polls");
	row("Atelier, estimates", scoresAfterWarmUp(await runAllSeeds(kind, { reporting: ESTIMATES })), "target: 4 polls");
}

/** The cost of a hundred thousand pending tasks, in real time. */
async function benchCost(): Promise<void> {
	const [kind] = TASK_KINDS;
	if (!kind) return;
	const taskCount = 100_000;
	let nowMs = 0;
	const clock: Clock = { nowMs: () => nowMs, sleep: () => new Promise(() => {}) };
	const random = createRandom(1);
	const polling = createPolling({
		durations: createDurationStats(),
		clock,
		random: () => random.next(),
		pollsPerSecondMax: 20,
		budgetShare: () => 1,
		intervalMsMin: POLL_INTERVAL_MS_MIN,
	});
	const submitted = taskOf(kind, 0, 0);
	const before = await heapBytes();
	for (let n = 0; n < taskCount; n++) polling.planFirstPoll({ ...submitted, id: `1430000000000${n}` });
	const bytesEach = ((await heapBytes()) - before) / taskCount;
	const costsMs: number[] = [];
	for (let n = 0; n < taskCount; n++) {
		// Recalculates the budget now and then.
		nowMs = 10_000 + n;
		const fromMs = performance.now();
		polling.planNextPoll({ ...submitted, id: `1430000000000${n}` }, OPEN_TASK);
		costsMs.push(performance.now() - fromMs);
	}
	const worstMs = costsMs.reduce((worst, ms) => Math.max(worst, ms), 0);
	print(`\n${taskCount} pending tasks: ${bytesEach.toFixed(0)} bytes each in the schedule`);
	print(`a poll: ${(mean(costsMs) * 1000).toFixed(1)} µs in the mean, ${worstMs.toFixed(1)} ms at worst`);
}

async function heapBytes(): Promise<number> {
	setFlagsFromString("--expose-gc");
	const collect: unknown = runInNewContext("gc");
	if (typeof collect === "function") collect();
	await nextTurn();
	return process.memoryUsage().heapUsed;
}

print(`${describeMachine()}, ${SEEDS} seeds of ${MEASURED_TASKS} tasks; median (least to most)`);
for (const kind of TASK_KINDS) await benchKind(kind);
await benchCost();
