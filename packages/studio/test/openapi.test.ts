/** The OpenAPI document, and the page that shows it. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CODES } from "../src/errors.ts";
import { createFakeEngine, fakeImageModel } from "../testing/fake-engine.ts";
import { REQUEST, setup, type OpenApiDocument } from "../testing/studio-setup.ts";

async function setupDocument(options: Parameters<typeof setup>[0] = {}) {
	const studio = await setup(options);
	const document = (await studio.app.inject("/openapi.json")).json<OpenApiDocument>();
	const operation = (method: string, path: string) => {
		const found = document.paths[`/api/v1${path}`]?.[method.toLowerCase()];
		if (!found) throw new Error(`no such operation: ${method} ${path}`);
		return found;
	};
	/** Throws if a response does not match the document. */
	const check = (method: string, path: string, body: unknown): unknown =>
		z.fromJSONSchema(operation(method, path).responses["200"]?.content["application/json"]?.schema ?? {}).parse(body);
	return { ...studio, document, operation, check };
}

test("the document has every operation with its own id", async () => {
	const { document } = await setupDocument();
	expect(document.openapi).toBe("3.1.0");
	expect(document.servers).toStrictEqual([{ url: "http://studio.test" }]);
	const found = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
	);
	expect(found.toSorted((a, b) => (a < b ? -1 : 1))).toStrictEqual([
		"delete-task: delete /api/v1/task/{taskId}",
		"get-callbacks-secret: get /api/v1/callbacks/secret",
		"get-credits: get /api/v1/credits",
		"get-models: get /api/v1/models",
		"get-task-callbacks: get /api/v1/task/{taskId}/callbacks",
		"get-task-events: get /api/v1/task/{taskId}/events",
		"get-task: get /api/v1/task/{taskId}",
		"get-tasks: get /api/v1/tasks",
		"post-credits-quote: post /api/v1/credits/quote",
		"post-generate: post /api/v1/generate",
		"post-task-cancel: post /api/v1/task/{taskId}/cancel",
		"post-tasks-query: post /api/v1/tasks/query",
		"post-uploads: post /api/v1/uploads",
	]);
});

test("the document describes parameters, bodies and errors by the schemas that check them", async () => {
	const { document, operation } = await setupDocument();
	expect(operation("GET", "/tasks").parameters).toMatchObject([
		{ in: "query", name: "status", schema: { enum: ["pending", "processing", "success", "failed", "canceled"] } },
		{ name: "mediaType" },
		{ name: "model" },
		{ name: "idempotencyKey" },
		{ name: "limit" },
		{ name: "cursor" },
	]);
	expect(operation("GET", "/task/{taskId}").parameters).toMatchObject([
		{ in: "query", name: "refresh" },
		{ in: "path", name: "taskId" },
	]);
	expect(operation("POST", "/generate").parameters).toMatchObject([{ in: "header", name: "idempotency-key" }]);
	expect(operation("POST", "/tasks/query").requestBody?.content["application/json"]).toMatchObject({
		schema: { required: ["taskIds"], properties: { taskIds: { type: "array", maxItems: 100 } } },
	});
	expect(operation("POST", "/uploads").requestBody?.content["multipart/form-data"]).toMatchObject({
		schema: { required: ["file"], properties: { file: { type: "string" } } },
	});
	expect(operation("GET", "/task/{taskId}/events").responses["200"]?.content).toHaveProperty("text/event-stream");
	const { GenerationRequest, Error } = document.components.schemas;
	expect(GenerationRequest).toMatchObject({
		required: ["mediaType", "model"],
		anyOf: expect.arrayContaining([
			expect.objectContaining({
				title: "fake-image",
				properties: expect.objectContaining({ options: { type: "object", properties: fakeImageModel.options } }),
			}),
		]),
	});
	expect(Error).toMatchObject({ properties: { code: { enum: Object.values(CODES) } } });
});

test("tasks in every state match the document", async () => {
	const engine = createFakeEngine({
		concurrency: 1,
		script: [{ kind: "succeed" }, { kind: "fail", retryable: false }, { kind: "hang" }],
	});
	const { completeTask, submitTask, awaitStatus, cancelTask, call, check } = await setupDocument({ engine });
	await completeTask({ ...REQUEST, options: { nonsense: 1 }, callbackUrl: "https://127.0.0.2.example/" });
	await completeTask();
	await awaitStatus(await submitTask(), "processing");
	await submitTask();
	await cancelTask(await submitTask());
	const { body } = await call("GET", "/api/v1/tasks");
	check("GET", "/tasks", body);
	const tasks = body.data["tasks"] as { status: string; taskId: string }[];
	expect(new Set(tasks.map(({ status }) => status))).toStrictEqual(
		new Set(["canceled", "failed", "pending", "processing", "success"]),
	);
	for (const { taskId } of tasks) {
		check("GET", "/task/{taskId}", (await call("GET", `/api/v1/task/${taskId}?refresh=1`)).body);
		check("GET", "/task/{taskId}/callbacks", (await call("GET", `/api/v1/task/${taskId}/callbacks`)).body);
	}
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
