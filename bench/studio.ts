/**
 * How many submits and reads does one studio take on SQLite, beside a bare Fastify route that writes and reads the same row
 * with the same store? And: what does a task that waits cost in memory?
 *
 * Both are asked in turn in one process, without sockets, so that what is compared is the work and not the network. A submit
 * marks the task as open, lists it, reserves its credits and writes the task; the bare route writes the task alone.
 *
 * Run: node --expose-gc bench/studio.ts [--clients 64]   (without --expose-gc memory counts what has yet to be collected)
 */
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { systemClock } from "../src/clock.ts";
import { createHttpApp } from "../src/http-app.ts";
import { createLedger } from "../src/services/ledger/ledger.ts";
import { openStore } from "../src/services/store/open-store.ts";
import { createStudio } from "../src/studio/studio.ts";
import { createFakeEngine } from "../test/fakes/fake-engine.ts";

const ROUNDS = 5;
const TASKS_A_ROUND = 2000;
const LIMITS = { changesPerWindowMax: 1e9, readsPerWindowMax: 1e9, openTasksPerAccountMax: 1e6, openTasksMax: 1e6 };
const ORDER = JSON.stringify({ mediaType: "image", model: "fake-image", prompt: "a lighthouse in a storm" });
const JSON_TYPE = { "content-type": "application/json" };

const { values } = parseArgs({ options: { clients: { type: "string", default: "64" } } });
const clients = Number(values.clients);

/** Requests per second of so many clients, and how long the slowest of a hundred takes. */
async function load(count: number, ask: (n: number) => Promise<void>): Promise<{ perSecond: number; p99Ms: number }> {
	const tookMs: number[] = [];
	let next = 0;
	const startedAtMs = performance.now();
	const client = async (): Promise<void> => {
		for (let n = next++; n < count; n = next++) {
			const askedAtMs = performance.now();
			await ask(n);
			tookMs.push(performance.now() - askedAtMs);
		}
	};
	await Promise.all(Array.from({ length: clients }, client));
	const seconds = (performance.now() - startedAtMs) / 1000;
	const p99Ms = tookMs.toSorted((a, b) => a - b)[Math.floor(count * 0.99)] ?? Number.NaN;
	return { perSecond: count / seconds, p99Ms };
}

function spread(samples: readonly number[], digits = 0): string {
	const sorted = samples.toSorted((a, b) => a - b);
	const at = (n: number): string => (sorted.at(n) ?? Number.NaN).toFixed(digits);
	return `${at(Math.floor(sorted.length / 2))}   (${at(0)} to ${at(-1)})`;
}

const print = (name: string, text: string): boolean => process.stdout.write(`${name.padEnd(40)} ${text}\n`);

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const store = await openStore(`sqlite:${join(folder, "bench.db")}`);
const ledger = createLedger({ store, clock: systemClock });
// An engine that never is done: what is submitted waits.
const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] });
const app: FastifyInstance = createHttpApp({ randomBytes });
const studio = createStudio({
	store,
	ledger,
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
await studio.start();
/** So many that no account has more open tasks than it may. */
const ACCOUNTS = 200;
const names = Array.from({ length: ACCOUNTS }, (_, n) => `bench-${n}`);
const keys = await Promise.all(
	names.map(async (account) => (await studio.createKey({ account, name: "bench", grantCredits: 1_000_000 })).key),
);
const headersOf = (n: number) => ({ authorization: `Bearer ${keys[n % ACCOUNTS]}` });

let row: unknown = {};
app.post("/bare", async () => {
	const taskId = randomUUID();
	await store.compareAndSet(`bare:${taskId}`, undefined, row);
	return { code: 0, data: { taskId } };
});
app.get<{ Params: { id: string } }>("/bare/:id", (request) =>
	store.get(`bare:${request.params.id}`).then((found) => ({ code: 0, data: found?.value })),
);

async function submitTo(url: string, into: string[], n: number): Promise<void> {
	const headers = { ...headersOf(n), ...JSON_TYPE };
	const { statusCode, body } = await app.inject({ method: "POST", url, headers, payload: ORDER });
	assert.equal(statusCode, 200, body);
	into[n] = (JSON.parse(body) as { data: { taskId: string } }).data.taskId;
}

async function readFrom(url: string, n: number): Promise<void> {
	assert.equal((await app.inject({ method: "GET", url, headers: headersOf(n) })).statusCode, 200);
}

const [tasks, rows]: [string[], string[]] = [[], []];
await submitTo("/api/v1/generate", tasks, 0);
row = (await store.get(`studio-task:${tasks[0]}`))?.value;
const figures = { submit: [], bareSubmit: [], read: [], bareRead: [] } as Record<
	string,
	{ perSecond: number; p99Ms: number }[]
>;
const heapBefore = heapBytes();
for (let round = 0; round < ROUNDS; round++) {
	const first = tasks.length;
	figures["bareSubmit"]?.push(await load(TASKS_A_ROUND, (n) => submitTo("/bare", rows, first + n)));
	figures["submit"]?.push(await load(TASKS_A_ROUND, (n) => submitTo("/api/v1/generate", tasks, first + n)));
	figures["bareRead"]?.push(await load(TASKS_A_ROUND, (n) => readFrom(`/bare/${rows[first + n]}`, first + n)));
	figures["read"]?.push(
		await load(TASKS_A_ROUND, (n) => readFrom(`/api/v1/task/${tasks[first + n]}?refresh=1`, first + n)),
	);
}
const bytesEach = (heapBytes() - heapBefore) / (ROUNDS * TASKS_A_ROUND);

print("machine", `${cpus().length} cores of ${cpus()[0]?.model ?? "an unknown kind"}, Node ${process.version}`);
print("clients; tasks that wait at the end", `${clients}; ${tasks.length}`);
for (const [name, bare] of [
	["submit", "bareSubmit"],
	["read", "bareRead"],
] as const) {
	const [ours = [], theirs = []] = [figures[name], figures[bare]];
	print(`${name}s per second`, spread(ours.map(({ perSecond }) => perSecond)));
	print(
		`${name}, p99 ms`,
		spread(
			ours.map(({ p99Ms }) => p99Ms),
			1,
		),
	);
	print(`bare route, per second`, spread(theirs.map(({ perSecond }) => perSecond)));
	print(
		`bare route, p99 ms`,
		spread(
			theirs.map(({ p99Ms }) => p99Ms),
			1,
		),
	);
	print(
		`${name} / bare route`,
		spread(
			ours.map(({ perSecond }, n) => perSecond / (theirs[n]?.perSecond ?? 1)),
			2,
		),
	);
}
print("memory per waiting task, bytes", bytesEach.toFixed(0));

await studio.stop();
await app.close();
await store.close();
await rm(folder, { recursive: true, force: true });

/** What is kept, where it can be collected first. */
function heapBytes(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
}
