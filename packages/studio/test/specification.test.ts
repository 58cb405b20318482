/** The requirements of the media generation service's specification, in its order. */
import { describe, expect, test } from "vitest";
import { REQUEST, setup } from "../testing/studio-setup.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";

describe("the service", () => {
	test("generates images, videos and music on request, with JSON bodies", async () => {
		const { call, submitTask } = await setup();
		for (const [mediaType, model] of [
			["image", "fake-image"],
			["video", "fake-video"],
			["music", "fake-music"],
		]) {
			const taskId = await submitTask({ mediaType, model, prompt: "a lighthouse" });
			const reply = await call("GET", `/api/v1/task/${taskId}`);
			expect(reply.headers["content-type"]).toContain("application/json");
			expect(reply.body.data).toMatchObject({ mediaType, model });
		}
	});

	test("the model is chosen per request with the field `model`", async () => {
		const first = createFakeEngine({ name: "first", models: [modelNamed("one")] });
		const second = createFakeEngine({ name: "second", models: [modelNamed("two")] });
		const { completeTask } = await setup({ engines: [first, second] });
		await completeTask({ ...REQUEST, model: "two" });
		expect(first.runs).toHaveLength(0);
		expect(second.runs.map(({ task }) => task.model)).toStrictEqual(["two"]);
	});

	test("generation is asynchronous: a submit returns an identifier before the engine has finished", async () => {
		const engine = createFakeEngine({ script: [{ kind: "hang" }] });
		const { submit } = await setup({ engine });
		const reply = await submit();
		expect(reply).toMatchObject({ status: 200, body: { code: 0, data: { taskId: expect.any(String) } } });
	});

	test("the client queries the task by that identifier to get the result", async () => {
		const { submitTask, awaitEnd } = await setup();
		expect(await awaitEnd(await submitTask())).toMatchObject({
			status: "success",
			outputs: [{ url: expect.any(String) }],
		});
	});

	test("tasks are tracked by state", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }, { kind: "hang" }] });
		const { submitTask, readTask, awaitStatus } = await setup({ engine });
		const [first, second] = [await submitTask(), await submitTask()];
		expect(await awaitStatus(first, "processing")).toMatchObject({ startedAt: expect.any(String) });
		expect(await readTask(second)).toMatchObject({ status: "pending" });
		engine.runs[0]?.finish();
		expect(await awaitStatus(first, "success")).toMatchObject({ completedAt: expect.any(String) });
	});

	test("the service retries failed tasks automatically", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: true }] });
		const { submitTask, awaitEnd, awaitRetry, clock } = await setup({ engine });
		const taskId = await submitTask();
		await awaitRetry(taskId, 1);
		await clock.advance(2000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 2 });
	});

	test("usage is paid with credits, and the client pays only for what it generates", async () => {
		const engine = createFakeEngine({ script: [{ kind: "succeed" }, { kind: "fail", retryable: false }] });
		const { completeTask, readBalance } = await setup({ engine, credits: 10 });
		await completeTask();
		await completeTask();
		expect(await readBalance()).toMatchObject({ postedCredits: 6, heldCredits: 0, availableCredits: 6 });
	});
});

describe("the generation request", () => {
	test("the engine receives model, prompt, scene and options", async () => {
		const engine = createFakeEngine();
		const { completeTask } = await setup({ engine });
		await completeTask({
			mediaType: "image",
			model: "fake-image",
			prompt: "a fox",
			scene: "text-to-image",
			options: { aspect_ratio: "16:9", resolution: "2K" },
		});
		expect(engine.runs[0]?.task).toMatchObject({
			model: "fake-image",
			prompt: "a fox",
			scene: "text-to-image",
			options: { aspect_ratio: "16:9", resolution: "2K" },
		});
	});

	test("the prompt reaches the engine unchanged", async () => {
		const engine = createFakeEngine();
		const { completeTask } = await setup({ engine });
		const prompts = [
			":base64:AAAA",
			":colon",
			"@everyone 🦊\u202Eشعر\u0000",
			"../../etc/passwd",
			"\ud800",
			"__proto__",
		];
		for (const prompt of prompts) {
			expect(await completeTask({ ...REQUEST, prompt })).toMatchObject({ prompt });
		}
		expect(engine.runs.map(({ task: { prompt } }) => prompt)).toStrictEqual(prompts);
	});
});

describe("the response envelope", () => {
	test("a submit returns code 0 and only the task's identifier as data", async () => {
		const { submit } = await setup();
		const { body } = await submit();
		expect(body.code).toBe(0);
		expect(Object.keys(body.data)).toStrictEqual(["taskId"]);
	});

	test("a query returns code 0 and the task as data", async () => {
		const { call, submitTask } = await setup();
		const taskId = await submitTask();
		expect((await call("GET", `/api/v1/task/${taskId}`)).body).toMatchObject({ code: 0, data: { taskId } });
	});

	test("an error has the same envelope, with an integer code other than 0", async () => {
		const { call } = await setup();
		const { body } = await call("POST", "/api/v1/generate", { body: {} });
		expect(Number.isInteger(body.code) && body.code !== 0).toBe(true);
	});
});

describe("query a task", () => {
	test("`refresh=1` is accepted, and neither generates nor charges", async () => {
		const engine = createFakeEngine();
		const { completeTask, readTask, readBalance } = await setup({ engine });
		const record = await completeTask();
		const before = await readBalance();
		expect(await readTask(record.taskId, "?refresh=1")).toStrictEqual(record);
		expect(engine.runs).toHaveLength(1);
		expect(await readBalance()).toStrictEqual(before);
	});
});

describe("authentication", () => {
	test("every request needs the header Authorization: Bearer <API_KEY>", async () => {
		const { call, submitTask } = await setup();
		const taskId = await submitTask();
		for (const key of [null, "", "wrong", `sk-${"x".repeat(43)}`]) {
			for (const [method, url] of [
				["POST", "/api/v1/generate"],
				["GET", `/api/v1/task/${taskId}`],
			] as const) {
				const reply = await call(method, url, { key, ...(method === "POST" && { body: REQUEST }) });
				expect(reply).toMatchObject({ status: 401, body: { code: 40100, data: null } });
				expect(reply.headers["www-authenticate"]).toBe("Bearer");
			}
		}
	});

	test("the token is the key issued to the client", async () => {
		const { studio, call } = await setup();
		const { key } = await studio.createKey({ account: "other", name: "first" });
		expect((await call("GET", "/api/v1/models", { key })).status).toBe(200);
	});
});

describe("limits", () => {
	test("generation is charged in whole credits, once per task", async () => {
		const { completeTask, ledger } = await setup();
		const { taskId } = await completeTask();
		const entries = await ledger.history("studio:acme", { limit: 10 });
		expect(entries.map(({ kind, amountCredits, taskId: id }) => [kind, amountCredits, id])).toStrictEqual([
			["post", 4, taskId],
			["reserve", 4, taskId],
			["grant", 100, undefined],
		]);
	});
});

describe("versioning", () => {
	test("the version is part of the path: other paths are 404", async () => {
		const { call } = await setup();
		expect((await call("POST", "/generate", { body: REQUEST })).status).toBe(404);
		expect((await call("POST", "/api/v10/generate", { body: REQUEST })).status).toBe(404);
	});
});

function modelNamed(id: string) {
	const [image] = createFakeEngine().models();
	if (!image) throw new Error("the fake engine has a model");
	return { ...image, id };
}
