/** Keys and their permissions, which are our choice. */
import { describe, expect, test } from "vitest";
import { createFakeEngine, HANG } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

describe("a key", () => {
	test("that has expired is 401 / 40101, to the millisecond", async () => {
		const { studio, call, clock } = await setup();
		const { key } = await studio.keys.create({ account: "acme", name: "k", expiresAtMs: clock.nowMs() + 1000 });
		await clock.advance(999);
		expect((await call("GET", "/api/v1/models", { key })).status).toBe(200);
		await clock.advance(1);
		const reply = await call("GET", "/api/v1/models", { key });
		expect(reply).toMatchObject({ status: 401, body: { code: 40101 }, headers: { "www-authenticate": "Bearer" } });
	});

	test("of another account gets the same response for a task as for a missing one, and changes nothing", async () => {
		const engine = createFakeEngine({ script: [{ kind: "succeed" }, HANG] });
		const { studio, call, readOperations, completeTask, readTask, startTask } = await setup({ engine });
		const ended = await completeTask();
		const running = await startTask();
		const { key } = await studio.keys.create({ account: "rival", name: "spy" });
		const onTasks = (await readOperations()).filter(({ path }) => path.includes("{taskId}"));
		expect(onTasks).toHaveLength(4);
		for (const { method, path } of onTasks) {
			const responseTo = (taskId: string) => call(method, path.replace("{taskId}", taskId), { key });
			const missing = await responseTo(`task_${"0".repeat(32)}`);
			expect(missing).toMatchObject({ status: 404, body: { code: 40400, data: null } });
			for (const taskId of [ended.taskId, running]) {
				const foreign = await responseTo(taskId);
				expect(foreign.status).toBe(404);
				expect({ ...foreign.body, requestId: "" }).toStrictEqual({ ...missing.body, requestId: "" });
			}
		}
		expect(await readTask(ended.taskId)).toStrictEqual(ended);
		expect(await readTask(running)).toMatchObject({ cancelRequested: false, status: "processing" });
	});

	test("with scope read can neither change anything nor read the callback secret", async () => {
		const { studio, call, readOperations, submitTask } = await setup();
		const taskId = await submitTask();
		const { key } = await studio.keys.create({ account: "acme", name: "k", scopes: ["read"] });
		const forbidden: string[] = [];
		// A stream of events would stay open.
		const withEnd = (await readOperations()).filter(({ path }) => !path.endsWith("/events"));
		for (const { method, path } of withEnd) {
			const body = method === "POST" && { body: REQUEST };
			const reply = await call(method, path.replace("{taskId}", taskId), { key, ...body });
			if (reply.status === 403 && reply.body.code === 40300) forbidden.push(`${method} ${path}`);
		}
		expect(forbidden.toSorted()).toStrictEqual([
			"GET /api/v1/callbacks/secret",
			"POST /api/v1/generate",
			"POST /api/v1/task/{taskId}/cancel",
			"POST /api/v1/uploads",
		]);
	});

	test("restricted to models submits and quotes those; others are 403 / 40300", async () => {
		const { studio, call, readBalance } = await setup();
		const { key } = await studio.keys.create({ account: "acme", name: "k", models: ["fake-video"] });
		const before = await readBalance();
		const video = { mediaType: "video", model: "fake-video", prompt: "x" };
		for (const path of ["/api/v1/credits/quote", "/api/v1/generate"]) {
			const reply = await call("POST", path, { body: REQUEST, key });
			expect(reply).toMatchObject({ status: 403, body: { code: 40300 } });
			expect(await readBalance()).toStrictEqual(before);
			expect((await call("POST", path, { body: video, key })).status).toBe(200);
		}
	});

	test.each([
		["203.0.113.7", "203.0.113.7", 200],
		["10.0.0.0/8,203.0.113.0/24", "::ffff:203.0.113.7", 200],
		["203.0.113.0/24", "203.0.114.7", 403],
		["203.0.113.0/24", "::ffff:203.0.114.7", 403],
		["::1", "127.0.0.1", 403],
		["2001:db8::/32", "2001:db8:1::1", 200],
		["2001:db8::/32", "2001:db9::1", 403],
	])("restricted to %s gets from %s the status %i, whatever headers say", async (networks, remoteAddress, status) => {
		const { studio, app } = await setup();
		const { key } = await studio.keys.create({ account: "acme", name: "k", addresses: networks.split(",") });
		const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": "203.0.113.7" };
		expect((await app.inject({ url: "/api/v1/models", remoteAddress, headers })).statusCode).toBe(status);
	});

	test("is not in the store", async () => {
		const { store, key } = await setup();
		for await (const { raw, key: place } of store.scan("")) expect(raw + place).not.toContain(key);
	});

	test("works with any case of the word Bearer, and with no other scheme", async () => {
		const { app, key } = await setup();
		const status = async (authorization: string) =>
			(await app.inject({ url: "/api/v1/models", headers: { authorization } })).statusCode;
		expect(await status(`bearer ${key}`)).toBe(200);
		for (const wrong of [key, `Basic ${key}`, `Bearer${key}`, `Bearer ${key}x`, `Bearer ${key} ${key}`, "Bearer "]) {
			expect(await status(wrong)).toBe(401);
		}
	});

	test("is not created for an account with an invalid name", async () => {
		const { studio } = await setup();
		for (const account of ["", "a b", "a:b", "a::b", "x".repeat(65), "ä"]) {
			await expect(studio.keys.create({ account, name: "a" })).rejects.toThrow("an account is named by");
		}
	});
});
