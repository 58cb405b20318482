/**
 * How many submits and reads per second does one studio handle on SQLite, compared with bare Fastify routes? And how much memory
 * does a waiting task need?
 *
 * In each round, the writes of a few submits of the studio are recorded. A bare submit repeats them in one transaction, and the
 * bare submits of one turn of the event loop share a sync, like those of the studio. A bare read gets the same rows, those of the
 * API key and the task. The bare routes validate nothing. Both servers run in one child process, each on its own store, and take
 * turns. The clients run in the parent process, each with a keep-alive connection.
 *
 * Run: node tools/node24.mjs bench/studio.ts [ROUNDS] [TASKS_PER_ROUND]   (TMPDIR selects the disk: syncs in memory are free)
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, cpuUsage, memoryUsage, stdout } from "node:process";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { systemClock } from "@atelier/common/clock";
import { createHttpServer } from "@atelier/common/http-server";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import type { DocumentWrite, Store } from "@atelier/store/store";
import { createStudio } from "@atelier/studio/studio";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { describeMachine, median, medianAndRange } from "./lib/statistics.ts";

const CLIENTS = 64;
/** Rounds that are not counted. */
const WARM_UP_ROUNDS = 3;
/** Reads are faster than submits: each task is read several times, so that a round of reads takes about as long. */
const READS_PER_TASK = 4;
/** Enough accounts that none reaches the ledger's limit of open holds: each task that waits has one. */
const ACCOUNTS = Array.from({ length: 200 }, (_, n) => `bench-${1000 + n}`);
const READ_RATIO_MIN = 0.9;
const SUBMIT_RATIO_MIN = 0.8;
/** A whole cycle of the journal: each eighth submit of an account also writes a page of it. */
const RECORDED_SUBMITS = 8;
const LIMITS = { changesPerWindowMax: 1e9, readsPerWindowMax: 1e9, openTasksPerAccountMax: 1e6, openTasksMax: 1e6 };
const SUBMIT_PATH = "/api/v1/generate";
const READ_PATH = "/api/v1/task";
const SUBMIT_BODY = JSON.stringify({ mediaType: "image", model: "fake-image", prompt: "a lighthouse in a storm" });

/** Sent by the process of the servers once both listen. */
interface Servers {
	readonly studioPort: number;
	readonly barePort: number;
	/** One key of each account. */
	readonly apiKeys: readonly string[];
}

/** Measurements of the process of the servers, which responds with the number. */
type Question = "cpuUs" | "heapBytes";
/** `record` gives the bare routes the writes of new submits to repeat; the process responds with `recorded`. */
type ServerRequest = Question | "record";

/** Writes of one submit. Their keys contain the task id and the account, which a repeated submit replaces by its own. */
interface Submit {
	readonly taskId: string;
	readonly account: string;
	readonly writes: readonly DocumentWrite[];
}

interface RecordingStore {
	readonly store: Store;
	/** Resolves to what the work wrote. */
	record(work: () => Promise<unknown>): Promise<readonly DocumentWrite[]>;
}

function createRecordingStore(inner: Store): RecordingStore {
	let recorded: DocumentWrite[] | undefined;
	return {
		store: {
			...inner,
			set(key, value) {
				recorded?.push({ key, value });
				return inner.set(key, value);
			},
			compareAndSet(key, expectedRaw, next) {
				recorded?.push({ key, value: next });
				return inner.compareAndSet(key, expectedRaw, next);
			},
			compareAndSetAll(changes, writes = []) {
				recorded?.push(...changes.map(({ key, next }) => ({ key, value: next })), ...writes);
				return inner.compareAndSetAll(changes, writes);
			},
		},
		async record(work) {
			const writes: DocumentWrite[] = (recorded = []);
			await work();
			recorded = undefined;
			return writes;
		},
	};
}

const taskIdOf = (body: string): string =>
	(JSON.parse(body) as { readonly data: { readonly taskId: string } }).data.taskId;

/** Serves the studio and the bare routes until the parent disconnects. */
async function serve(folder: string): Promise<void> {
	const recording = createRecordingStore(await openStore(`sqlite:${join(folder, "studio.db")}`));
	const { store } = recording;
	const ledger = createLedger({ store, clock: systemClock });
	const studio = createStudio({
		store,
		ledger,
		clock: systemClock,
		logger: pino({ level: "silent" }),
		// Never finishes, so that submitted tasks wait.
		engines: [createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }] })],
		mediaDir: join(folder, "media"),
		origin: () => "http://127.0.0.1",
		inputOrigins: () => [],
		limits: LIMITS,
	});
	const app = createHttpServer();
	await studio.register(app);
	await app.listen({ host: "127.0.0.1", port: 0 });
	await studio.start();
	const apiKeys: string[] = [];
	const keyDocuments = await recording.record(async () => {
		for (const account of ACCOUNTS) {
			await ledger.grant(`studio:${account}`, "grant", 1_000_000, { by: "operator", reason: "bench" });
			apiKeys.push((await studio.keys.create({ account, name: "bench" })).key);
		}
	});
	const bare = await serveBareRoutes(join(folder, "bare.db"), keyDocuments);

	async function recordSubmits(): Promise<void> {
		const n = Math.floor(Math.random() * ACCOUNTS.length);
		const headers = { authorization: `Bearer ${apiKeys[n]}`, "content-type": "application/json" };
		const submits: Submit[] = [];
		while (submits.length < RECORDED_SUBMITS) {
			let taskId = "";
			const writes = await recording.record(async () => {
				taskId = taskIdOf((await app.inject({ method: "POST", url: SUBMIT_PATH, headers, payload: SUBMIT_BODY })).body);
			});
			submits.push({ taskId, account: ACCOUNTS[n] ?? "", writes });
		}
		bare.repeat(submits);
	}

	async function respond(request: ServerRequest): Promise<void> {
		if (request === "record") await recordSubmits();
		process.send?.(request === "record" ? "recorded" : measureServers(request));
	}
	process.on("message", (request: ServerRequest) => void respond(request));
	process.once("disconnect", () => process.exit());
	const servers: Servers = { studioPort: portOf(app), barePort: portOf(bare.app), apiKeys };
	process.send?.(servers);
}

function measureServers(question: Question): number {
	if (question === "cpuUs") {
		const { user, system } = cpuUsage();
		return user + system;
	}
	for (let times = 0; times < 2; times++) globalThis.gc?.();
	return memoryUsage().heapUsed;
}

function portOf(app: FastifyInstance): number {
	return (app.server.address() as AddressInfo).port;
}

/** Plain Fastify on a SQLite file with the settings of the studio's store. Its submits repeat the writes of the recorded ones. */
async function serveBareRoutes(path: string, keyDocuments: readonly DocumentWrite[]) {
	const database = new DatabaseSync(path);
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
	database.exec("PRAGMA wal_autocheckpoint = 8192; PRAGMA cache_size = -8192");
	database.exec("CREATE TABLE documents (key VARCHAR(255) PRIMARY KEY, value TEXT)");
	const upsert = database.prepare(
		"INSERT INTO documents (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
	);
	const select = database.prepare("SELECT value FROM documents WHERE key = ?");
	for (const { key, value } of keyDocuments) upsert.run(key, JSON.stringify(value));
	let pending: { readonly writes: readonly DocumentWrite[]; readonly resolve: () => void }[] = [];
	let submits: readonly Submit[] = [];
	let submitCount = 0;

	/** Writes of one turn of the event loop share a transaction, and so a sync. */
	function write(writes: readonly DocumentWrite[]): Promise<void> {
		return new Promise((resolve) => {
			if (pending.length === 0) setImmediate(commit);
			pending.push({ writes, resolve });
		});
	}

	function commit(): void {
		const committed = pending;
		pending = [];
		database.exec("BEGIN IMMEDIATE");
		for (const { key, value } of committed.flatMap(({ writes }) => writes)) upsert.run(key, JSON.stringify(value));
		database.exec("COMMIT");
		for (const { resolve } of committed) resolve();
	}

	function read(key: string): Record<string, unknown> {
		const row = select.get(key);
		assert(row, `no document ${key}`);
		return JSON.parse(String(row["value"])) as Record<string, unknown>;
	}

	const accountOf = (authorization = ""): string =>
		String(read(`studio-key:${hash("sha256", authorization.slice("Bearer ".length))}`)["account"]);

	const app = Fastify();
	app.post(SUBMIT_PATH, async ({ headers }) => {
		const submit = submits[submitCount++ % submits.length];
		assert(submit);
		const { taskId: recordedId, account: recordedAccount, writes } = submit;
		const account = accountOf(headers.authorization);
		const taskId = randomUUID();
		await write(
			writes.map(({ key, value }) => ({
				key: key.replaceAll(recordedId, taskId).replaceAll(recordedAccount, account),
				value,
			})),
		);
		return { code: 0, data: { taskId } };
	});
	app.get<{ Params: { id: string } }>(`${READ_PATH}/:id`, ({ headers, params }) => {
		accountOf(headers.authorization);
		return { code: 0, data: read(`studio-task:${params.id}`) };
	});
	await app.listen({ host: "127.0.0.1", port: 0 });
	return { app, repeat: (recorded: readonly Submit[]) => void (submits = recorded) };
}

/**
 * Sends complete HTTP requests, one at a time on each connection. Resolves to the bodies of the responses. The requests and the
 * parser are written by hand: the processor time of a general HTTP client would limit the figures.
 */
async function sendAll(port: number, requests: readonly string[]): Promise<readonly string[]> {
	const bodies: string[] = [];
	let next = 0;
	async function sendInTurn(): Promise<void> {
		const socket = connect({ port, host: "127.0.0.1", noDelay: true }).setEncoding("latin1");
		let n = next++;
		let text = "";
		socket.write(requests[n] ?? "");
		for await (const chunk of socket as AsyncIterable<string>) {
			text += chunk;
			const headEnd = text.indexOf("\r\n\r\n") + 4;
			const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
			if (headEnd < 4 || text.length < headEnd + length) continue;
			assert(text.startsWith("HTTP/1.1 200 "), text);
			bodies[n] = text.slice(headEnd);
			text = "";
			n = next++;
			if (n >= requests.length) return;
			socket.write(requests[n] ?? "");
		}
	}
	await Promise.all(Array.from({ length: CLIENTS }, sendInTurn));
	return bodies;
}

interface RoundFigures {
	readonly perSecond: number;
	/** Processor time of the server per request, which depends less on other load of the machine. */
	readonly cpuUs: number;
}

function print(name: string, text: string): void {
	stdout.write(`${name.padEnd(44)} ${text}\n`);
}

async function main(rounds: number, tasksPerRound: number): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
	const child = fork(fileURLToPath(import.meta.url), ["serve", folder], { execArgv: ["--expose-gc"] });
	const { studioPort, barePort, apiKeys } = ((await once(child, "message")) as [Servers])[0];

	async function ask(question: Question): Promise<number> {
		child.send(question);
		return ((await once(child, "message")) as [number])[0];
	}

	async function recordSubmits(): Promise<void> {
		child.send("record" satisfies ServerRequest);
		await once(child, "message");
	}

	const headOf = (method: string, path: string, n: number): string =>
		`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${apiKeys[n % apiKeys.length]}\r\n`;
	const bodyHead = `content-type: application/json\r\ncontent-length: ${SUBMIT_BODY.length}\r\n\r\n`;
	const submits = Array.from(
		{ length: tasksPerRound },
		(_, n) => headOf("POST", SUBMIT_PATH, n) + bodyHead + SUBMIT_BODY,
	);
	const readsOf = (taskIds: readonly string[]): readonly string[] => {
		const reads = taskIds.map((id, n) => `${headOf("GET", `${READ_PATH}/${id}`, n)}\r\n`);
		return Array.from({ length: READS_PER_TASK }, () => reads).flat();
	};

	async function measure(
		port: number,
		requests: readonly string[],
		figures: RoundFigures[],
	): Promise<readonly string[]> {
		const cpuBeforeUs = await ask("cpuUs");
		const startMs = performance.now();
		const bodies = await sendAll(port, requests);
		const seconds = (performance.now() - startMs) / 1000;
		const cpuUs = ((await ask("cpuUs")) - cpuBeforeUs) / requests.length;
		figures.push({ perSecond: requests.length / seconds, cpuUs });
		return bodies;
	}

	const submit: RoundFigures[] = [];
	const bareSubmit: RoundFigures[] = [];
	const read: RoundFigures[] = [];
	const bareRead: RoundFigures[] = [];
	let heapBeforeBytes = 0;
	for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
		if (round === 0) {
			heapBeforeBytes = await ask("heapBytes");
			for (const ofWarmUp of [submit, bareSubmit, read, bareRead]) ofWarmUp.length = 0;
		}
		const taskIds = (await measure(studioPort, submits, submit)).map(taskIdOf);
		await recordSubmits();
		const bareTaskIds = (await measure(barePort, submits, bareSubmit)).map(taskIdOf);
		await measure(studioPort, readsOf(taskIds), read);
		await measure(barePort, readsOf(bareTaskIds), bareRead);
	}
	const heapBytes = (await ask("heapBytes")) - heapBeforeBytes;
	child.disconnect();
	await once(child, "exit");
	await rm(folder, { recursive: true, force: true });

	const samples = (figures: readonly RoundFigures[], field: keyof RoundFigures): number[] =>
		figures.map((each) => each[field]);
	print("machine", `${describeMachine()}, ${rounds} rounds in turn of ${tasksPerRound} tasks, ${CLIENTS} clients`);
	for (const [name, ours, bare, ratioMin] of [
		["submits", submit, bareSubmit, SUBMIT_RATIO_MIN],
		["reads", read, bareRead, READ_RATIO_MIN],
	] as const) {
		print(`${name} per second`, medianAndRange(samples(ours, "perSecond")));
		print(`${name} per second, bare route`, medianAndRange(samples(bare, "perSecond")));
		const ratios = ours.map(({ perSecond }, n) => perSecond / (bare[n]?.perSecond ?? Number.NaN));
		const verdict = median(ratios) >= ratioMin ? "" : `, LESS THAN ${ratioMin}`;
		print(`${name}, studio / bare`, `${medianAndRange(ratios, 2)}${verdict}`);
		// Inverted, because less time is better: below 1, the studio needs more than the bare route.
		const cpuRatios = ours.map(({ cpuUs }, n) => (bare[n]?.cpuUs ?? Number.NaN) / cpuUs);
		print("the same ratio, by processor time", medianAndRange(cpuRatios, 2));
	}
	print("memory of a waiting task, bytes of the heap", (heapBytes / (rounds * tasksPerRound)).toFixed(0));
}

if (argv[2] === "serve") await serve(argv[3] ?? "");
else await main(Number(argv[2] ?? 5), Number(argv[3] ?? 2000));
