/**
 * How much do 100,000 pending tasks cost one process? The time from its start until each has a scheduled poll, the event loop
 * delay meanwhile, memory per task, and polls per second against a local server, with the real runner, client and store
 * (SQLite, which contains as many ended tasks). For comparison, the same requests in a bare loop of `fetch`, without a store and a
 * queue. All this is measured once with the in-process queue and once with the queue on Redis, each in a process of its own, in turn.
 *
 * Run: node tools/node24.mjs bench/tasks.ts [ROUNDS]      (the queue on Redis requires a redis-server)
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { argv, cpuUsage, execPath, memoryUsage, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { createClient } from "@redis/client";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpMediaApi } from "../src/services/generation/http-media-api.ts";
import { PROFILES } from "@atelier/media-protocol/profiles";
import { openStore } from "@atelier/store/open-store";
import { openRedisTaskQueue } from "../src/services/tasks/redis-task-queue.ts";
import { createMemoryTaskQueue } from "../src/services/tasks/memory-task-queue.ts";
import type { TaskQueue } from "../src/services/tasks/task-queue.ts";
import { createPolling } from "../src/services/tasks/polling.ts";
import { createDurationStats } from "../src/services/tasks/duration-stats.ts";
import { createTaskRunner } from "../src/services/tasks/task-runner.ts";
import { createTaskStore } from "../src/services/tasks/task-store.ts";
import { pendingTask, pendingTaskId } from "./lib/pending-tasks.ts";
import { REDIS_PROGRAM, startRedisProcess } from "@atelier/store/testing/redis-process";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const TASKS = 100_000;
const STORED_AT_ONCE = 1_000;
const SCHEDULED_AT_ONCE = 4_000;
const SCHEDULE_PAUSE_MS = 100;
const POLLS_AT_ONCE = 256;
/** The durations of the parts of a measurement: the bare loop, the idle process, and the polls. */
const BARE_MS = 4_000;
const IDLE_MS = 2_000;
const POLLS_MS = 10_000;
const STOP_TIMEOUT_MS = 10_000;
const NO_LIMIT = 1e9;

const clock = systemClock;
const logger = pino({ level: "warn" }, pino.destination(2));

/** The results of one part of the bench, which its process prints as JSON. */
type Measurements = Readonly<Record<string, number>>;

/** Stores the pending tasks, and as many that have ended. */
async function storeTasks(url: string): Promise<void> {
	const store = await openStore(url);
	const taskStore = createTaskStore(store);
	for (let first = 0; first < TASKS; first += STORED_AT_ONCE) {
		await Promise.all(
			Array.from({ length: STORED_AT_ONCE }, async (_, index) => {
				const n = first + index;
				const task = pendingTask(n, clock.nowMs());
				await taskStore.create(task);
				await store.set(`task:${pendingTaskId(TASKS + n)}`, { ...task, state: "delivered" });
			}),
		);
	}
	await store.close();
}

/** Responds that every task is running, and counts the requests. */
async function serveRunningTasks(): Promise<void> {
	let polls = 0;
	const server = createServer((request, response) => {
		if (request.url === "/count") return void response.end(String(polls));
		polls++;
		response.setHeader("content-type", "application/json");
		response.end('{"code":0,"message":"ok","data":{"task_id":"x","status":"processing"}}');
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
}

function heapBytes(): number {
	globalThis.gc?.();
	globalThis.gc?.();
	const { heapUsed, external } = memoryUsage();
	return heapUsed + external;
}

type TaskRunnerDeps = Parameters<typeof createTaskRunner>[0];

/** Measures the start and the polls of one process; with an empty `queueUrl`, with the queue in the process. */
async function runTasks(storeUrl: string, origin: string, queueUrl: string): Promise<Measurements> {
	const deps = { clock, logger, runsAtOnceMax: POLLS_AT_ONCE };
	const barePollsPerSecond = await measureBareLoop(origin);
	const heapBeforeBytes = heapBytes();
	const eventLoopDelay = monitorEventLoopDelay({ resolution: 1 });
	// The event loop delay of an idle process.
	eventLoopDelay.enable();
	await clock.sleep(IDLE_MS);
	const idleP99Ms = eventLoopDelay.percentile(99) / 1e6;
	eventLoopDelay.reset();
	const cpuBefore = cpuUsage();
	const startMs = performance.now();
	const store = await openStore(storeUrl);
	const queue: TaskQueue = queueUrl === "" ? createMemoryTaskQueue(deps) : await openRedisTaskQueue(queueUrl, deps);
	const runnerDeps = {
		taskStore: createTaskStore(store),
		queue,
		media: createHttpMediaApi({
			baseUrl: origin,
			apiKey: "key",
			profile: PROFILES.specification,
			clock,
			random: Math.random,
			logger,
		}),
		polling: createPolling({
			durations: createDurationStats(),
			clock,
			random: Math.random,
			pollsPerSecond: () => NO_LIMIT,
			intervalMsMin: 1000,
		}),
		clock,
		random: Math.random,
		logger,
	};
	// No task ends here, so the runner uses none of its other dependencies.
	const runner = createTaskRunner({ ...runnerDeps, ...({} as Omit<TaskRunnerDeps, keyof typeof runnerDeps>) });
	const openTasks = await runner.sweepOpenTasks();
	const recoverMs = performance.now() - startMs;
	const cpu = cpuUsage(cpuBefore);
	eventLoopDelay.disable();
	if (openTasks !== TASKS) throw new Error(`found ${openTasks} of ${TASKS} tasks`);
	const scheduledBytes = heapBytes() - heapBeforeBytes;
	const delayP99Ms = eventLoopDelay.percentile(99) / 1e6;
	const delayMaxMs = eventLoopDelay.max / 1e6;

	// All tasks are due at once: many more than can be polled. The queue on Redis drops polls if it cannot send them fast enough.
	for (let n = 0; n < TASKS; n++) {
		queue.wake(pendingTaskId(n));
		if (n % SCHEDULED_AT_ONCE === 0) await clock.sleep(SCHEDULE_PAUSE_MS);
	}
	eventLoopDelay.reset();
	eventLoopDelay.enable();
	const pollCountBefore = await readPollCount(origin);
	const pollsStartMs = performance.now();
	await clock.sleep(POLLS_MS);
	const polls = (await readPollCount(origin)) - pollCountBefore;
	const pollsPerSecond = polls / ((performance.now() - pollsStartMs) / 1000);
	eventLoopDelay.disable();
	const bytes = heapBytes() - heapBeforeBytes;
	const pollingDelayP99Ms = eventLoopDelay.percentile(99) / 1e6;
	await Promise.race([runner.stop(), clock.sleep(STOP_TIMEOUT_MS)]);
	return {
		recoverMs,
		recoverCpuMs: (cpu.user + cpu.system) / 1000,
		idleP99Ms,
		delayP99Ms,
		delayMaxMs,
		scheduledBytesPerTask: scheduledBytes / TASKS,
		bytesPerTask: bytes / TASKS,
		pollsPerSecond,
		pollingDelayP99Ms,
		barePollsPerSecond,
		shareOfBare: pollsPerSecond / barePollsPerSecond,
	};
}

async function readPollCount(origin: string): Promise<number> {
	return Number(await (await fetch(`${origin}/count`)).text());
}

/** Resolves to the polls per second of loops that do nothing else. */
async function measureBareLoop(origin: string): Promise<number> {
	let polls = 0;
	const startMs = performance.now();
	const loop = async (): Promise<void> => {
		while (performance.now() - startMs < BARE_MS) {
			await (await fetch(`${origin}/api/v1/task/remote-1?refresh=1`)).json();
			polls++;
		}
	};
	await Promise.all(Array.from({ length: POLLS_AT_ONCE }, loop));
	return polls / ((performance.now() - startMs) / 1000);
}

/** Runs a part of this script as a process of its own, and resolves to its first message. */
async function runPart(
	args: readonly string[],
): Promise<{ readonly measurements: Measurements; readonly end: () => Promise<void> }> {
	const script = fileURLToPath(import.meta.url);
	const child = spawn(execPath, ["--expose-gc", script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
	const exited = once(child, "exit");
	let text = "";
	for await (const chunk of child.stdout) {
		text += String(chunk);
		if (text.includes("\n")) break;
	}
	const end = async (): Promise<void> => {
		child.kill("SIGKILL");
		await exited;
	};
	return { measurements: JSON.parse(text) as Measurements, end };
}

function print(name: string, samples: readonly (number | undefined)[], digits: number, target = ""): void {
	stdout.write(
		`${name.padEnd(62)} ${medianAndRange(
			samples.filter((sample) => sample !== undefined),
			digits,
		)}   ${target}\n`,
	);
}

function report(name: string, all: readonly Measurements[], recoverTarget: string): void {
	const samples = (figure: string): (number | undefined)[] => all.map((figures) => figures[figure]);
	stdout.write(`\n${name}\n`);
	print("start until the last task is scheduled, ms", samples("recoverMs"), 0, recoverTarget);
	print("processor time of that, ms", samples("recoverCpuMs"), 0);
	print("event-loop delay meanwhile, p99 ms", samples("delayP99Ms"), 1, "target 20");
	print("event-loop delay of the idle process, p99 ms", samples("idleP99Ms"), 1);
	print("event-loop delay meanwhile, longest ms", samples("delayMaxMs"), 1);
	print("memory in the process for each task, scheduled, bytes", samples("scheduledBytesPerTask"), 0, "target 1024");
	print("the same during the polls, bytes", samples("bytesPerTask"), 0, "target 1024");
	print(`polls per second, ${POLLS_AT_ONCE} at once`, samples("pollsPerSecond"), 0);
	print("event-loop delay meanwhile, p99 ms", samples("pollingDelayP99Ms"), 1);
	print("polls per second of a bare loop", samples("barePollsPerSecond"), 0);
	print("polls / bare", samples("shareOfBare"), 2, "target 0.8");
}

async function main(rounds: number): Promise<void> {
	stdout.write(`${describeMachine()}, ${rounds} rounds in turn, ${TASKS} tasks\n`);
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const redis = REDIS_PROGRAM === undefined ? undefined : await startRedisProcess(["--appendonly", "no"]);
	const storeUrl = `sqlite:${join(folder, "bench.db")}`;
	const server = await runPart(["serve"]);
	const origin = `http://127.0.0.1:${server.measurements["port"]}`;
	const inProcess: Measurements[] = [];
	const onRedis: Measurements[] = [];
	try {
		await storeTasks(storeUrl);
		const client = redis && (await createClient({ url: redis.url }).connect());
		const runOnce = async (results: Measurements[], args: readonly string[]): Promise<void> => {
			await client?.flushAll();
			const { measurements, end } = await runPart(args);
			await end();
			results.push(measurements);
		};
		let redisBytes = 0;
		for (let round = 0; round < rounds; round++) {
			await runOnce(inProcess, ["tasks", storeUrl, origin, ""]);
			if (!redis || !client) continue;
			await runOnce(onRedis, ["tasks", storeUrl, origin, redis.url]);
			redisBytes = Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1]);
		}
		report("the queue in the process", inProcess, "target 3000");
		if (!redis || !client) return;
		report("the queue on Redis", onRedis, "target 5000");
		print("memory in Redis for each task, bytes", [redisBytes / TASKS], 0);
		client.destroy();
	} finally {
		await server.end();
		await redis?.remove();
		await rm(folder, { recursive: true, force: true });
	}
}

const [, , partName = "", ...args] = argv;
if (partName === "serve") await serveRunningTasks();
else if (partName === "tasks") {
	stdout.write(`${JSON.stringify(await runTasks(args[0] ?? "", args[1] ?? "", args[2] ?? ""))}\n`);
} else await main(Number(partName || 5));
