/** The permissions of keys, which are our choice. */
import { describe, expect, test } from "vitest";
import { isNetwork } from "../src/authenticate.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

describe("a key", () => {
	test("that has expired is 401 / 40101, to the millisecond", async () => {
		const { studio, call, clock } = await setup();
		const { key } = await studio.createKey({ account: "acme", name: "k", expiresAtMs: clock.nowMs() + 1000 });
		await clock.advance(999);
		expect((await call("GET", "/api/v1/models", { key })).status).toBe(200);
		await clock.advance(1);
		const reply = await call("GET", "/api/v1/models", { key });
		expect(reply).toMatchObject({ status: 401, body: { code: 40101 }, headers: { "www-authenticate": "Bearer" } });
	});

	test("of another account gets the same response for a task as for a missing one, and changes nothing", async () => {
		const engine = createFakeEngine({ script: [{ kind: "succeed" }, { kind: "hang" }] });
		const { studio, call, readOperations, completeTask, submitTask, awaitStatus, readTask } = await setup({ engine });
		const ended = await completeTask();
		const running = await submitTask();
		await awaitStatus(running, "processing");
		const { key } = await studio.createKey({ account: "rival", name: "spy" });
		const onTasks = (await readOperations()).filter(({ path }) => path.includes("{taskId}"));
		expect(onTasks).toHaveLength(5);
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
		const { studio, call, readOperations, submitTask, store } = await setup();
		const taskId = await submitTask();
		const before = (await Array.fromAsync(store.scan("studio-task:"))).length;
		const { key } = await studio.createKey({ account: "acme", name: "k", scopes: ["read"] });
		const forbidden: string[] = [];
		// A stream of events would stay open.
		const withEnd = (await readOperations()).filter(({ path }) => !path.endsWith("/events"));
		for (const { method, path } of withEnd) {
			const body = method === "POST" && { body: REQUEST };
			const reply = await call(method, path.replace("{taskId}", taskId), { key, ...body });
			if (reply.status === 403 && reply.body.code === 40300) forbidden.push(`${method} ${path}`);
		}
		expect(new Set(forbidden)).toStrictEqual(
			new Set([
				"POST /api/v1/generate",
				"DELETE /api/v1/task/{taskId}",
				"POST /api/v1/task/{taskId}/cancel",
				"GET /api/v1/callbacks/secret",
				"POST /api/v1/uploads",
			]),
		);
		expect(await Array.fromAsync(store.scan("studio-task:"))).toHaveLength(before);
	});

	test("restricted to models submits and quotes those; others are 403 / 40300", async () => {
		const { studio, call, readBalance } = await setup();
		const { key } = await studio.createKey({ account: "acme", name: "k", models: ["fake-video"] });
		const before = await readBalance();
		const video = { mediaType: "video", model: "fake-video", prompt: "x" };
		for (const path of ["/api/v1/credits/quote", "/api/v1/generate"]) {
			expect(await call("POST", path, { body: REQUEST, key })).toMatchObject({
				status: 403,
				body: { code: 40300, message: "this key lacks the permission for the model fake-image" },
			});
			expect(await readBalance()).toStrictEqual(before);
			expect((await call("POST", path, { body: video, key })).status).toBe(200);
		}
	});

	test.each([
		[["127.0.0.1"], 200],
		[["10.0.0.0/8", "127.0.0.0/8"], 200],
		[["10.0.0.0/8"], 403],
		[["::1"], 403],
		[[], 403],
	])("restricted to the networks %j gets %i from 127.0.0.1", async (addresses, status) => {
		const { studio, call } = await setup();
		const { key } = await studio.createKey({ account: "acme", name: "k", addresses });
		expect((await call("GET", "/api/v1/models", { key })).status).toBe(status);
	});

	test("restricted to IPv4 networks works on a dual-stack socket", async () => {
		const { studio, app } = await setup();
		const { key } = await studio.createKey({ account: "acme", name: "k", addresses: ["203.0.113.0/24"] });
		const from = async (remoteAddress: string) =>
			(await app.inject({ url: "/api/v1/models", remoteAddress, headers: { authorization: `Bearer ${key}` } }))
				.statusCode;
		expect(await from("::ffff:203.0.113.7")).toBe(200);
		expect(await from("203.0.114.7")).toBe(403);
		// Only the socket determines the client's address.
		const headers = { authorization: `Bearer ${key}`, "x-forwarded-for": "203.0.113.7" };
		expect((await app.inject({ url: "/api/v1/models", headers })).statusCode).toBe(403);
	});
});

test.each([
	["203.0.113.0/24", true],
	["203.0.113.7", true],
	["2001:db8::/32", true],
	["203.0.113.0/33", false],
	["2001:db8::/129", false],
	["203.0.113.0/", false],
	["203.0.113.0/24/8", false],
	["example.com", false],
	["", false],
])("isNetwork(%j) is %s", (text, expected) => {
	expect(isNetwork(text)).toBe(expected);
});
