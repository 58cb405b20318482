/**
 * How many submits and reads per second does one studio handle on SQLite, compared with bare Fastify routes that write and read
 * the same row? And how much memory does a waiting task need?
 *
 * The studio and its baselines take turns in each round, over keep-alive connections; the clients run in a process of their own.
 *
 * The baseline server is a plain Fastify server with its own SQLite file (lib/baseline-fastify.ts): one INSERT per request,
 * durable before the response, and a read by primary key. The bench prints the cost of a disk sync, because each INSERT waits
 * for its own sync, and concurrent submits share one.
 *
 * The stricter baselines are bare routes in the studio's own app and store, whose writes share a sync as well. A submit writes
 * four documents in one transaction: the account with the hold, the task, its marker of an open task and its list entry. One
 * bare route writes the same four documents, the other one the task alone. With --inject the bench compares only these, without
 * sockets, to exclude HTTP.
 *
 * Run: node --expose-gc bench/studio.ts [--clients 64] [--rounds 5] [--inject]   (without --expose-gc the memory includes
 * garbage; TMPDIR selects the disk)
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import { accountKey } from "@atelier/ledger/journal";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import { ledgerAccount } from "@atelier/studio/keys";
import { createStudio } from "@atelier/studio/studio";
import { randomTaskId } from "@atelier/studio/task-id";
import { taskListKey } from "@atelier/studio/task-list-key";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import type { LoadPlan, LoadReport } from "./http-load.ts";
import { diskSyncMs } from "./lib/disk-sync.ts";
import type { BaselineOptions } from "./lib/baseline-fastify.ts";
import { describeMachine, medianAndRange, quantile } from "./lib/statistics.ts";

const TASKS_PER_ROUND = 2000;
/** Warm-up rounds, which are not counted. */
const WARM_UP_ROUNDS = 2;
/** Reads are faster than submits: each task is read several times, so that a round of reads takes about as long. */
const READS_PER_TASK = 4;
/** Enough accounts that none reaches its limit of open tasks. */
const ACCOUNTS = 200;
const LIMITS = { changesPerWindowMax: 1e9, readsPerWindowMax: 1e9, openTasksPerAccountMax: 1e6, openTasksMax: 1e6 };
const RATIO_MIN = 0.5;
/** File systems in memory by `statfs`: tmpfs, ramfs. A sync is free there, and does not make a write durable. */
const MEMORY_FILE_SYSTEMS: readonly number[] = [0x0102_1994, 0x8584_58f6];
const SUBMIT_BODY = JSON.stringify({ mediaType: "image", model: "fake-image", prompt: "a lighthouse in a storm" });

const { values } = parseArgs({
	options: {
		clients: { type: "string", default: "64" },
		rounds: { type: "string", default: "5" },
		inject: { type: "boolean", default: false },
	},
});
const clients = Number(values.clients);
const rounds = Number(values.rounds);

interface BenchRequest {
	readonly method: "GET" | "POST";
	readonly url: string;
	readonly apiKey: string;
}

/** The process under load, with its processor time so far. */
interface MeasuredProcess {
	readonly port: number;
	readonly cpuUsage: () => Promise<NodeJS.CpuUsage>;
}

interface SubmitDocuments {
	readonly account: unknown;
	readonly openMarker: unknown;
	readonly listEntry: unknown;
	readonly task: BaselineOptions["task"] & { readonly account: string; readonly createdAtMs: number };
}

interface RoundFigures {
	readonly perSecond: number;
	readonly p99Ms: number;
	/** The processor time per request, independent of other load on the machine. */
	readonly cpuUs: number;
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const store = await openStore(`sqlite:${join(folder, "bench.db")}`);
// An engine that never finishes, so that submitted tasks wait.
const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
const app: FastifyInstance = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
const studio = createStudio({
	store,
	ledger: createLedger({ store, clock: systemClock }),
	clock: systemClock,
	logger: pino({ level: "silent" }),
	engines: [engine],
	mediaDir: join(folder, "media"),
	origin: () => "http://127.0.0.1",
	randomBytes,
	randomUUID,
	inputOrigins: () => [],
	limits: LIMITS,
});
await studio.register(app);
app.post("/bare", async () => {
	const taskId = randomTaskId(randomUUID(), systemClock.nowMs());
	await store.compareAndSet(`bare:${taskId}`, undefined, submitDocuments.task);
	return { code: 0, data: { taskId } };
});
const accountRaws: (string | undefined)[] = [];
let submitCount = 0;
app.post("/bare-all-documents", async () => {
	const taskId = randomTaskId(randomUUID(), systemClock.nowMs());
	const n = submitCount++ % ACCOUNTS;
	const raws = await store.compareAndSetAll([
		{ key: `bare-account:${n}`, expectedRaw: accountRaws[n], next: submitDocuments.account },
		{ key: `bare-open:${taskId}`, expectedRaw: undefined, next: submitDocuments.openMarker },
		{ key: `bare:${taskId}`, expectedRaw: undefined, next: submitDocuments.task },
		{ key: `bare-list:${n}:${taskId}`, expectedRaw: undefined, next: submitDocuments.listEntry },
	]);
	accountRaws[n] = raws?.[0];
	return { code: raws ? 0 : -1, data: { taskId } };
});
app.get<{ Params: { id: string } }>("/bare/:id", (request) =>
	store.get(`bare:${request.params.id}`).then((found) => ({ code: 0, data: found?.value })),
);
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as AddressInfo;
await studio.start();
const accountNames = Array.from({ length: ACCOUNTS }, (_, n) => `bench-${n}`);
const apiKeys = await Promise.all(
	accountNames.map(
		async (account) => (await studio.createKey({ account, name: "bench", grantCredits: 1_000_000 })).key,
	),
);
const studioProcess: MeasuredProcess = { port, cpuUsage: async () => process.cpuUsage() };
const loadProcess = fork(fileURLToPath(new URL("http-load.ts", import.meta.url)), { execArgv: [] });

async function startBaseline(task: SubmitDocuments["task"]): Promise<MeasuredProcess & { close(): void }> {
	const server = fork(fileURLToPath(new URL("lib/baseline-fastify.ts", import.meta.url)), { execArgv: [] });
	const baselineOptions: BaselineOptions = { path: join(folder, "baseline.db"), task };
	server.send(baselineOptions);
	const [baselinePort] = (await once(server, "message")) as [number];
	return {
		port: baselinePort,
		async cpuUsage() {
			server.send("cpu");
			return ((await once(server, "message")) as [NodeJS.CpuUsage])[0];
		},
		close: () => server.disconnect(),
	};
}

async function sendOverSockets(requests: readonly BenchRequest[], target: MeasuredProcess): Promise<LoadReport> {
	const plan: LoadPlan = { port: target.port, clients, requests: requests.map(rawHttpOf) };
	loadProcess.send(plan);
	const [report] = (await once(loadProcess, "message")) as [LoadReport];
	return report;
}

function rawHttpOf({ method, url, apiKey }: BenchRequest): string {
	const head = `${method} ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKey}\r\n`;
	if (method === "GET") return `${head}\r\n`;
	return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(SUBMIT_BODY)}\r\n\r\n${SUBMIT_BODY}`;
}

async function sendInjected(requests: readonly BenchRequest[]): Promise<LoadReport> {
	const tookMs: number[] = [];
	const bodies: string[] = [];
	let next = 0;
	const startedAtMs = performance.now();
	const client = async (): Promise<void> => {
		for (let n = next++; n < requests.length; n = next++) {
			const { method = "GET", url = "", apiKey = "" } = requests[n] ?? {};
			const sentAtMs = performance.now();
			const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
			const { statusCode, body } = await app.inject({
				method,
				url,
				headers,
				...(method === "POST" && { payload: SUBMIT_BODY }),
			});
			assert.equal(statusCode, 200, body);
			bodies[n] = body;
			tookMs[n] = performance.now() - sentAtMs;
		}
	};
	await Promise.all(Array.from({ length: clients }, client));
	return { seconds: (performance.now() - startedAtMs) / 1000, tookMs, bodies };
}

type Measurement = RoundFigures & { readonly bodies: readonly string[] };

async function measure(
	requests: readonly BenchRequest[],
	target: MeasuredProcess = studioProcess,
): Promise<Measurement> {
	const before = await target.cpuUsage();
	const { seconds, tookMs, bodies } = await (values.inject
		? sendInjected(requests)
		: sendOverSockets(requests, target));
	const after = await target.cpuUsage();
	const count = requests.length;
	const p99Ms = quantile(tookMs, 0.99);
	return { perSecond: count / seconds, p99Ms, cpuUs: (usOf(after) - usOf(before)) / count, bodies };
}

const usOf = ({ user, system }: NodeJS.CpuUsage): number => user + system;
const apiKeyOf = (n: number): string => apiKeys[n % ACCOUNTS] ?? "";
const submitRequests = (url: string): BenchRequest[] =>
	Array.from({ length: TASKS_PER_ROUND }, (_, n) => ({ method: "POST", url, apiKey: apiKeyOf(n) }));
const taskIdsIn = (bodies: readonly string[]): string[] =>
	bodies.map((body) => (JSON.parse(body) as { data: { taskId: string } }).data.taskId);
const readRequests = (ids: readonly string[], urlOf: (id: string) => string): BenchRequest[] =>
	Array.from({ length: READS_PER_TASK }, () => ids)
		.flat()
		.map((id, n) => ({ method: "GET", url: urlOf(id), apiKey: apiKeyOf(n) }));

async function valueOf<T>(key: string): Promise<T> {
	const found = await store.get<T>(key);
	assert(found, `the submit wrote no document ${key}`);
	return found.value;
}

async function readSubmitDocuments([taskId = ""]: readonly string[]): Promise<SubmitDocuments> {
	const task = await valueOf<SubmitDocuments["task"]>(`studio-task:${taskId}`);
	const { account, createdAtMs } = task;
	return {
		task,
		account: await valueOf(accountKey(ledgerAccount(account))),
		openMarker: await valueOf(`studio-open:${taskId}`),
		listEntry: await valueOf(taskListKey(account, { taskId, createdAtMs })),
	};
}

/** The documents of one submit of the previous round. The bare routes write the same content. */
let submitDocuments = await readSubmitDocuments(
	taskIdsIn((await measure(submitRequests("/api/v1/generate").slice(0, 1))).bodies),
);
const baseline = values.inject ? undefined : await startBaseline(submitDocuments.task);
const figuresByName = new Map<string, RoundFigures[]>();
let heapBeforeBytes = 0;
for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
	const baselineSubmit = baseline && (await measure(submitRequests("/tasks"), baseline));
	const baselineRead =
		baseline &&
		(await measure(
			readRequests(taskIdsIn(baselineSubmit?.bodies ?? []), (id) => `/tasks/${id}`),
			baseline,
		));
	const bareTaskOnly = await measure(submitRequests("/bare"));
	const bareAllDocuments = await measure(submitRequests("/bare-all-documents"));
	assert(bareAllDocuments.bodies.every((body) => body.startsWith('{"code":0,')));
	const submit = await measure(submitRequests("/api/v1/generate"));
	submitDocuments = await readSubmitDocuments(taskIdsIn(submit.bodies));
	const bareRead = await measure(readRequests(taskIdsIn(bareTaskOnly.bodies), (id) => `/bare/${id}`));
	const read = await measure(readRequests(taskIdsIn(submit.bodies), (id) => `/api/v1/task/${id}?refresh=1`));
	if (round <= 0) {
		heapBeforeBytes = heapBytes();
		continue;
	}
	const measurements = { submit, baselineSubmit, bareAllDocuments, bareTaskOnly, read, baselineRead, bareRead };
	for (const [name, measurement] of Object.entries(measurements)) {
		if (!measurement) continue;
		const { bodies: _, ...figures } = measurement;
		figuresByName.set(name, [...(figuresByName.get(name) ?? []), figures]);
	}
}
const heapBytesPerTask = (heapBytes() - heapBeforeBytes) / (rounds * TASKS_PER_ROUND);

const print = (name: string, text: string): boolean => process.stdout.write(`${name.padEnd(78)} ${text}\n`);

const machineLoad = loadavg()[0] ?? 0;
print("machine", describeMachine());
print("load of the machine, mean of a minute", machineLoad.toFixed(1));
print("transport", values.inject ? "in the process, without sockets" : "sockets");
print("clients; tasks that wait at the end", `${clients}; ${(WARM_UP_ROUNDS + rounds) * TASKS_PER_ROUND}`);
const jsonBytesOf = (json: unknown): string => `${Buffer.byteLength(JSON.stringify(json))}`;
const { type } = await statfs(folder);
const isInMemory = MEMORY_FILE_SYSTEMS.includes(type);
print("a sync of the disk, ms", medianAndRange(diskSyncMs(join(folder, "sync")), 2));
if (isInMemory) print("file system", "in memory: a sync is free there. Set TMPDIR to a folder on a disk");
print("bytes of a task's JSON", jsonBytesOf(submitDocuments.task));
const samplesOf = (roundFigures: readonly RoundFigures[], field: keyof RoundFigures): number[] =>
	roundFigures.map((one) => one[field]);
const OUTPUT = {
	submit: "submit",
	baselineSubmit: "baseline server, a row and a sync each",
	bareAllDocuments: "bare route in our store, the four documents of a submit",
	bareTaskOnly: "bare route in our store, the task alone",
	read: "read",
	baselineRead: "baseline server, read of a row",
	bareRead: "bare read in our store",
};
for (const [name, label] of Object.entries(OUTPUT)) {
	const samples = figuresByName.get(name);
	if (!samples) continue;
	print(`${label}, per second`, medianAndRange(samplesOf(samples, "perSecond")));
	print(`${label}, p99 ms`, medianAndRange(samplesOf(samples, "p99Ms"), 1));
	print(`${label}, processor, us each`, medianAndRange(samplesOf(samples, "cpuUs")));
}
for (const [name, baselineName] of [
	["submit", "baselineSubmit"],
	["read", "baselineRead"],
	["submit", "bareAllDocuments"],
	["submit", "bareTaskOnly"],
	["read", "bareRead"],
] as const) {
	const [ours, theirs] = [figuresByName.get(name) ?? [], figuresByName.get(baselineName)];
	if (!theirs) continue;
	const ratios = (ratioOf: (ours: RoundFigures, theirs: RoundFigures) => number): number[] =>
		ours.flatMap((one, n) => (theirs[n] ? ratioOf(one, theirs[n]) : []));
	const perSecond = ratios((one, other) => one.perSecond / other.perSecond);
	const cpuRatios = ratios((one, other) => other.cpuUs / one.cpuUs);
	const isTarget = baselineName === "baselineSubmit" || baselineName === "baselineRead";
	print(
		`${name} / ${OUTPUT[baselineName]}`,
		medianAndRange(perSecond, 2) + (isTarget ? `   ${verdictOn(perSecond)}` : ""),
	);
	print(`the same ratio, by processor time`, medianAndRange(cpuRatios, 2));
}
print("memory per waiting task, bytes", heapBytesPerTask.toFixed(0));

loadProcess.disconnect();
baseline?.close();
await studio.stop();
await app.close();
await store.close();
await rm(folder, { recursive: true, force: true });

/** Compares the ratio of the worst round with the minimum. */
function verdictOn(ratios: readonly number[]): string {
	if (isInMemory) return "(no verdict: this disk is not durable)";
	return Math.min(...ratios) >= RATIO_MIN ? "ok" : `LESS THAN ${RATIO_MIN}`;
}

/** Measures the heap after a collection, if one can be forced. */
function heapBytes(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}
