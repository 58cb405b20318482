/**
 * Sends damaged requests over a real socket to a real studio. The studio answers every complete request without an internal error;
 * every response follows the OpenAPI document, and names the invalid fields; a rejected request never creates a task or a
 * charge.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { pino } from "pino";
import { createHttpServer } from "@atelier/common/http-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createAuditor } from "@atelier/ledger/audit-store";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { handleMalformedStudioUrl } from "@atelier/studio/envelope";
import { createStudio } from "@atelier/studio/studio";
import type { StudioTask } from "@atelier/studio/studio-task";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { serverOrigin } from "../../src/http/server-origin.ts";
import { list, readDocument, record, type Json, type Operation } from "../conformance/openapi-document.ts";
import { invalidValuesOf, valueOf } from "../conformance/schema-values.ts";
import { fuzz, type FindMissingOutcomes, type FuzzOptions, type FuzzReport } from "./fuzz-property.ts";
import { damageJson, jsonDamage, type JsonDamage } from "./json-damage.ts";
import {
	damageRequest,
	VALID_FILE,
	MULTIPART_TYPE,
	multipartBody,
	requestDamage,
	pathSegments,
	type RequestDamage,
} from "./request-damage.ts";
import { exchange, type WireRequest, type WireResponse } from "./raw-http.ts";

const CREDITS = 1_000_000_000;
const ACCOUNT = "studio:acme";
const NO_LIMITS = {
	changesPerWindowMax: 1e9,
	readsPerWindowMax: 1e9,
	openTasksPerAccountMax: 1e6,
	openTasksMax: 1e6,
};
/** The codes of an invalid field, which the response has to name. */
const FIELD_CODES = [40001, 40002, 40003, 40004, 40005, 40006];
const FIELD_NAMES = [
	"options",
	"prompt",
	"scene",
	"image_input",
	"callbackUrl",
	"callBackUrl",
	"duration",
	"seed",
	"n",
	"resolution",
	"taskIds",
];
const AUTHORIZATIONS = {
	valid: (key) => [`Bearer ${key}`],
	none: () => [],
	inQuery: () => [],
	wrong: () => [`Bearer sk-${"x".repeat(43)}`],
	empty: () => ["Bearer "],
	basic: (key) => [`Basic ${Buffer.from(key).toString("base64")}`],
	lowerCase: (key) => [`bearer ${key}`],
	twoKeys: (key) => ["Bearer wrong", `Bearer ${key}`],
	long: () => [`Bearer ${"k".repeat(8000)}`],
} satisfies Readonly<Record<string, (key: string) => readonly string[]>>;
const TASKS = ["ended", "canceled", "foreign", "unknown"] as const;

interface Damage {
	readonly request?: RequestDamage;
	readonly json?: JsonDamage;
	/** Selects one of the values that the schema forbids. */
	readonly forbidden?: number;
	readonly authorization?: keyof typeof AUTHORIZATIONS;
	readonly taskId?: string;
}

interface RequestPlan {
	/** These select an operation and a model, modulo their number. */
	readonly operation: number;
	readonly model: number;
	readonly task: (typeof TASKS)[number];
	readonly idempotencyKey: string | undefined;
	readonly damages: readonly Damage[];
}

const authorizations = fc.constantFrom(...(Object.keys(AUTHORIZATIONS) as (keyof typeof AUTHORIZATIONS)[]));
const damage: fc.Arbitrary<Damage> = fc.oneof(
	{ weight: 14, arbitrary: fc.record({ request: requestDamage }) },
	{ weight: 8, arbitrary: fc.record({ json: jsonDamage(FIELD_NAMES) }) },
	{ weight: 4, arbitrary: fc.record({ forbidden: fc.nat(60) }) },
	{ weight: 1, arbitrary: fc.record({ authorization: authorizations }) },
	{ weight: 2, arbitrary: fc.record({ taskId: pathSegments }) },
);
const plans: fc.Arbitrary<RequestPlan> = fc.record({
	operation: fc.nat(1000),
	model: fc.nat(1000),
	task: fc.constantFrom(...TASKS),
	idempotencyKey: fc.oneof(
		{ weight: 5, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.nat(5).map((n) => `k${n}`) },
	),
	damages: fc.oneof(
		{ weight: 1, arbitrary: fc.constant([]) },
		{ weight: 4, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
	),
});

type FuzzedServer = Awaited<ReturnType<typeof startServer>>;

/** The codes that a thousand runs must receive: input that is damaged too much reaches only the first check. */
const BAD_REQUESTS = ["40000", "40001", "40002", "40004", "40005", "40006"];
const EXPECTED = ["0", ...BAD_REQUESTS, "40100", "40400", "40500", "41300", "41500", "42200"];

export const findMissingOutcomes: FindMissingOutcomes = (outcomes) => {
	const codes = new Set(Object.keys(outcomes).map((outcome) => outcome.split(" ").at(-1)));
	const missing = EXPECTED.filter((code) => !codes.has(code));
	return (outcomes["post-generate 0"] ?? 0) > 20 ? missing : [...missing, "post-generate 0"];
};

export async function fuzzStudio(options: FuzzOptions): Promise<FuzzReport> {
	const server = await startServer();
	try {
		const report = await fuzz(options, plans, async (plan) => {
			const operation = pickByIndex(server.operations, plan.operation);
			const request = requestOf(plan, operation, server);
			const before = await server.records();
			const response = await exchange(server.port, request);
			// The studio may have accepted a request whose client closed the connection before the response.
			if (!response) return `${operation.id} no response`;
			const code = checkResponse(operation, request, response, server);
			const after = await server.records();
			const isAccepted =
				response.status === 200 &&
				operation.id === "post-generate" &&
				"taskId" in record(jsonOf(response)["data"]) &&
				response.headers["idempotency-replayed"] !== "true";
			assert.equal(after.tasks - before.tasks, isAccepted ? 1 : 0, "created tasks");
			assert(isAccepted ? after.credits < before.credits : after.credits >= before.credits, "reserved credits");
			return `${operation.id} ${code}`;
		});
		await server.checkLedger();
		return report;
	} finally {
		await server.close();
	}
}

function requestOf(
	{ model, task, idempotencyKey, damages }: RequestPlan,
	operation: Operation,
	server: FuzzedServer,
): WireRequest {
	const { key, requests, tasks } = server;
	const schema = pickByIndex(requests, model);
	const valid: unknown = operation.isGenerationRequest
		? validRequest(schema)
		: operation.body && valueOf(operation.body);
	const json = damages.reduce((value, each) => {
		if (each.json) return damageJson(value, each.json);
		return each.forbidden === undefined ? value : withForbiddenValue(value, each.forbidden, operation, schema);
	}, valid);
	const authorization = damages.findLast((each) => each.authorization)?.authorization ?? "valid";
	const taskId = damages.findLast((each) => each.taskId !== undefined)?.taskId ?? tasks[task];
	const path = operation.path.replace("{taskId}", taskId);
	const type = operation.takesFile ? MULTIPART_TYPE : operation.body && "application/json";
	const headers: (readonly [string, string])[] = [];
	if (type !== undefined) headers.push(["content-type", type]);
	if (idempotencyKey !== undefined && operation.method === "POST") headers.push(["idempotency-key", idempotencyKey]);
	for (const value of AUTHORIZATIONS[authorization](key)) headers.push(["authorization", value]);
	const request: WireRequest = {
		method: operation.method,
		path: authorization === "inQuery" ? `${path}?api_key=${key}` : path,
		headers,
		body: operation.takesFile ? multipartBody(VALID_FILE) : Buffer.from(JSON.stringify(json) ?? ""),
		lengthOffset: 0,
	};
	return damages.flatMap((each) => each.request ?? []).reduce(damageRequest, request);
}

function pickByIndex<T>(values: readonly T[], n: number): T {
	const picked = values[n % values.length];
	assert(picked !== undefined, "there is no value to pick");
	return picked;
}

function validRequest(schema: Json): Json {
	const properties = record(schema["properties"]);
	const options = Object.entries(record(record(properties["options"])["properties"]))
		.map(([name, option]) => [name, record(option)] as const)
		.filter(([, option]) => option["type"] !== "array")
		.map(([name, option]) => [name, valueOf(option)]);
	return {
		mediaType: record(properties["mediaType"])["const"],
		model: record(properties["model"])["const"],
		prompt: "a lighthouse in a storm",
		scene: list(record(properties["scene"])["enum"])[0],
		options: Object.fromEntries(options) as Json,
	};
}

function withForbiddenValue(json: unknown, n: number, operation: Operation, schema: Json): unknown {
	const changes = [
		...forbiddenFields(operation.isGenerationRequest ? schema : operation.body),
		...forbiddenFields(record(schema["properties"])["options"]).map((options) => ({ options })),
	];
	return { ...record(json), ...pickByIndex(changes, n) };
}

function forbiddenFields(schema: unknown): readonly Json[] {
	return Object.entries(record(record(schema)["properties"])).flatMap(([name, each]) =>
		invalidValuesOf(record(each)).map(({ value }) => ({ [name]: value })),
	);
}

/** Returns the code of the response; throws if the studio must not send it. */
function checkResponse(
	operation: Operation,
	request: WireRequest,
	response: WireResponse,
	server: FuzzedServer,
): string {
	const { status, headers } = response;
	const text = response.body.toString();
	const summary = `${status} ${text.slice(0, 400)}`;
	assert(status < 500, summary);
	assert(
		!/node_modules|node:internal|\/src\/|at \S+ \(/.test(text),
		`the response contains source positions: ${summary}`,
	);
	// Node itself responds to requests that are not HTTP, and closes the connection.
	const isFromNode = !("x-request-id" in headers) && [400, 408, 413, 417, 431].includes(status);
	const path = request.path.split(/[?#\s]/)[0] ?? "";
	const isApi = path.startsWith("/api/v1/");
	if (isFromNode || !isApi || request.method === "HEAD" || text === "") return `- ${status}`;
	if (headers["content-type"]?.startsWith("text/event-stream")) return "stream";
	assert(!text.includes(server.key), "the response contains the key");
	const body = jsonOf(response);
	assert.equal(body["requestId"], headers["x-request-id"], summary);
	const matches = (each: Operation): boolean => each.method === request.method && matchesTemplate(path, each.path);
	const actualOperation = server.operations.find(matches) ?? operation;
	actualOperation.checkAnswer(status, body);
	assert(status === 200 || Math.floor(Number(body["code"]) / 100) === status, summary);
	if (FIELD_CODES.includes(Number(body["code"]))) {
		const details = list(body["details"]).map(record);
		assert(details.length > 0, `no field is named: ${summary}`);
		for (const { field, message } of details) {
			assert(typeof field === "string" && field !== "", `a detail has no field: ${summary}`);
			assert.match(String(message), /^must /, summary);
		}
	}
	return actualOperation === operation ? String(body["code"]) : `- ${status}`;
}

function matchesTemplate(path: string, template: string): boolean {
	const [expected, actual] = [template.split("/"), path.split("/")];
	return expected.length === actual.length && expected.every((each, n) => each.startsWith("{") || each === actual[n]);
}

function jsonOf({ body }: WireResponse): Json {
	const text = body.toString();
	const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : undefined;
	assert(parsed !== undefined, `the response is not JSON: ${text.slice(0, 200)}`);
	return record(parsed);
}

async function startServer() {
	const clock = createManualClock();
	const memory = await openStore("memory:");
	let createdTasks = 0;
	const store: Store = {
		...memory,
		async compareAndSetAll(changes, writes) {
			const written = await memory.compareAndSetAll(changes, writes);
			if (written !== undefined) createdTasks += changes.filter(({ key }) => key.startsWith("studio-task:")).length;
			return written;
		},
	};
	const ledger = createLedger({ store, clock });
	const mediaDir = await mkdtemp(join(tmpdir(), "atelier-fuzz-"));
	const problemLines: string[] = [];
	const logger = pino(
		{ level: "trace" },
		{ write: (line) => void (/sk-|"level":[56]0/.test(line) && problemLines.push(line)) },
	);
	const app = createHttpServer({ malformedUrlHandlers: [handleMalformedStudioUrl] });
	const origin = (): string => serverOrigin(app.server);
	const studio = createStudio({
		store,
		ledger,
		clock,
		logger,
		engines: [createFakeEngine({ concurrency: 8 })],
		mediaDir,
		origin,
		inputOrigins: () => ["http://studio.test"],
		resolve: async () => [],
		limits: NO_LIMITS,
	});
	await studio.register(app);
	await app.listen({ host: "127.0.0.1", port: 0 });
	await studio.start();
	for (const account of ["acme", "other"]) {
		await ledger.grant(`studio:${account}`, "grant", CREDITS, { by: "operator", reason: "fuzz" });
	}
	const { key } = await studio.keys.create({ account: "acme", name: "fuzz" });
	const otherKey = await studio.keys.create({ account: "other", name: "fuzz" });

	async function send(method: string, path: string, apiKey: string, body?: object): Promise<Json> {
		const headers = { authorization: `Bearer ${apiKey}`, ...(body && { "content-type": "application/json" }) };
		const response = await fetch(origin() + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
		return record(record(await response.json())["data"]);
	}
	async function submit(apiKey: string): Promise<string> {
		const body = { mediaType: "image", model: "fake-image", prompt: "a fox" };
		return String((await send("POST", "/api/v1/generate", apiKey, body))["taskId"]);
	}
	const document = await fetch(`${origin()}/openapi.json`).then(async (response) =>
		readDocument(record(await response.json())),
	);
	const endedTaskId = await submit(key);
	const canceledTaskId = await submit(key);
	await send("POST", `/api/v1/task/${canceledTaskId}/cancel`, key);
	return {
		key,
		operations: document.operations,
		requests: document.requestSchemas,
		tasks: {
			ended: endedTaskId,
			canceled: canceledTaskId,
			foreign: await submit(otherKey.key),
			unknown: `task_${"0".repeat(32)}`,
		},
		port: Number(new URL(origin()).port),
		async records() {
			return { tasks: createdTasks, credits: (await ledger.balance(ACCOUNT)).availableCredits };
		},
		/** Waits until every task has ended, and checks that exactly the successful ones were charged. */
		async checkLedger(): Promise<void> {
			while ((await Array.fromAsync(store.scan("studio-open:"))).length > 0) await new Promise(setImmediate);
			const storedTasks = await Array.fromAsync(store.scan<StudioTask>("studio-task:"));
			const ownTasks = storedTasks.map(({ value }) => value).filter(({ account }) => account === "acme");
			const paidCredits = ownTasks.reduce(
				(sum, { state, request }) => sum + (state === "success" ? request.priceCredits : 0),
				0,
			);
			const { postedCredits, heldCredits } = await ledger.balance(ACCOUNT);
			assert.deepEqual({ postedCredits, heldCredits }, { postedCredits: CREDITS - paidCredits, heldCredits: 0 });
			assert.deepEqual((await createAuditor({ store }).account(ACCOUNT)).findings, []);
			assert.deepEqual(problemLines, []);
		},
		async close() {
			await studio.stop();
			await app.close();
			await rm(mediaDir, { recursive: true, force: true });
		},
	};
}
