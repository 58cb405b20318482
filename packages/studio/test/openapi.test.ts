/** The OpenAPI document, and the page that shows it. */
import { describe, expect, test } from "vitest";
import { TasksResponse } from "../src/response-schemas.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

test("tasks in every state match the schema of the document", async () => {
	const engine = createFakeEngine({
		concurrency: 1,
		script: [{ kind: "succeed" }, { kind: "fail", retryable: false }, { kind: "hang" }],
	});
	const { completeTask, submitTask, awaitStatus, cancelTask, call } = await setup({ engine });
	await completeTask({ ...REQUEST, options: { nonsense: 1 } });
	await completeTask();
	await awaitStatus(await submitTask(), "processing");
	await submitTask();
	await cancelTask(await submitTask());
	const { tasks } = TasksResponse.parse((await call("GET", "/api/v1/tasks")).body.data);
	const states = ["canceled", "failed", "pending", "processing", "success"];
	expect(tasks.map(({ status }) => status).toSorted()).toStrictEqual(states);
});

test("the document has these operations", async () => {
	const { readOperations } = await setup();
	const operations = (await readOperations()).map(({ method, path }) => `${method} ${path}`);
	expect(operations.toSorted()).toStrictEqual([
		"GET /api/v1/callbacks/secret",
		"GET /api/v1/credits",
		"GET /api/v1/models",
		"GET /api/v1/task/{taskId}",
		"GET /api/v1/task/{taskId}/callbacks",
		"GET /api/v1/task/{taskId}/events",
		"GET /api/v1/tasks",
		"POST /api/v1/credits/quote",
		"POST /api/v1/generate",
		"POST /api/v1/task/{taskId}/cancel",
		"POST /api/v1/tasks/query",
		"POST /api/v1/uploads",
	]);
});

test("the document describes requests, their responses and their errors", async () => {
	const { app } = await setup();
	const { paths, components } = (await app.inject("/openapi.json")).json();
	const submit = paths["/api/v1/generate"].post;
	const body = { schema: { $ref: "#/components/schemas/GenerationRequest" } };
	expect(submit.requestBody.content).toStrictEqual({ "application/json": body });
	expect(submit.parameters).toMatchObject([{ in: "header", name: "idempotency-key" }]);
	const data = { required: ["taskId"], properties: { taskId: { type: "string" } } };
	const response = { required: ["code", "message", "requestId", "data"], properties: { code: { const: 0 }, data } };
	expect(submit.responses["200"].content).toMatchObject({ "application/json": { schema: response } });
	const error = { schema: { $ref: "#/components/schemas/Error" } };
	expect(submit.responses.default.content).toStrictEqual({ "application/json": error });
	expect(paths["/api/v1/task/{taskId}"].get.parameters).toMatchObject([
		{ in: "query", name: "refresh", required: false },
		{ in: "path", name: "taskId", required: true },
	]);
	expect(components.schemas.GenerationRequest).toMatchObject({
		type: "object",
		required: ["mediaType", "model"],
		properties: { callbackUrl: { format: "uri" } },
		anyOf: createFakeEngine()
			.models()
			.map(({ id, mediaType, scenes, options }) => ({
				properties: {
					mediaType: { const: mediaType },
					model: { const: id },
					scene: { enum: scenes },
					options: { type: "object", properties: options },
				},
			})),
	});
});

describe("the page", () => {
	test("loads nothing from other origins, has no inline code, and cannot be framed", async () => {
		const { app } = await setup();
		for (const url of ["/docs", "/docs/"]) {
			const page = await app.inject(url);
			expect(page.statusCode).toBe(200);
			const policy = String(page.headers["content-security-policy"]);
			expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
			expect(policy).toContain("frame-ancestors 'none'");
			expect(page.body).not.toMatch(/https?:\/\/|<style|\son\w+="|<script(?! src=")/);
			const linked = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
			expect(linked.length).toBeGreaterThan(3);
			for (const path of linked) {
				const { statusCode, headers } = await app.inject(new URL(path, `http://studio.test${url}`).pathname);
				expect(statusCode).toBe(200);
				expect(headers["x-content-type-options"]).toBe("nosniff");
			}
		}
	});
});
