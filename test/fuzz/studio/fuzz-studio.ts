/**
 * Thousands of requests over a real socket to a real studio. No request may cause a fault of ours or stay unanswered;
 * every response must follow the OpenAPI document and name every invalid field; a rejected request never creates a task
 * or a charge.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { pino } from "pino";
import { createHttpServer } from "@atelier/common/http-server";
import { createMalformedUrlHandler } from "@atelier/studio/envelope";
import { createAuditor } from "@atelier/ledger/auditor";
import { createLedger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { serverOrigin } from "../../../src/http/server-origin.ts";
import { createStudio } from "@atelier/studio/studio";
import type { Task } from "@atelier/studio/task";
import { list, readDocument, record, type Json } from "../../conformance/openapi-document.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { draw, plans, type Drawn, type Known, type Plan } from "./requests.ts";
import { exchange, isIncomplete, type WireAnswer } from "./raw-http.ts";

/** Far above what an answer takes: a request that needs this long hangs. */
const HANGS_AFTER_MS = 20_000;
const CREDITS = 1_000_000_000;
const ACCOUNT = "studio:acme";
const WITHOUT_LIMITS = {
	changesPerWindowMax: 1e9,
	readsPerWindowMax: 1e9,
	openTasksPerAccountMax: 1e6,
	openTasksMax: 1e6,
};
/** Codes of what is wrong in one place, which the answer has to name. */
const FIELD_CODES = [40001, 40002, 40003, 40004, 40005, 40006];

export interface StudioFigures {
	readonly requests: number;
	readonly seconds: number;
	readonly slowestMs: number;
	readonly peakMiB: number;
	readonly tasks: number;
	/** How often each operation was answered with each code; `-` is what never reached an operation. */
	readonly answers: Readonly<Record<string, number>>;
}

/** Throws with the smallest request that breaks a rule, and how to get it again. */
export async function fuzzStudio({ runs, seed }: { runs: number; seed: number }): Promise<StudioFigures> {
	const servers = await openServers();
	const answers: Record<string, number> = {};
	const startedAt = performance.now();
	let [requests, slowestMs, peakBytes] = [0, 0, 0];
	const property = fc.asyncProperty(plans, async (plan: Plan) => {
		const drawn = draw(plan, servers.known);
		const before = await servers.accounts();
		const askedAt = performance.now();
		const answer = await exchange(servers.port, drawn.request, HANGS_AFTER_MS);
		slowestMs = Math.max(slowestMs, performance.now() - askedAt);
		assert(answer || isIncomplete(drawn.request), "a whole request was not answered");
		const code = answer ? judge(drawn, answer, servers.known) : "no answer";
		const after = await servers.accounts();
		const isTaken =
			answer?.status === 200 && drawn.operation.id === "post-generate" && "taskId" in record(bodyOf(answer)["data"]);
		const isReplayed = answer?.headers["idempotency-replayed"] === "true";
		const made = isTaken && !isReplayed ? 1 : 0;
		// A request that was cut off may have been accepted before: its client got no response that could be wrong.
		if (answer) {
			assert.equal(after.tasks - before.tasks, made, "tasks that were made");
			assert(made === 1 ? after.credits < before.credits : after.credits >= before.credits, "credits that were taken");
		}
		const name = `${drawn.operation.id} ${code}`;
		answers[name] = (answers[name] ?? 0) + 1;
		if (++requests % 500 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
	});
	try {
		await fc.assert(property, { numRuns: runs, seed, endOnFailure: false });
		const tasks = await servers.settled();
		const seconds = (performance.now() - startedAt) / 1000;
		return { requests, seconds, slowestMs, peakMiB: Math.round(peakBytes / 1024 / 1024), tasks, answers };
	} finally {
		await servers.close();
	}
}

/** Returns the response; throws if the service must not send it. */
function judge({ operation, request }: Drawn, answer: WireAnswer, { key, operations }: Known): string {
	const { status } = answer;
	const said = `${status} ${answer.body.subarray(0, 400).toString()}`;
	assert(status < 500, said);
	assert(
		!/node_modules|node:internal|\/src\/|at \S+ \(/.test(answer.body.toString()),
		`the answer shows the program: ${said}`,
	);
	// Node's own, to what is no HTTP; the connection ends with it.
	const isHttp = "x-request-id" in answer.headers || !["400", "408", "413", "417", "431"].includes(String(status));
	const path = request.path.split(/[?#\s]/)[0] ?? "";
	const isOurs = path.startsWith("/api/v1/");
	if (!isHttp || !isOurs || request.method === "HEAD" || answer.body.byteLength === 0) return `- ${status}`;
	if (answer.headers["content-type"]?.startsWith("text/event-stream")) return "stream";
	assert(!answer.body.includes(key), "the answer shows the key");
	const body = bodyOf(answer);
	assert.equal(body["requestId"], answer.headers["x-request-id"], said);
	const asked = operations.find((each) => each.method === request.method && isAt(each.path, path)) ?? operation;
	asked.checkAnswer(status === 200 ? 200 : status, body);
	assert(status === 200 || Math.floor(Number(body["code"]) / 100) === status, said);
	if (FIELD_CODES.includes(Number(body["code"]))) {
		const faults = list(body["details"]).map(record);
		assert(faults.length > 0, `no field is named: ${said}`);
		for (const { field, message } of faults) {
			assert(typeof field === "string" && field !== "", `a fault has no field: ${said}`);
			assert.match(String(message), /^must /, said);
		}
	}
	return asked === operation ? String(body["code"]) : `- ${status}`;
}

function isAt(template: string, path: string): boolean {
	const [wanted, given] = [template.split("/"), path.split("/")];
	return wanted.length === given.length && wanted.every((each, n) => each.startsWith("{") || each === given[n]);
}

function bodyOf({ body }: WireAnswer): Json {
	const text = body.toString();
	const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
	assert(parsed !== undefined, `the answer is not JSON: ${text.slice(0, 200)}`);
	return record(parsed);
}

async function openServers() {
	const clock = createManualClock();
	const memory = await openStore("memory:");
	let tasks = 0;
	const store: Store = {
		...memory,
		async compareAndSetAll(changes) {
			const written = await memory.compareAndSetAll(changes);
			if (written !== undefined) tasks += changes.filter(({ key }) => key.startsWith("studio-task:")).length;
			return written;
		},
	};
	const ledger = createLedger({ store, clock });
	const mediaDir = await mkdtemp(join(tmpdir(), "atelier-fuzz-"));
	const complaints: string[] = [];
	const logger = pino(
		{ level: "trace" },
		{ write: (line) => void (/sk-|"level":[56]0/.test(line) && complaints.push(line)) },
	);
	const app = createHttpServer({ malformedUrlHandlers: [createMalformedUrlHandler(randomBytes)] });
	const origin = (): string => serverOrigin(app.server);
	const studio = createStudio({
		store,
		ledger,
		clock,
		logger,
		engines: [createFakeEngine({ concurrency: 8 })],
		mediaDir,
		origin,
		randomBytes,
		inputOrigins: () => ["http://studio.test"],
		resolve: async () => [],
		limits: WITHOUT_LIMITS,
	});
	await studio.register(app);
	await app.listen({ host: "127.0.0.1", port: 0 });
	await studio.start();
	const { key } = await studio.createKey({ account: "acme", name: "fuzz", grantCredits: CREDITS });
	const rival = await studio.createKey({ account: "rival", name: "fuzz", grantCredits: CREDITS });

	async function ask(method: string, path: string, as: string, body?: object): Promise<Json> {
		const headers = { authorization: `Bearer ${as}`, ...(body && { "content-type": "application/json" }) };
		const response = await fetch(origin() + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
		return record(record(await response.json())["data"]);
	}
	async function submitted(as: string): Promise<string> {
		const request = { mediaType: "image", model: "fake-image", prompt: "a fox" };
		return String((await ask("POST", "/api/v1/generate", as, request))["taskId"]);
	}
	const document = await fetch(`${origin()}/openapi.json`).then(async (response) =>
		readDocument(record(await response.json())),
	);
	const ended = await submitted(key);
	const other = await submitted(key);
	await ask("POST", `/api/v1/task/${other}/cancel`, key);
	const known: Known = {
		key,
		operations: document.operations,
		submits: document.submits,
		tasks: { ended, canceled: other, foreign: await submitted(rival.key), unknown: `task_${"0".repeat(32)}` },
	};

	return {
		known,
		port: Number(new URL(origin()).port),
		async accounts() {
			return { tasks, credits: (await ledger.balance(ACCOUNT)).availableCredits };
		},
		/** Once every task has ended: the books are right, and exactly what succeeded was paid. Resolves to how many there were. */
		async settled(): Promise<number> {
			while ((await Array.fromAsync(store.scan("studio-open:"))).length > 0) await new Promise(setImmediate);
			const all = await Array.fromAsync(store.scan<Task>("studio-task:"));
			const mine = all.map(({ value }) => value).filter((task) => "request" in task && task.account === "acme");
			const paid = mine.reduce((sum, { state, request }) => sum + (state === "success" ? request.priceCredits : 0), 0);
			const { postedCredits, heldCredits } = await ledger.balance(ACCOUNT);
			assert.deepEqual({ postedCredits, heldCredits }, { postedCredits: CREDITS - paid, heldCredits: 0 });
			assert.deepEqual((await createAuditor({ store }).account(ACCOUNT)).findings, []);
			assert.deepEqual(complaints, []);
			return mine.length;
		},
		async close() {
			await studio.stop();
			await app.close();
			await rm(mediaDir, { recursive: true, force: true });
		},
	};
}
