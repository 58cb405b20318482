/** The OpenAPI document says what the service does, and the page beside it lets people try it. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { CODES } from "../src/errors.ts";
import { routes } from "../src/routes.ts";
import { createFakeEngine, fakeImageModel, fakePng } from "../testing/fake-engine.ts";
import { ORDER, setup } from "../testing/studio-setup.ts";

interface Document {
	readonly openapi: string;
	readonly servers: readonly { url: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}
interface Operation {
	readonly operationId: string;
	readonly summary: string;
	readonly parameters: readonly { name: string; in: string; schema: unknown }[];
	readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

async function setupDocument() {
	const studio = await setup();
	const response = await studio.app.inject("/openapi.json");
	expect(response.statusCode).toBe(200);
	return { ...studio, document: response.json<Document>() };
}

function answerOf(method: string, path: string) {
	const route = routes.find((each) => each.method === method && each.path === path);
	if (!route) throw new Error(`no such route: ${method} ${path}`);
	return route.answer;
}

describe("the document", () => {
	test("has every operation, once, under an id of its own", async () => {
		const { document } = await setupDocument();
		expect(document.openapi).toBe("3.1.0");
		expect(document.servers).toStrictEqual([{ url: "http://studio.test" }]);
		const found = Object.entries(document.paths).flatMap(([path, methods]) =>
			Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
		);
		const real = routes.map(({ method, path }) => `${method} /api/v1${path.replace(":taskId", "{taskId}")}`);
		expect(new Set(found)).toStrictEqual(new Set(real));
		const ids = Object.values(document.paths).flatMap((methods) =>
			Object.values(methods).map((each) => each.operationId),
		);
		expect(new Set(ids).size).toBe(real.length);
	});

	test("describes parameters and bodies by what checks them", async () => {
		const { document } = await setupDocument();
		const list = document.paths["/api/v1/tasks"]?.["get"];
		expect(list?.parameters.map(({ name }) => name)).toStrictEqual([
			"status",
			"mediaType",
			"model",
			"idempotencyKey",
			"limit",
			"cursor",
		]);
		expect(list?.parameters[0]?.schema).toMatchObject({
			enum: ["pending", "processing", "success", "failed", "canceled"],
		});
		const query = document.paths["/api/v1/tasks/query"]?.["post"];
		expect(query?.requestBody?.content["application/json"]).toMatchObject({
			schema: { required: ["taskIds"], properties: { taskIds: { type: "array", maxItems: 100 } } },
		});
	});

	test("describes an order by the catalogue, and a refusal by the codes", async () => {
		const { document } = await setupDocument();
		const { Order, Refusal } = document.components.schemas;
		expect(Order).toMatchObject({ required: ["mediaType", "model"] });
		expect(Order?.["anyOf"]).toContainEqual(
			expect.objectContaining({
				title: "fake-image",
				properties: expect.objectContaining({ options: { type: "object", properties: fakeImageModel.options } }),
			}),
		);
		expect(Refusal).toMatchObject({ properties: { code: { enum: Object.values(CODES) } } });
	});
});

describe("what it says of answers is what comes", () => {
	test("of tasks in every state", async () => {
		const engine = createFakeEngine({
			concurrency: 1,
			script: [{ kind: "succeed" }, { kind: "fail", retryable: false }, { kind: "hang" }],
		});
		const { made, submitted, when, canceled, call } = await setup({ engine });
		await made({ ...ORDER, options: { nonsense: 1 } });
		await made();
		await when(await submitted(), "processing");
		await submitted();
		await canceled(await submitted());
		const { body } = await call("GET", "/api/v1/tasks");
		const parsed = answerOf("GET", "/tasks").parse(body.data) as { tasks: { status: string; taskId: string }[] };
		expect(parsed.tasks.map(({ status }) => status).toSorted((a, b) => (a < b ? -1 : 1))).toStrictEqual([
			"canceled",
			"failed",
			"pending",
			"processing",
			"success",
		]);
		for (const { taskId } of parsed.tasks) {
			const record = (await call("GET", `/api/v1/task/${taskId}?refresh=1`)).body.data;
			expect(() => answerOf("GET", "/task/:taskId").parse(record)).not.toThrow();
		}
	});

	test("of everything else", async () => {
		const { made, call } = await setup();
		const taskId = String((await made({ ...ORDER, callbackUrl: "https://127.0.0.2.example/" }))["taskId"]);
		const file = Buffer.concat([
			Buffer.from('--e\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'),
			fakePng(),
			Buffer.from("\r\n--e--\r\n"),
		]);
		const multipart = { payload: file, headers: { "content-type": "multipart/form-data; boundary=e" } };
		const answered = [
			["POST", "/generate", { body: ORDER }],
			["POST", "/credits/quote", { body: ORDER }],
			["GET", "/credits", {}],
			["GET", "/models", {}],
			["POST", "/uploads", multipart],
			["GET", "/callbacks/secret", {}],
			["GET", "/task/:taskId/callbacks", {}],
			["POST", "/task/:taskId/cancel", {}],
			["POST", "/tasks/query", { body: { taskIds: [taskId] } }],
			["DELETE", "/task/:taskId", {}],
		] as const;
		for (const [method, path, more] of answered) {
			const { status, body } = await call(method, `/api/v1${path.replace(":taskId", taskId)}`, more);
			expect(status).toBe(200);
			expect(() => answerOf(method, path).parse(body.data)).not.toThrow();
		}
	});
});

describe("the page", () => {
	test("is ours alone: nothing from elsewhere, nothing inline, and nothing may frame it", async () => {
		const { app } = await setup();
		for (const [path, type] of [
			["/docs", "text/html"],
			["/docs/docs.js", "text/javascript"],
			["/docs/docs.css", "text/css"],
		] as const) {
			const { statusCode, headers, body } = await app.inject(path);
			expect(statusCode).toBe(200);
			expect(headers["content-type"]).toContain(type);
			expect(headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self';");
			expect(headers["x-content-type-options"]).toBe("nosniff");
			expect(body).not.toMatch(/https?:\/\//);
			expect(body).not.toMatch(/<script>|<style|\son\w+="|innerHTML|eval\(/);
		}
	});

	test("names no file that is not served", async () => {
		const { app } = await setup();
		const html = await readFile(new URL("../src/docs-page/docs.html", import.meta.url), "utf8");
		const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
		expect(named.length).toBeGreaterThan(2);
		for (const path of named) expect((await app.inject(path)).statusCode).toBe(200);
	});
});
