/**
 * How many submits and reads per second does one studio handle on SQLite, compared with bare Fastify routes that write and read
 * the same row? And how much memory does a waiting task need?
 *
 * All sides alternate over keep-alive connections, with clients in a process of their own. The bare route is a plain Fastify
 * server with its own SQLite file (lib/baseline-fastify.ts): one INSERT per request, durable before the response, and a read by
 * primary key. The bench prints the cost of a disk sync, because each INSERT waits for its own, and submits share theirs.
 *
 * The stricter comparison: bare routes in the studio's own app and store, whose writes share a sync as well. A submit writes the
 * account with the hold, the task, its marker and its list entry in one transaction. One bare route writes the same four
 * documents, the other one the task alone: their difference is the cost of a hold in the same transaction. With --inject only
 * these are compared, without sockets, to exclude HTTP.
 *
 * Run: node --expose-gc bench/studio.ts [--clients 64] [--rounds 5] [--inject]   (without --expose-gc the memory includes
 * garbage; TMPDIR selects the disk)
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { createMalformedUrlHandler } from "@atelier/studio/envelope";
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

const TASKS_A_ROUND = 2000;
/** Warm-up rounds, which are not counted. */
const WARM_UP_ROUNDS = 2;
/** Reads are faster: each task is read several times, so that a round of reads lasts as long. */
const READS_A_TASK = 4;
/** Enough accounts that none reaches its limit of open tasks. */
const ACCOUNTS = 200;
const LIMITS = { changesPerWindowMax: 1e9, readsPerWindowMax: 1e9, openTasksPerAccountMax: 1e6, openTasksMax: 1e6 };
const TARGET = 0.5;
/** File systems in memory by `statfs`: tmpfs, ramfs. A sync is free there, and does not make a write durable. */
const MEMORY_FILE_SYSTEMS: readonly number[] = [0x0102_1994, 0x8584_58f6];
const REQUEST = JSON.stringify({ mediaType: "image", model: "fake-image", prompt: "a lighthouse in a storm" });

const { values } = parseArgs({
	options: {
		clients: { type: "string", default: "64" },
		rounds: { type: "string", default: "5" },
		inject: { type: "boolean", default: false },
	},
});
const clients = Number(values.clients);
const rounds = Number(values.rounds);

interface Request {
	readonly method: "GET" | "POST";
	readonly url: string;
	readonly key: string;
}

/** The process under load, with its processor time so far. */
interface MeasuredProcess {
	readonly port: number;
	readonly cpuUsage: () => Promise<NodeJS.CpuUsage>;
}

interface Written {
	readonly account: unknown;
	readonly mark: unknown;
	readonly listed: unknown;
	readonly task: BaselineOptions["task"] & { readonly account: string; readonly createdAtMs: number };
}

interface Figures {
	readonly perSecond: number;
	readonly p99Ms: number;
	/** The processor time per request, independent of other load on the machine. */
	readonly cpuUs: number;
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const store = await openStore(`sqlite:${join(folder, "bench.db")}`);
// An engine that never finishes, so that submitted tasks wait.
const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
const app: FastifyInstance = createHttpServer({ malformedUrlHandlers: [createMalformedUrlHandler(randomBytes)] });
const studio = createStudio({
	store,
	ledger: createLedger({ store, clock: systemClock }),
	clock: systemClock,
	logger: pino({ level: "silent" }),
	engines: [engine],
	mediaDir: join(folder, "media"),
	origin: () => "http://127.0.0.1",
	randomBytes,
	inputOrigins: () => [],
	limits: LIMITS,
});
await studio.register(app);
app.post("/bare", async () => {
	const taskId = randomTaskId(randomBytes, systemClock.nowMs());
	await store.compareAndSet(`bare:${taskId}`, undefined, written.task);
	return { code: 0, data: { taskId } };
});
const accountsRaw: (string | undefined)[] = [];
let turn = 0;
app.post("/bare-whole", async () => {
	const taskId = randomTaskId(randomBytes, systemClock.nowMs());
	const n = turn++ % ACCOUNTS;
	const raws = await store.compareAndSetAll([
		{ key: `bare-account:${n}`, expectedRaw: accountsRaw[n], next: written.account },
		{ key: `bare-open:${taskId}`, expectedRaw: undefined, next: written.mark },
		{ key: `bare:${taskId}`, expectedRaw: undefined, next: written.task },
		{ key: `bare-list:${n}:${taskId}`, expectedRaw: undefined, next: written.listed },
	]);
	accountsRaw[n] = raws?.[0];
	return { code: raws ? 0 : -1, data: { taskId } };
});
app.get<{ Params: { id: string } }>("/bare/:id", (request) =>
	store.get(`bare:${request.params.id}`).then((found) => ({ code: 0, data: found?.value })),
);
await app.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.address() as AddressInfo;
await studio.start();
const names = Array.from({ length: ACCOUNTS }, (_, n) => `bench-${n}`);
const keys = await Promise.all(
	names.map(async (account) => (await studio.createKey({ account, name: "bench", grantCredits: 1_000_000 })).key),
);
const here: MeasuredProcess = { port, cpuUsage: async () => process.cpuUsage() };
const loader = fork(fileURLToPath(new URL("http-load.ts", import.meta.url)), { execArgv: [] });

async function openLiteral(task: Written["task"]): Promise<MeasuredProcess & { close(): void }> {
	const server = fork(fileURLToPath(new URL("lib/baseline-fastify.ts", import.meta.url)), { execArgv: [] });
	const request: BaselineOptions = { path: join(folder, "literal.db"), task };
	server.send(request);
	const [literalPort] = (await once(server, "message")) as [number];
	return {
		port: literalPort,
		async cpuUsage() {
			server.send("cpu");
			return ((await once(server, "message")) as [NodeJS.CpuUsage])[0];
		},
		close: () => server.disconnect(),
	};
}

async function overSockets(requests: readonly Request[], { port: to }: MeasuredProcess): Promise<LoadReport> {
	const request: LoadPlan = { port: to, clients, requests: requests.map(onTheWire) };
	loader.send(request);
	const [report] = (await once(loader, "message")) as [LoadReport];
	return report;
}

function onTheWire({ method, url, key }: Request): string {
	const head = `${method} ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`;
	if (method === "GET") return `${head}\r\n`;
	return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(REQUEST)}\r\n\r\n${REQUEST}`;
}

async function injected(requests: readonly Request[]): Promise<LoadReport> {
	const tookMs: number[] = [];
	const bodies: string[] = [];
	let next = 0;
	const startedAtMs = performance.now();
	const client = async (): Promise<void> => {
		for (let n = next++; n < requests.length; n = next++) {
			const { method = "GET", url = "", key = "" } = requests[n] ?? {};
			const askedAtMs = performance.now();
			const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
			const { statusCode, body } = await app.inject({
				method,
				url,
				headers,
				...(method === "POST" && { payload: REQUEST }),
			});
			assert.equal(statusCode, 200, body);
			bodies[n] = body;
			tookMs[n] = performance.now() - askedAtMs;
		}
	};
	await Promise.all(Array.from({ length: clients }, client));
	return { seconds: (performance.now() - startedAtMs) / 1000, tookMs, bodies };
}

type Measured = Figures & { readonly bodies: readonly string[] };

async function measure(requests: readonly Request[], measured: MeasuredProcess = here): Promise<Measured> {
	const before = await measured.cpuUsage();
	const { seconds, tookMs, bodies } = await (values.inject ? injected(requests) : overSockets(requests, measured));
	const after = await measured.cpuUsage();
	const count = requests.length;
	const p99Ms = tookMs.toSorted((a, b) => a - b)[Math.floor(count * 0.99)] ?? Number.NaN;
	return { perSecond: count / seconds, p99Ms, cpuUs: (usOf(after) - usOf(before)) / count, bodies };
}

const usOf = ({ user, system }: NodeJS.CpuUsage): number => user + system;
const keyOf = (n: number): string => keys[n % ACCOUNTS] ?? "";
const posts = (url: string): Request[] =>
	Array.from({ length: TASKS_A_ROUND }, (_, n) => ({ method: "POST", url, key: keyOf(n) }));
const idsIn = (bodies: readonly string[]): string[] =>
	bodies.map((body) => (JSON.parse(body) as { data: { taskId: string } }).data.taskId);
const gets = (ids: readonly string[], urlOf: (id: string) => string): Request[] =>
	Array.from({ length: READS_A_TASK }, () => ids)
		.flat()
		.map((id, n) => ({ method: "GET", url: urlOf(id), key: keyOf(n) }));

async function valueOf<T>(key: string): Promise<T> {
	const found = await store.get<T>(key);
	assert(found, `a submit has not written ${key}`);
	return found.value;
}

async function writtenBy([taskId = ""]: readonly string[]): Promise<Written> {
	const task = await valueOf<Written["task"]>(`studio-task:${taskId}`);
	const { account, createdAtMs } = task;
	return {
		task,
		account: await valueOf(accountKey(ledgerAccount(account))),
		mark: await valueOf(`studio-open:${taskId}`),
		listed: await valueOf(taskListKey(account, { taskId, createdAtMs })),
	};
}

/** The submits of the previous round. */
let written = await writtenBy(idsIn((await measure(posts("/api/v1/generate").slice(0, 1))).bodies));
const literal = values.inject ? undefined : await openLiteral(written.task);
const figures = new Map<string, Figures[]>();
let heapBefore = 0;
for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
	const literalSubmit = literal && (await measure(posts("/tasks"), literal));
	const literalRead =
		literal &&
		(await measure(
			gets(idsIn(literalSubmit?.bodies ?? []), (id) => `/tasks/${id}`),
			literal,
		));
	const bareTask = await measure(posts("/bare"));
	const bareWhole = await measure(posts("/bare-whole"));
	assert(bareWhole.bodies.every((body) => body.startsWith('{"code":0,')));
	const submit = await measure(posts("/api/v1/generate"));
	written = await writtenBy(idsIn(submit.bodies));
	const bareRead = await measure(gets(idsIn(bareTask.bodies), (id) => `/bare/${id}`));
	const read = await measure(gets(idsIn(submit.bodies), (id) => `/api/v1/task/${id}?refresh=1`));
	if (round <= 0) {
		heapBefore = heapBytes();
		continue;
	}
	const measured = { submit, literalSubmit, bareWhole, bareTask, read, literalRead, bareRead };
	for (const [name, figure] of Object.entries(measured)) {
		if (!figure) continue;
		const { bodies: _, ...kept } = figure;
		figures.set(name, [...(figures.get(name) ?? []), kept]);
	}
}
const bytesEach = (heapBytes() - heapBefore) / (rounds * TASKS_A_ROUND);

const print = (name: string, text: string): boolean => process.stdout.write(`${name.padEnd(66)} ${text}\n`);

function spread(samples: readonly number[], digits = 0): string {
	const sorted = samples.toSorted((a, b) => a - b);
	const at = (n: number): string => (sorted.at(n) ?? Number.NaN).toFixed(digits);
	return `${at(Math.floor(sorted.length / 2))}   (${at(0)} to ${at(-1)})`;
}

const load = loadavg()[0] ?? 0;
print("machine", `${cpus().length} cores of ${cpus()[0]?.model ?? "an unknown kind"}, Node ${process.version}`);
print("load of the machine, a minute's mean", load.toFixed(1));
print("asked", values.inject ? "without sockets" : "over sockets");
print("clients; tasks that wait at the end", `${clients}; ${(WARM_UP_ROUNDS + rounds) * TASKS_A_ROUND}`);
const sizeOf = (json: unknown): string => `${Buffer.byteLength(JSON.stringify(json))}`;
const { type } = await statfs(folder);
const isInMemory = MEMORY_FILE_SYSTEMS.includes(type);
print("a sync of the disk, ms", spread(diskSyncMs(join(folder, "sync")), 2));
if (isInMemory) print("where it lies", "in memory: a sync is free there. Set TMPDIR to a folder on a disk");
print("bytes of a task's JSON", sizeOf(written.task));
const each = (measured: readonly Figures[], figure: keyof Figures): number[] => measured.map((one) => one[figure]);
const OUTPUT = {
	submit: "submit",
	literalSubmit: "bare route, its own row and sync",
	bareWhole: "bare route in our store, all that a submit writes",
	bareTask: "bare route in our store, the task alone",
	read: "read",
	literalRead: "bare read, its own row",
	bareRead: "bare read in our store",
};
for (const [name, line] of Object.entries(OUTPUT)) {
	const measured = figures.get(name);
	if (!measured) continue;
	print(`${line}, per second`, spread(each(measured, "perSecond")));
	print(`${line}, p99 ms`, spread(each(measured, "p99Ms"), 1));
	print(`${line}, processor, us each`, spread(each(measured, "cpuUs")));
}
for (const [name, bare] of [
	["submit", "literalSubmit"],
	["read", "literalRead"],
	["submit", "bareWhole"],
	["submit", "bareTask"],
	["read", "bareRead"],
] as const) {
	const [ours, theirs] = [figures.get(name) ?? [], figures.get(bare)];
	if (!theirs) continue;
	const ratios = (of: (ours: Figures, theirs: Figures) => number): number[] =>
		ours.flatMap((one, n) => (theirs[n] ? of(one, theirs[n]) : []));
	const perSecond = ratios((one, other) => one.perSecond / other.perSecond);
	const byProcessor = ratios((one, other) => other.cpuUs / one.cpuUs);
	const isTarget = bare === "literalSubmit" || bare === "literalRead";
	print(`${name} / ${OUTPUT[bare]}`, spread(perSecond, 2) + (isTarget ? `   ${verdictOn(perSecond)}` : ""));
	print(`the same, by processor`, spread(byProcessor, 2));
}
print("memory per waiting task, bytes", bytesEach.toFixed(0));

loader.disconnect();
literal?.close();
await studio.stop();
await app.close();
await store.close();
await rm(folder, { recursive: true, force: true });

/** The minimum of the rounds. */
function verdictOn(ratios: readonly number[]): string {
	if (isInMemory) return "(no verdict: this disk is not durable)";
	return Math.min(...ratios) >= TARGET ? "ok" : `LESS THAN ${TARGET}`;
}

/** Measures the heap after a collection, if one can be forced. */
function heapBytes(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}
