/** The OpenAPI document, and the page that shows it. */
import { describe, expect, test } from "vitest";
import { TaskResponse, TasksResponse } from "../src/response-schemas.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

test("tasks in every state match the schema of the document", async () => {
	const engine = createFakeEngine({
		concurrency: 1,
		script: [{ kind: "succeed" }, { kind: "fail", retryable: false }, { kind: "hang" }],
	});
	const { completeTask, submitTask, awaitStatus, cancelTask, call } = await setup({ engine });
	const withKey = { "idempotency-key": "one" };
	const ended = [await completeTask({ ...REQUEST, options: { nonsense: 1 } }, withKey), await completeTask()];
	const [running, waiting, canceled] = [await submitTask(), await submitTask(), await submitTask()];
	await awaitStatus(running, "processing");
	await cancelTask(canceled);
	const states: unknown[] = [];
	for (const taskId of [...ended.map((task) => task.taskId), running, waiting, canceled]) {
		const { body } = await call("GET", `/api/v1/task/${taskId}?refresh=1`);
		TaskResponse.parse(body.data);
		states.push(body.data["status"]);
	}
	expect(states).toStrictEqual(["success", "failed", "processing", "pending", "canceled"]);
	TasksResponse.parse((await call("GET", "/api/v1/tasks?idempotencyKey=one")).body.data);
});

test("the document has these operations", async () => {
	const { readOperations } = await setup();
	const operations = (await readOperations()).map(({ method, path }) => `${method} ${path}`);
	expect(operations.toSorted()).toStrictEqual([
		"GET /api/v1/callbacks/secret",
		"GET /api/v1/credits",
		"GET /api/v1/models",
		"GET /api/v1/task/{taskId}",
		"GET /api/v1/tasks",
		"POST /api/v1/credits/quote",
		"POST /api/v1/generate",
		"POST /api/v1/task/{taskId}/cancel",
		"POST /api/v1/uploads",
	]);
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
