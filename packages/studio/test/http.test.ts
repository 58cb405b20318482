/** The HTTP layer, and rejected requests: code, envelope, and no effect. All codes are our choice. */
import { fastify } from "fastify";
import { describe, expect, test } from "vitest";
import { createFakeEngine, HANG } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

test("accepts a body up to the limit, with a charset, nested to any depth", async () => {
	const payload = `{"mediaType":"image","model":"fake-image","prompt":"x","options":{"deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
	const { call } = await setup({ limits: { bodyBytesMax: payload.length } });
	const headers = { "content-type": "application/json; charset=utf-8" };
	expect((await call("POST", "/api/v1/generate", { payload, headers })).status).toBe(200);
	const reply = await call("POST", "/api/v1/generate", { payload: `${payload} `, headers });
	expect(reply).toMatchObject({ status: 413, body: { code: 41300 } });
});

test("a malformed URL below another path gets Fastify's own response", async () => {
	const { app } = await setup();
	expect((await app.inject("/playground/%ff")).json()).toMatchObject({ statusCode: 400, code: "FST_ERR_BAD_URL" });
});

describe("every response", () => {
	test("is 500 / 50000 without details during an outage of the store; the log has them", async () => {
		const { call, store, readLog } = await setup();
		store.get = () => Promise.reject(new Error("the disk is on fire"));
		const reply = await call("GET", "/api/v1/models");
		expect(reply).toMatchObject({ status: 500, body: { code: 50000 } });
		expect(reply.headers["content-type"]).toContain("application/json");
		expect(reply.body.message).not.toContain("fire");
		expect(readLog()).toContain("the disk is on fire");
		expect(readLog()).toContain(reply.body.requestId);
	});

	test("to a submit before the start or after the stop is 503 with Retry-After", async () => {
		const { studio, submit } = await setup({ started: false });
		expect(await submit()).toMatchObject({ status: 503, body: { code: 50300 }, headers: { "retry-after": "1" } });
		await studio.start();
		expect((await submit()).status).toBe(200);
		await studio.stop();
		expect((await submit()).status).toBe(503);
	});
});

test("reports the outcome of every submit, and the load of each engine", async () => {
	const outcomes: string[] = [];
	const events = { submitted: (outcome: string) => void outcomes.push(outcome), moved() {} };
	const engine = createFakeEngine({ script: [HANG] });
	const { studio, submit, store, startTask } = await setup({ engine, events });
	const headers = { "idempotency-key": "1" };
	await startTask(REQUEST, headers);
	const engines = [{ name: "fake", health: "up", running: 1, slots: 2 }];
	expect(await studio.status()).toStrictEqual({ openTasks: 1, engines });
	await submit(REQUEST, headers);
	await submit();
	await submit({});
	store.compareAndSetAll = () => Promise.reject(new Error("the store is away"));
	await submit();
	expect(outcomes).toStrictEqual(["accepted", "replayed", "accepted", "rejected", "failed"]);
});

test("leaves parsers, error handler and not-found handler of the app unchanged", async () => {
	const app = fastify();
	app.post("/api/v10/echo", (incoming) => ({ got: incoming.body }));
	await setup({ app });
	const echo = (payload: string, type: string) =>
		app.inject({ method: "POST", url: "/api/v10/echo", payload, headers: { "content-type": type } });
	expect((await echo("hello", "text/plain")).json()).toStrictEqual({ got: "hello" });
	expect((await echo("{", "application/json")).json()).toMatchObject({ statusCode: 400, code: expect.any(String) });
	expect((await app.inject("/elsewhere")).json()).toMatchObject({ statusCode: 404, error: "Not Found" });
	expect((await app.inject("/elsewhere")).headers["x-request-id"]).toBeUndefined();
});

type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
type Request = readonly [method: Method, path: string, more?: object];

const json = (payload: string | Buffer): object => ({ payload, headers: { "content-type": "application/json" } });
const typed = (type: string, payload = JSON.stringify(REQUEST)): object => ({
	payload,
	headers: { "content-type": type },
});
const generate = (more: object): Request => ["POST", "/generate", more];
const submitWith = (change: object): Request => generate({ body: { ...REQUEST, ...change } });
const list = (query: string): Request => ["GET", `/tasks?${query}`];
const batch = (body?: unknown): Request => ["POST", "/tasks/query", { body }];
const upload = (type: string, payload: string): Request => ["POST", "/uploads", typed(type, payload)];
const FORM = "multipart/form-data; boundary=edge";
const DEEP = `${JSON.stringify(REQUEST).slice(0, -1)},"options":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;

/** By code; the third column is the first field of `details`. */
const REJECTED: readonly (readonly [code: number, request: Request, field?: string])[] = [
	...["", '{"mediaType":', "hello", "[]", "1", "null", Buffer.from([0x22, 0xff, 0xfe, 0x22])].map(
		(payload) => [40000, generate(json(payload))] as const,
	),
	...["", " ", "two, headers", "ключ", "x".repeat(256), "\u007f"].map(
		(key) => [40000, generate({ body: REQUEST, headers: { "idempotency-key": key } })] as const,
	),
	[40000, generate({ payload: DEEP, headers: { "content-type": "application/json", "idempotency-key": "deep" } })],
	...["/media/", "/media/x.png", "/media/../studio.key", "/other"].map(
		(path) =>
			[40005, submitWith({ options: { image_input: [`http://studio.test${path}`] } }), "options.image_input"] as const,
	),
	[40200, submitWith({})],
	[41300, generate(json("x".repeat(1024 * 1024 + 1)))],
	...["text/plain", "application/x-www-form-urlencoded", FORM, "application/jsonp", ";;"].map(
		(type) => [41500, generate(typed(type))] as const,
	),
	[41500, generate({})],
	[40001, batch({}), "taskIds"],
	[40006, batch({ taskIds: "task_1" }), "taskIds"],
	[40006, batch({ taskIds: ["task_1", 7] }), "taskIds.1"],
	[40006, batch({ taskIds: Array.from({ length: 101 }, () => "task_1") }), "taskIds"],
	[41500, batch()],

	...["limit=0", "limit=101", "limit=1e1", "limit=2&limit=3"].map((query) => [40006, list(query), "limit"] as const),
	[40006, list("status=done"), "status"],
	[40006, list("cursor=nonsense"), "cursor"],
	[40006, list("model=a&model=b"), "model"],
	[40006, list("idempotencyKey=%20"), "idempotencyKey"],
	[40002, list("mediaType=sculpture"), "mediaType"],
	...["poem", "", "image&mediaType=video"].map(
		(query) => [40002, ["GET", `/models?mediaType=${query}`], "mediaType"] as const,
	),

	[40000, upload(FORM, "--edge\r\ncontent-dis")],
	[40000, upload("multipart/form-data", "x")],
	[40001, upload(FORM, "--edge--\r\n"), "file"],
	[40001, upload(FORM, '--edge\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--edge--\r\n'), "file"],
	[41500, upload("application/json", "{}")],

	...["", "/", "/nothing", "/task/", "/task/task_00000000000000000000000000000000", "/task/x::y"].map(
		(path) => [40400, ["GET", path]] as const,
	),
	...["/task/..%2f..%2fetc", "/task/%00", `/task/${"x".repeat(3000)}`, "/task/%E0%A4%A", "/task/%ff/cancel"].map(
		(path) => [40400, ["GET", path]] as const,
	),
	[40400, ["POST", "/generate/more"]],

	// Without a key the body is not read.
	[40100, generate({ ...typed("text/plain", "x".repeat(2_000_000)), key: null })],
	[40100, ["POST", "/uploads", { payload: "x", key: null }]],
	[40100, ["GET", "/models", { key: null }]],
];

test("every rejected request has its code in the envelope and changes no state", async () => {
	const { call, store, readBalance } = await setup({ credits: 3 });
	const before = await readBalance();
	for (const [code, [method, path, more], field] of REJECTED) {
		const { status, headers, body } = await call(method, `/api/v1${path}`, more);
		const reply = { request: `${method} ${path.slice(0, 60)}`, status, code: body.code, data: body.data };
		expect(reply).toStrictEqual({ ...reply, status: Math.floor(code / 100), code, data: null });
		expect((body.details as { field: string }[] | undefined)?.[0]?.field).toBe(field);
		expect(headers).toMatchObject({ "x-request-id": body.requestId, "cache-control": "no-store" });
	}
	expect(await readBalance()).toStrictEqual(before);
	for (const prefix of ["studio-task:", "studio-open:", "studio-list:"]) {
		expect(await Array.fromAsync(store.scan(prefix))).toStrictEqual([]);
	}
});

test.each([
	["GET", "/generate", "POST"],
	["PUT", "/task/task_1", "GET, HEAD"],
	["PATCH", "/models", "GET, HEAD"],
] as const)("%s %s is 405 and names the right methods", async (method, path, allow) => {
	const { call } = await setup();
	const reply = await call(method, `/api/v1${path}`, typed("text/xml", "<xml/>"));
	expect(reply).toMatchObject({ status: 405, body: { code: 40500 }, headers: { allow } });
});

test("the message is the first problem, with the valid values", async () => {
	const { body } = await (await setup()).submit({ ...REQUEST, options: { aspect_ratio: "7" } });
	expect(body.message).toBe("options.aspect_ratio: must be one of 1:1, 16:9");
	expect(body.details).toStrictEqual([{ field: "options.aspect_ratio", message: "must be one of 1:1, 16:9" }]);
});

test("the message of a credit shortage has the price and the balance", async () => {
	const { body } = await (await setup({ credits: 3 })).submit();
	expect(body.message).toBe("this costs 4 credits and 3 are available");
});
