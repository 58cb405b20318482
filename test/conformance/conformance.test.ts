/**
 * The suite checks the studio against its promises, and reports the violated rule of a service that violates one.
 */
import type { IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { freePort } from "@atelier/common/testing/free-port";
import { runScript } from "../e2e/child-process.ts";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { setup } from "@atelier/studio/testing/studio-setup";
import { checkService } from "./check-service.ts";
import { record, type Json } from "./openapi-document.ts";
import { conforms, SUBMITTED_TASKS, SUBMITTED_TASKS_MAX, summaryOf } from "./report.ts";
import type { CheckedRule } from "./rule.ts";

interface Exchange {
	readonly method: string;
	path: string;
	readonly headers: Record<string, string>;
	body: string;
}

interface Reply {
	status: number;
	/** JSON to send in place of the received one. */
	json: Json;
}

/** A fault of the service: before the studio sees the request, or after its response. */
interface Fault {
	readonly changeRequest?: (exchange: Exchange, key: string) => void;
	readonly changeResponse?: ChangeResponse;
}
type ChangeResponse = (reply: Reply, exchange: Exchange) => void;

const isSubmit = ({ method, path }: Exchange): boolean => method === "POST" && path.startsWith("/api/v1/generate");
const isRead = ({ method, path }: Exchange): boolean => method === "GET" && path.startsWith("/api/v1/task/");

/** Changes the task in the response to a successful read. */
const changeTask =
	(change: (task: Json) => unknown): ChangeResponse =>
	({ json }, exchange) =>
		isRead(exchange) && json["code"] === 0 && Object.assign(json, { data: change(record(json["data"])) });

/** Each with the rule that it violates, and the reported reason. */
const FAULTS: readonly (Fault & { readonly name: string; readonly rule: RegExp; readonly why: RegExp })[] = [
	{
		name: "accepts every key",
		rule: /succeeds with a wrong key/,
		why: /a submit with a wrong key was accepted/,
		changeRequest: (exchange, key) => Object.assign(exchange.headers, { authorization: `Bearer ${key}` }),
	},
	{
		name: "never ends a task",
		rule: /a task ends without/,
		why: /had not ended after 0\.5 s: it is processing/,
		changeResponse: changeTask((task) => ({ ...task, status: "processing" })),
	},
	{
		name: "sends a field that its document lacks",
		rule: /valid request/,
		why: /secret/,
		changeResponse: changeTask((task) => ({ ...task, secret: 1 })),
	},
	{
		name: "ignores invalid options",
		rule: /rejected if options\.aspect_ratio is not an allowed value/,
		why: /answered with 200 \{"code":0/,
		changeRequest: (exchange) => {
			if (!exchange.path.includes("quote")) return;
			exchange.body = JSON.stringify({ ...record(JSON.parse(exchange.body)), options: {} });
		},
	},
];

/** Long enough for the fake engine on any machine. Faults get the short wait, because some of their tasks never end. */
const LONG_WAIT = { waitMs: 20_000, pauseMs: 0 };
const SHORT_WAIT = { waitMs: 500, pauseMs: 0 };
const TICK_MS = 50;

/** A real studio on a real socket, behind a proxy that injects faults. */
async function serve(fault?: Fault) {
	// Signed addresses change on the hour: not within a run.
	const clock = createManualClock(Date.UTC(2026, 0, 1, 0, 10));
	// An event stream waits between two reads of a task that has not ended yet.
	const ticking = setInterval(() => void clock.advance(TICK_MS), TICK_MS);
	onTestFinished(() => clearInterval(ticking));
	const { app, key } = await setup({ credits: 100_000, origin: () => origin, clock });
	const origin = await app.listen({ host: "127.0.0.1", port: 0 });
	if (!fault) return { baseUrl: origin, key };
	async function forward(request: IncomingMessage) {
		const { method = "", url: path = "" } = request;
		const { host: _host, connection: _connection, "content-length": _length, ...given } = request.headers;
		const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
		const headers = given as Record<string, string>;
		const exchange: Exchange = { method, path, headers, body: Buffer.concat(chunks).toString("latin1") };
		fault?.changeRequest?.(exchange, key);
		const sent = exchange.body === "" ? {} : { body: Buffer.from(exchange.body, "latin1") };
		const answer = await fetch(origin + exchange.path, { method, headers: exchange.headers, ...sent });
		const { "content-length": _size, ...answered } = Object.fromEntries(answer.headers);
		const bytes = Buffer.from(await answer.arrayBuffer());
		if (!answer.headers.get("content-type")?.startsWith("application/json")) {
			return { status: answer.status, headers: answered, body: bytes };
		}
		const reply: Reply = { status: answer.status, json: JSON.parse(bytes.toString()) as Json };
		fault?.changeResponse?.(reply, exchange);
		return { status: reply.status, headers: answered, body: JSON.stringify(reply.json) };
	}
	const baseUrl = await openHttpServer((request, response) => {
		void forward(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
	});
	return { baseUrl, key };
}

const isOfSpecification = ({ source }: Pick<CheckedRule, "source">): boolean => source === "specification";

const failuresIn = (checked: readonly CheckedRule[]): readonly CheckedRule[] =>
	checked.filter(({ verdict }) => verdict.kind === "failed");

test("the studio conforms to the specification and its own document, and supports all features", async () => {
	const { checked, submittedTasks } = await checkService({ ...(await serve()), ...LONG_WAIT });
	expect(submittedTasks).toBe(SUBMITTED_TASKS);
	expect(checked.filter(({ verdict }) => verdict.kind !== "passed")).toStrictEqual([]);
	expect(conforms(checked)).toBe(true);
	expect(checked.length).toBeGreaterThan(80);
	expect(summaryOf(checked)).toMatch(/^specification: 15 passed, 0 failed, 0 noted, 0 not offered$/m);
});

test.each(FAULTS)("the checker reports a service that $name", async ({ rule, why, ...fault }) => {
	const isViolated = ({ title }: Pick<CheckedRule, "title">): boolean => rule.test(title);
	const { checked } = await checkService({ ...(await serve(fault)), ...SHORT_WAIT }, undefined, isViolated);
	const whys = failuresIn(checked).map(({ verdict }) => verdict.kind === "failed" && verdict.why);
	expect(whys).toContainEqual(expect.stringMatching(why));
	expect(conforms(checked)).toBe(false);
});

/** Checks a faulty service against the specification alone. */
const checkAgainstSpecification = async (fault: Fault, limits = LONG_WAIT) =>
	(await checkService({ ...(await serve(fault)), ...limits }, undefined, isOfSpecification)).checked;

test.each<[string, (task: Json) => unknown, typeof LONG_WAIT, object]>([
	[
		"a task that is encoded as a JSON string twice",
		(task) => JSON.stringify(JSON.stringify(task)),
		LONG_WAIT,
		{ title: "data of a task is an object" },
	],
	[
		"an unknown state",
		(task) => ({ ...task, status: "baked" }),
		SHORT_WAIT,
		{ verdict: { why: expect.stringContaining("has the unknown state baked") } },
	],
])("%s is noted, and is no failure", async (_what, change, limits, note) => {
	const checked = await checkAgainstSpecification({ changeResponse: changeTask(change) }, limits);
	expect(failuresIn(checked)).toStrictEqual([]);
	expect(checked.filter(({ verdict }) => verdict.kind === "noted")).toMatchObject([note]);
	expect(conforms(checked)).toBe(true);
});

describe("an error is reported once:", () => {
	test("a numeric identifier, which the other rules still use", async () => {
		/** The ids of the studio. The faulty service sends the position of each, from 1, in its place. */
		const studioIds: string[] = ["none"];
		const fault: Fault = {
			changeRequest: (exchange) => {
				const [before, number] = exchange.path.split("/task/");
				const taskId = studioIds[Number(number?.split("?")[0])];
				if (taskId !== undefined) exchange.path = `${before}/task/${taskId}`;
			},
			changeResponse: ({ json }, exchange) => {
				if (!isSubmit(exchange) || json["code"] !== 0) return;
				studioIds.push(String(record(json["data"])["taskId"]));
				Object.assign(json, { data: { taskId: studioIds.length - 1 } });
			},
		};
		const checked = await checkAgainstSpecification(fault);
		expect(failuresIn(checked).map(({ verdict }) => verdict)).toStrictEqual([
			{ kind: "failed", why: expect.stringContaining("data.taskId is 1") },
		]);
	});

	test("a service that accepts no task", async () => {
		const fault: Fault = {
			changeResponse: ({ json }, exchange) => isSubmit(exchange) && Object.assign(json, { code: 1, data: null }),
		};
		const checked = await checkAgainstSpecification(fault, SHORT_WAIT);
		const whys = checked.flatMap(({ verdict }) => (verdict.kind === "failed" ? [verdict.why] : []));
		expect(whys.filter((why) => why.includes("the submit that the other rules need"))).toHaveLength(1);
		expect(checked.some(({ verdict }) => verdict.kind === "notOffered")).toBe(true);
	});
});

/**
 * A service with the two operations of the specification that rejects nothing and creates a task for every submit.
 */
async function servePermissive(): Promise<string> {
	let tasks = 0;
	return await openHttpServer((request, response) => {
		request.resume();
		const isSubmitted = request.method === "POST" && request.url === "/api/v1/generate";
		if (request.url === "/file") return void response.end("a file");
		if (!isSubmitted && !request.url?.startsWith("/api/v1/task/")) return void response.writeHead(404).end("{}");
		const data = isSubmitted
			? { taskId: `t${++tasks}` }
			: { status: "success", url: `http://${request.headers.host}/file` };
		response.end(JSON.stringify({ code: 0, data }));
	});
}

test("a service that rejects nothing receives no more tasks than the help announces", async () => {
	const baseUrl = await servePermissive();
	const { submittedTasks } = await checkService({ baseUrl, key: "k", model: "m", ...SHORT_WAIT });
	expect(submittedTasks).toBe(SUBMITTED_TASKS_MAX);
});

test("an unreachable service is reported with its own exit code", async () => {
	const args = [`http://127.0.0.1:${await freePort()}`, "key", "--model", "m"];
	const run = { cwd: await createTempFolder(), args, env: {} };
	const { code, stdout, stderr } = await runScript("test/conformance/run.ts", run);
	expect([code, stdout]).toStrictEqual([3, ""]);
	expect(stderr).toContain("GET /openapi.json: no answer (ECONNREFUSED)");
	expect(stderr).toContain("is not reachable");
});

describe("a service without an OpenAPI document", () => {
	const withoutDocument: Fault = {
		changeResponse: (reply, { path }) => path === "/openapi.json" && Object.assign(reply, { status: 404, json: {} }),
	};

	test("is checked by the specification alone, with the named model", async () => {
		const { checked } = await checkService({ ...(await serve(withoutDocument)), ...LONG_WAIT, model: "fake-image" });
		expect(failuresIn(checked)).toStrictEqual([]);
		expect(checked.filter(({ source }) => source === "document")).toMatchObject([{ verdict: { kind: "notOffered" } }]);
	});

	test("cannot be checked without a named model", async () => {
		await expect(checkService({ ...(await serve(withoutDocument)), ...LONG_WAIT })).rejects.toThrow("--model ID");
	});
});
