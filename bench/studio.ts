/**
 * How many submits and reads per second does one studio handle on SQLite, compared with bare Fastify routes? And how much memory
 * does a waiting task need?
 *
 * The studio and the bare server (processes/baseline-studio-server.ts) take turns in each round, over keep-alive connections. Each of
 * them, and all clients together, run in a process of their own. A submit writes four documents in one transaction: the account with
 * the hold, the task, its marker of an open task and its list entry. A read gets two: the API key and the task. The goals compare with
 * bare routes that write and read the same documents, the API key included, and share syncs in the same way. They validate nothing,
 * and omit the page of the journal that every eighth submit of an account also writes. Two more bare routes write and read the task alone.
 *
 * Run: node tools/node24.mjs bench/studio.ts [--clients 64] [--rounds 5]   (TMPDIR selects the disk)
 */
import assert from "node:assert/strict";
import { fork, type ChildProcess, type Serializable } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { accountKey } from "@atelier/ledger/journal";
import { openStore } from "@atelier/store/open-store";
import { ledgerAccount } from "@atelier/studio/api-keys";
import { taskListKey } from "@atelier/studio/task-list-key";
import type { LoadPlan, LoadReport } from "./processes/http-clients.ts";
import type { BareServerOptions, SubmitDocuments } from "./processes/baseline-studio-server.ts";
import { diskSyncMs } from "./lib/disk-sync.ts";
import { describeMachine, median, medianAndRange, quantile } from "./lib/statistics.ts";
import type { StudioAddress, StudioOptions } from "./processes/studio-server.ts";

const TASKS_PER_ROUND = 2000;
/** Rounds that are not counted: so many and one more of the studio alone, then so many of both servers. */
const WARM_UP_ROUNDS = 2;
/** Reads are faster than submits: each task is read several times, so that a round of reads takes about as long. */
const READS_PER_TASK = 4;
/** Enough accounts that none reaches the ledger's limit of open holds: each task that waits has one. */
const ACCOUNTS = 200;
const READ_RATIO_MIN = 0.9;
const SUBMIT_RATIO_MIN = 0.8;
/** File systems in memory by `statfs`: tmpfs, ramfs. A sync is free there, and does not make a write durable. */
const MEMORY_FILE_SYSTEMS: readonly number[] = [0x0102_1994, 0x8584_58f6];
const SUBMIT_BODY = JSON.stringify({ mediaType: "image", model: "fake-image", prompt: "a lighthouse in a storm" });

const { values } = parseArgs({
	options: {
		clients: { type: "string", default: "64" },
		rounds: { type: "string", default: "5" },
	},
});
const clients = Number(values.clients);
const rounds = Number(values.rounds);

interface BenchRequest {
	readonly method: "GET" | "POST";
	readonly url: string;
	readonly apiKey: string;
}

/** The process under load. */
interface MeasuredProcess {
	readonly port: number;
	readonly server: ChildProcess;
}

interface RoundFigures {
	readonly perSecond: number;
	readonly p99Ms: number;
	/** The processor time per request, independent of other load on the machine. */
	readonly cpuUs: number;
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const storeUrl = `sqlite:${join(folder, "bench.db")}`;
const accounts = Array.from({ length: ACCOUNTS }, (_, n) => `bench-${n}`);
const studio = await startStudio({ folder, storeUrl, accounts });
/** Reads the documents that the studio writes. */
const store = await openStore(storeUrl);
const { apiKeys } = studio;
const loadProcess = fork(fileURLToPath(new URL("processes/http-clients.ts", import.meta.url)), { execArgv: [] });

async function startStudio(options: StudioOptions): Promise<MeasuredProcess & StudioAddress> {
	const server = startServer("processes/studio-server.ts");
	return { ...(await ask<StudioAddress>(server, options)), server };
}

async function startBareServer(options: BareServerOptions): Promise<MeasuredProcess> {
	const server = startServer("processes/baseline-studio-server.ts");
	return { port: await ask<number>(server, options), server };
}

function startServer(path: string): ChildProcess {
	return fork(fileURLToPath(new URL(path, import.meta.url)), { execArgv: [] });
}

async function ask<T>(server: ChildProcess, message: Serializable): Promise<T> {
	server.send(message);
	return ((await once(server, "message")) as [T])[0];
}

async function send(requests: readonly BenchRequest[], target: MeasuredProcess): Promise<LoadReport> {
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

type Measurement = RoundFigures & { readonly bodies: readonly string[] };

async function measure(requests: readonly BenchRequest[], target: MeasuredProcess = studio): Promise<Measurement> {
	const before = await ask<NodeJS.CpuUsage>(target.server, "cpu");
	const { seconds, tookMs, bodies } = await send(requests, target);
	const after = await ask<NodeJS.CpuUsage>(target.server, "cpu");
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
	const task = await valueOf<SubmitDocuments["task"] & { readonly account: string; readonly createdAtMs: number }>(
		`studio-task:${taskId}`,
	);
	const { account, createdAtMs } = task;
	return {
		task,
		account: await valueOf(accountKey(ledgerAccount(account))),
		openMarker: await valueOf(`studio-open:${taskId}`),
		listEntry: await valueOf(taskListKey(account, { taskId, createdAtMs })),
	};
}

async function readKeyDocument(key: string): Promise<readonly [sha256: string, document: unknown]> {
	const sha256 = hash("sha256", key);
	return [sha256, await valueOf(`studio-key:${sha256}`)];
}

const heapBytes = (): Promise<number> => ask<number>(studio.server, "heap");

for (let round = 0; round < WARM_UP_ROUNDS; round++) await measure(submitRequests("/api/v1/generate"));
const warmUp = await measure(submitRequests("/api/v1/generate"));
/** The documents of one submit of the previous round. The bare routes write the same content. */
let documents = await readSubmitDocuments(taskIdsIn(warmUp.bodies).slice(-1));
const bareServer = await startBareServer({
	path: join(folder, "bare.db"),
	keys: await Promise.all(apiKeys.map(readKeyDocument)),
});
const figuresByName = new Map<string, RoundFigures[]>();
let heapBeforeBytes = 0;
for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
	bareServer.server.send(documents);
	const submit = await measure(submitRequests("/api/v1/generate"));
	const taskIds = taskIdsIn(submit.bodies);
	documents = await readSubmitDocuments(taskIds.slice(-1));
	const bareSubmit = await measure(submitRequests("/tasks"), bareServer);
	const bareSubmitTaskAlone = await measure(submitRequests("/tasks-alone"), bareServer);
	const bareTaskIds = taskIdsIn(bareSubmit.bodies);
	const read = await measure(readRequests(taskIds, (id) => `/api/v1/task/${id}?refresh=1`));
	const bareRead = await measure(
		readRequests(bareTaskIds, (id) => `/tasks/${id}`),
		bareServer,
	);
	const bareReadTaskAlone = await measure(
		readRequests(bareTaskIds, (id) => `/tasks-alone/${id}`),
		bareServer,
	);
	if (round <= 0) {
		heapBeforeBytes = await heapBytes();
		continue;
	}
	const measurements = { submit, bareSubmit, bareSubmitTaskAlone, read, bareRead, bareReadTaskAlone };
	for (const [name, { bodies: _, ...figures }] of Object.entries(measurements)) {
		figuresByName.set(name, [...(figuresByName.get(name) ?? []), figures]);
	}
}

const heapBytesPerTask = ((await heapBytes()) - heapBeforeBytes) / (rounds * TASKS_PER_ROUND);

const print = (name: string, text: string): boolean => process.stdout.write(`${name.padEnd(78)} ${text}\n`);

const machineLoad = loadavg()[0] ?? 0;
print("machine", describeMachine());
print("load of the machine, mean of a minute", machineLoad.toFixed(1));
print("clients; tasks that wait at the end", `${clients}; ${(2 * WARM_UP_ROUNDS + 1 + rounds) * TASKS_PER_ROUND}`);
const jsonBytesOf = (json: unknown): string => `${Buffer.byteLength(JSON.stringify(json))}`;
const { type } = await statfs(folder);
const isInMemory = MEMORY_FILE_SYSTEMS.includes(type);
print("a sync of the disk, ms", medianAndRange(diskSyncMs(join(folder, "sync")), 2));
if (isInMemory) print("file system", "in memory: a sync is free there. Set TMPDIR to a folder on a disk");
print("bytes of a task's JSON", jsonBytesOf(documents.task));
const samplesOf = (roundFigures: readonly RoundFigures[], field: keyof RoundFigures): number[] =>
	roundFigures.map((figures) => figures[field]);
/** The printed name of each measurement. */
const OUTPUT = {
	submit: "submit",
	bareSubmit: "bare submit of the same documents",
	bareSubmitTaskAlone: "bare submit of the task alone",
	read: "read",
	bareRead: "bare read of the same documents",
	bareReadTaskAlone: "bare read of the task alone",
};
for (const [name, label] of Object.entries(OUTPUT)) {
	const samples = figuresByName.get(name) ?? [];
	print(`${label}, per second`, medianAndRange(samplesOf(samples, "perSecond")));
	print(`${label}, p99 ms`, medianAndRange(samplesOf(samples, "p99Ms"), 1));
	print(`${label}, processor, us each`, medianAndRange(samplesOf(samples, "cpuUs")));
}
for (const [name, bareName, ratioMin] of [
	["submit", "bareSubmit", SUBMIT_RATIO_MIN],
	["submit", "bareSubmitTaskAlone", undefined],
	["read", "bareRead", READ_RATIO_MIN],
	["read", "bareReadTaskAlone", undefined],
] as const) {
	const [ours, bare] = [figuresByName.get(name) ?? [], figuresByName.get(bareName) ?? []];
	const perSecond = ratiosOf(samplesOf(ours, "perSecond"), samplesOf(bare, "perSecond"));
	const cpuRatios = ratiosOf(samplesOf(bare, "cpuUs"), samplesOf(ours, "cpuUs"));
	const verdict = ratioMin === undefined ? "" : `   ${verdictOn(perSecond, ratioMin)}`;
	print(`${name} / ${OUTPUT[bareName]}`, medianAndRange(perSecond, 2) + verdict);
	print(`the same ratio, by processor time`, medianAndRange(cpuRatios, 2));
}
print("memory per waiting task, bytes of the heap", heapBytesPerTask.toFixed(0));

for (const child of [loadProcess, studio.server, bareServer.server]) child.disconnect();
await Promise.all([studio.server, bareServer.server].map((server) => once(server, "exit")));
await store.close();
await rm(folder, { recursive: true, force: true });

function ratiosOf(ours: readonly number[], divisors: readonly number[]): number[] {
	return ours.map((value, round) => value / (divisors[round] ?? Number.NaN));
}

/** Compares the median with the goal. */
function verdictOn(ratios: readonly number[], ratioMin: number): string {
	if (isInMemory) return "(no verdict: this disk is not durable)";
	return median(ratios) >= ratioMin ? "ok" : `LESS THAN ${ratioMin}`;
}
