/** The edge: what is refused, and how. All codes are our choice. */
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { describe, expect, test } from "vitest";
import { ORDER, setup } from "../testing/studio-setup.ts";

const JSON_TYPE = { "content-type": "application/json" };

describe("a body that cannot be read", () => {
	test.each([
		["nothing", ""],
		["half of an object", '{"mediaType":'],
		["text", "hello"],
		["a list", "[]"],
		["a number", "1"],
		["null", "null"],
		["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
	])("%s is 400 / 40000", async (_name, payload) => {
		const { call } = await setup();
		const reply = await call("POST", "/api/v1/generate", { payload, headers: JSON_TYPE });
		expect(reply).toMatchObject({ status: 400, body: { code: 40000 } });
	});

	test.each([
		"text/plain",
		"application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x",
		"application/jsonp",
		";;",
	])("content type %j is 415 / 41500", async (type) => {
		const { call } = await setup();
		const headers = { "content-type": type };
		const reply = await call("POST", "/api/v1/generate", { payload: JSON.stringify(ORDER), headers });
		expect(reply).toMatchObject({ status: 415, body: { code: 41500 } });
	});

	test("no body and no content type is 415 / 41500", async () => {
		const { call } = await setup();
		expect(await call("POST", "/api/v1/generate")).toMatchObject({ status: 415, body: { code: 41500 } });
	});

	test("a charset beside the content type does no harm", async () => {
		const { call } = await setup();
		const headers = { "content-type": "application/json; charset=utf-8" };
		const reply = await call("POST", "/api/v1/generate", { payload: JSON.stringify(ORDER), headers });
		expect(reply.status).toBe(200);
	});

	test("one byte more than allowed is 413 / 41300", async () => {
		const body = JSON.stringify(ORDER);
		const { call } = await setup({ limits: { bodyBytesMax: body.length } });
		expect((await call("POST", "/api/v1/generate", { payload: body, headers: JSON_TYPE })).status).toBe(200);
		const reply = await call("POST", "/api/v1/generate", { payload: `${body} `, headers: JSON_TYPE });
		expect(reply).toMatchObject({ status: 413, body: { code: 41300 } });
	});

	test("without a key it is not even read", async () => {
		const { call } = await setup();
		const more = { payload: "x".repeat(2_000_000), headers: { "content-type": "text/plain" }, key: null };
		expect(await call("POST", "/api/v1/generate", more)).toMatchObject({ status: 401, body: { code: 40100 } });
	});

	test("nesting of any depth is no fault of ours", async () => {
		const { call } = await setup();
		const options = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
		const payload = `{"mediaType":"image","model":"fake-image","prompt":"x","options":{"deep":${options}}}`;
		expect((await call("POST", "/api/v1/generate", { payload, headers: JSON_TYPE })).status).toBe(200);
		const headers = { ...JSON_TYPE, "idempotency-key": "deep" };
		expect((await call("POST", "/api/v1/generate", { payload, headers })).body.code).toBe(40000);
	});
});

describe("a refused request", () => {
	test("names the field, says what would be right, creates nothing and charges nothing", async () => {
		const { submit, balance, store } = await setup();
		const before = await balance();
		const reply = await submit({ ...ORDER, options: { aspect_ratio: "7" } });
		expect(reply).toMatchObject({ status: 400, body: { code: 40005, data: null } });
		expect(reply.body.message).toBe("options.aspect_ratio: must be one of 1:1, 16:9");
		expect(reply.body.details).toStrictEqual([{ field: "options.aspect_ratio", message: "must be one of 1:1, 16:9" }]);
		expect(await balance()).toStrictEqual(before);
		expect(await Array.fromAsync(store.scan("studio-task:"))).toStrictEqual([]);
		expect(await Array.fromAsync(store.scan("studio-open:"))).toStrictEqual([]);
	});
});

describe("what is not there", () => {
	test.each([
		["GET", "/api/v1"],
		["GET", "/api/v1/"],
		["GET", "/api/v1/nothing"],
		["POST", "/api/v1/generate/more"],
		["GET", "/api/v1/task/"],
		["GET", "/api/v1/task/task_00000000000000000000000000000000"],
		["GET", "/api/v1/task/x::y"],
		["GET", "/api/v1/task/..%2f..%2fetc"],
		["GET", "/api/v1/task/%00"],
	] as const)("%s %s is 404 / 40400 in the envelope", async (method, url) => {
		const { call } = await setup();
		const reply = await call(method, url);
		expect(reply).toMatchObject({ status: 404, body: { code: 40400, data: null } });
		expect(reply.body.requestId).toMatch(/^req_/);
	});

	test.each([
		`/api/v1/task/${"x".repeat(3000)}`,
		"/api/v1/task/%E0%A4%A",
		"/api/v1/task/%ff/cancel",
		`/media/${"x".repeat(3000)}`,
	])("an address that the server itself cannot read is 404 / 40400 in the envelope as well", async (url) => {
		const reply = await (await setup()).call("GET", url);
		expect(reply).toMatchObject({ status: 404, body: { code: 40400, data: null } });
		expect(reply.headers["x-request-id"]).toBe(reply.body.requestId);
	});

	test("such an address of another house is answered as the server does", async () => {
		const { app } = await setup();
		expect((await app.inject("/playground/%ff")).json()).toMatchObject({ statusCode: 400, code: "FST_ERR_BAD_URL" });
	});

	test("a task of another account is not found, not forbidden", async () => {
		const { studio, call, submitted } = await setup();
		const taskId = await submitted();
		const { key } = await studio.createKey({ account: "rival", name: "spy" });
		const theirs = await call("GET", `/api/v1/task/${taskId}`, { key });
		const nobodys = await call("GET", "/api/v1/task/task_00000000000000000000000000000000", { key });
		expect({ ...theirs.body, requestId: "" }).toStrictEqual({ ...nobodys.body, requestId: "" });
		expect(theirs.status).toBe(404);
	});

	test("every key of the account reads the task", async () => {
		const { studio, call, submitted } = await setup();
		const taskId = await submitted();
		const { key } = await studio.createKey({ account: "acme", name: "second" });
		expect((await call("GET", `/api/v1/task/${taskId}`, { key })).status).toBe(200);
	});

	test("an idempotency key does not lead to another account's task", async () => {
		const { studio, call, submitted } = await setup();
		const headers = { "idempotency-key": "1" };
		const mine = await submitted(ORDER, headers);
		const { key } = await studio.createKey({ account: "rival", name: "spy", grantCredits: 10 });
		const theirs = await call("POST", "/api/v1/generate", { body: ORDER, headers, key });
		expect(theirs.status).toBe(200);
		expect(theirs.body.data["taskId"]).not.toBe(mine);
	});
});

describe("a wrong method", () => {
	test.each([
		["GET", "/api/v1/generate", "POST"],
		["PUT", "/api/v1/generate", "POST"],
		["PUT", "/api/v1/task/task_1", "GET, HEAD, DELETE"],
		["POST", "/api/v1/task/task_1", "GET, HEAD, DELETE"],
		["PATCH", "/api/v1/models", "GET, HEAD"],
	] as const)("%s %s is 405 and says which are right", async (method, url, allow) => {
		const { call } = await setup();
		const reply = await call(method, url, { payload: "<xml/>", headers: { "content-type": "text/xml" } });
		expect(reply).toMatchObject({ status: 405, body: { code: 40500 } });
		expect(reply.headers["allow"]).toBe(allow);
	});
});

describe("every answer", () => {
	test("has an id of its own, also in a header", async () => {
		const { call } = await setup();
		const [first, second] = [await call("GET", "/api/v1/models"), await call("GET", "/api/v1/models")];
		expect(first.body.requestId).toBe(first.headers["x-request-id"]);
		expect(first.body.requestId).not.toBe(second.body.requestId);
	});

	test("is 500 / 50000 without a detail when the store is away; the log has it", async () => {
		const { call, store, logged } = await setup();
		store.get = () => Promise.reject(new Error("the disk is on fire"));
		const reply = await call("GET", "/api/v1/models");
		expect(reply).toMatchObject({ status: 500, body: { code: 50000 } });
		expect(reply.body.message).not.toContain("fire");
		expect(logged()).toContain("the disk is on fire");
		expect(logged()).toContain(reply.body.requestId);
	});

	test("to a submit is 503 with Retry-After before the start and after the stop", async () => {
		const { studio, submit } = await setup({ started: false });
		expect(await submit()).toMatchObject({ status: 503, body: { code: 50300 }, headers: { "retry-after": "1" } });
		await studio.start();
		expect((await submit()).status).toBe(200);
		await studio.stop();
		expect((await submit()).status).toBe(503);
	});
});

test("nothing outside its own paths changes: the app keeps its parsers, its errors and its not found", async () => {
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

test("over a real socket a header that Node takes apart does no harm", async () => {
	const { app, key } = await setup();
	await app.listen({ host: "127.0.0.1", port: 0 });
	const { port } = app.server.address() as AddressInfo;
	const status = await new Promise((resolve, reject) => {
		const headers = {
			authorization: `Bearer ${key}`,
			"idempotency-key": ["a", "b"],
			"content-type": "application/json",
		};
		const call = request({ port, host: "127.0.0.1", method: "POST", path: "/api/v1/generate", headers }, (answer) => {
			answer.resume();
			resolve(answer.statusCode);
		});
		call.on("error", reject);
		call.end(JSON.stringify(ORDER));
	});
	expect(status).toBe(400);
});
