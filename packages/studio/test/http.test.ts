/** The HTTP layer; error-responses.test.ts has the rejections. */
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
