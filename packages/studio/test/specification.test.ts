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

	test("generation is asynchronous: a submit returns an identifier, by which the client follows the state to the result", async () => {
		const engine = createFakeEngine({ concurrency: 1, script: [{ kind: "hang" }, { kind: "hang" }] });
		const { submit, submitTask, readTask, awaitStatus } = await setup({ engine });
		const { status, body } = await submit();
		expect({ status, ...body }).toMatchObject({ status: 200, code: 0 });
		expect(body.data).toStrictEqual({ taskId: expect.any(String) });
		const taskId = String(body.data["taskId"]);
		const next = await submitTask();
		expect(await awaitStatus(taskId, "processing")).toMatchObject({ taskId, startedAt: expect.any(String) });
		expect(await readTask(next)).toMatchObject({ status: "pending" });
		engine.runs[0]?.finish();
		expect(await awaitStatus(taskId, "success")).toMatchObject({
			completedAt: expect.any(String),
			outputs: [{ url: expect.any(String) }],
		});
	});

	test("the service retries failed tasks automatically", async () => {
		const engine = createFakeEngine({ script: [{ kind: "fail", retryable: true }] });
		const { submitTask, awaitEnd, awaitRetry, clock } = await setup({ engine });
		const taskId = await submitTask();
		await awaitRetry(taskId, 1);
		await clock.advance(2000);
		expect(await awaitEnd(taskId)).toMatchObject({ status: "success", attempt: 2 });
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
});

describe("limits", () => {
	test("usage is charged in whole credits, once per task, and only for what the service generates", async () => {
		const engine = createFakeEngine({ script: [{ kind: "succeed" }, { kind: "fail", retryable: false }] });
		const { completeTask, ledger, readBalance } = await setup({ engine });
		const { taskId } = await completeTask();
		const entries = await ledger.history("studio:acme", { limit: 10 });
		expect(entries.map(({ kind, amountCredits, taskId: id }) => [kind, amountCredits, id])).toStrictEqual([
			["post", 4, taskId],
			["reserve", 4, taskId],
			["grant", 100, undefined],
		]);
		await completeTask();
		expect(await readBalance()).toMatchObject({ postedCredits: 96, heldCredits: 0, availableCredits: 96 });
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
