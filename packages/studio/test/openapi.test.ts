/** The OpenAPI document, and the page that shows it. */
import { expect, test } from "vitest";
import { TasksResponse } from "../src/response-schemas.ts";
import { createFakeEngine, HANG, PERMANENT_FAILURE } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

test("tasks in every state match the schema of the document", async () => {
	const engine = createFakeEngine({
		concurrency: 1,
		script: [{ kind: "succeed" }, PERMANENT_FAILURE, HANG],
	});
	const { completeTask, submitTask, cancelTask, call, startTask } = await setup({ engine });
	await completeTask({ ...REQUEST, options: { nonsense: 1 } });
	await completeTask();
	await startTask();
	await submitTask();
	await cancelTask(await submitTask());
	const { tasks } = TasksResponse.parse((await call("GET", "/api/v1/tasks")).body.data);
	const states = ["canceled", "failed", "pending", "processing", "success"];
	expect(tasks.map(({ status }) => status).toSorted()).toStrictEqual(states);
});

test("the document describes the headers, the query and the models of requests", async () => {
	const { app } = await setup();
	const { paths, components } = (await app.inject("/openapi.json")).json();
	const submit = paths["/api/v1/generate"].post;
	expect(submit.parameters).toMatchObject([{ in: "header", name: "idempotency-key" }]);
	const body = { schema: { $ref: "#/components/schemas/GenerationRequest" } };
	expect(submit.requestBody.content).toStrictEqual({ "application/json": body });
	expect(paths["/api/v1/task/{taskId}"].get.parameters).toMatchObject([
		{ in: "query", name: "refresh", required: false },
		{ in: "path", name: "taskId", required: true },
	]);
	const models = createFakeEngine().models();
	expect(components.schemas.GenerationRequest).toMatchObject({
		required: ["mediaType", "model"],
		properties: { callbackUrl: { format: "uri" } },
		anyOf: models.map(({ id, options }) => ({
			properties: { model: { const: id }, options: { properties: options } },
		})),
	});
});

test("the page loads nothing from other origins, has no inline code, and cannot be framed", async () => {
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
