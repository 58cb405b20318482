/**
 * The studio's behavior where the specification leaves it open (docs/studio-api.md). Another service may behave
 * differently.
 */
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { list, record, type Json } from "./openapi-document.ts";
import type { Rule } from "./rule.ts";
import { NotOfferedError, type Answer, type RequestOptions, type Service } from "./service.ts";
import { dataOf, succeeds } from "./specification-rules.ts";

const GENERATE = "/api/v1/generate";
const CREDITS = "/api/v1/credits";
const QUOTE = "/api/v1/credits/quote";
const TASKS = "/api/v1/tasks";
const MODELS = "/api/v1/models";
const BODY_TOO_LARGE_BYTES = 2 * 1024 * 1024;
const PROMPT_TOO_LONG_CHARS = 10_001;

const taskPath = (taskId: string): string => `/api/v1/task/${encodeURIComponent(taskId)}`;

/** An invalid field of a request, with the expected status, code and field name. */
const INVALID_FIELDS: readonly (readonly [string, number, number, string, Json])[] = [
	["a missing model", 400, 40001, "model", { model: undefined }],
	["a blank prompt", 400, 40001, "prompt", { prompt: " \n" }],
	["an unknown mediaType", 400, 40002, "mediaType", { mediaType: "sculpture" }],
	["an unknown scene", 400, 40003, "scene", { scene: "text-to-soup" }],
	["an unknown model", 400, 40004, "model", { model: "no-such-model" }],
	["an invalid ratio", 400, 40005, "options.aspect_ratio", { options: { aspect_ratio: "wide" } }],
	["an invalid callback URL", 400, 40006, "callbackUrl", { callbackUrl: "file:///etc/passwd" }],
	["a prompt that is too long", 413, 41300, "prompt", { prompt: "x".repeat(PROMPT_TOO_LONG_CHARS) }],
];

export const studioChoiceRules: readonly Rule[] = [
	rule("Errors", "a wrong or missing key is 401 / 40100 with WWW-Authenticate: Bearer", async (service) => {
		for (const key of [null, "wrong", `sk-${"x".repeat(43)}`]) {
			const answer = await service.send("GET", MODELS, { key });
			expectError(answer, 401, 40100);
			assert.equal(answer.headers.get("www-authenticate"), "Bearer");
		}
	}),
	rule("Errors", "a body that is not a JSON object is 400 / 40000", async (service) => {
		for (const body of ["", "{", "[]", "1", "null"]) {
			expectError(
				await service.send("POST", GENERATE, { body, headers: { "content-type": "application/json" } }),
				400,
				40000,
			);
		}
	}),
	...INVALID_FIELDS.map(invalidFieldRule),
	rule("Errors", "one response names all invalid fields", async (service) => {
		const json = { mediaType: "sculpture", model: "no-such-model", prompt: "" };
		const answer = await service.send("POST", GENERATE, { json });
		const fields = list(record(answer.body)["details"]).map((each) => record(each)["field"]);
		assert.deepEqual(new Set(fields), new Set(["mediaType", "model", "prompt"]));
	}),
	rule("Errors", "a body that is too large is 413 / 41300", async (service) => {
		const body = JSON.stringify({ ...service.request, prompt: "x".repeat(BODY_TOO_LARGE_BYTES) });
		const answer = await service
			.send("POST", GENERATE, { body, headers: { "content-type": "application/json" } })
			.catch(() => undefined);
		// A body that is not read to its end may close the connection before the response.
		if (answer) expectError(answer, 413, 41300);
	}),
	rule("Errors", "a wrong content type is 415 / 41500", async (service) => {
		for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
			const body = JSON.stringify(service.request);
			expectError(await service.send("POST", GENERATE, { body, headers: { "content-type": type } }), 415, 41500);
		}
	}),
	rule("Errors", "an unknown path or task is 404 / 40400", async (service) => {
		for (const path of [
			"/api/v1/nothing",
			"/api/v1/task/task_00000000000000000000000000000000",
			"/api/v1/task/..%2fx",
		]) {
			expectError(await service.send("GET", path), 404, 40400);
		}
	}),
	rule("Errors", "a wrong method is 405 / 40500, and Allow names the right one", async (service) => {
		const answer = await service.send("PUT", GENERATE, { json: service.request });
		expectError(answer, 405, 40500);
		assert.equal(answer.headers.get("allow"), "POST");
	}),
	rule("Errors", "requestId is unique and also in the header X-Request-Id", async (service) => {
		const ids = new Set<unknown>();
		for (const path of [MODELS, MODELS, "/api/v1/nothing"]) {
			const answer = await service.send("GET", path);
			const { requestId } = record(answer.body);
			assert.equal(requestId, answer.headers.get("x-request-id"));
			ids.add(requestId);
		}
		assert.equal(ids.size, 3);
	}),
	rule("Operations", "a path without the version is 404", async (service) => {
		const answer = await service.send("POST", "/generate", { json: service.request });
		assert.equal(answer.status, 404);
	}),
	rule("Submit a task", "unknown fields are ignored, and warnings name unknown options", async (service) => {
		const json = { ...service.request, nonsense: 1, options: { no_such_option: 1 } };
		const answer = await sendIfOffered(service, "POST", QUOTE, { json });
		succeeds(answer);
		const warnings = list(dataOf(answer)["warnings"]).map(record);
		assert.deepEqual(
			warnings.map(({ code }) => code),
			["unknown_option"],
		);
		assert.match(String(warnings[0]?.["message"]), /no_such_option/);
	}),
	rule("Idempotency-Key", "the same key and body give the same task, in any order of the fields", async (service) => {
		const headers = { "idempotency-key": randomUUID() };
		const first = await service.send("POST", GENERATE, { json: service.request, headers });
		succeeds(first);
		const reordered = Object.fromEntries(Object.entries(service.request).toReversed());
		const again = await service.send("POST", GENERATE, { json: reordered, headers });
		assert.equal(dataOf(again)["taskId"], dataOf(first)["taskId"]);
		assert.equal(first.headers.get("idempotency-replayed"), null);
		assert.equal(again.headers.get("idempotency-replayed"), "true");
		const other = await service.send("POST", GENERATE, { json: { ...service.request, prompt: "another" }, headers });
		expectError(other, 422, 42200);
		const found = await sendIfOffered(service, "GET", `${TASKS}?idempotencyKey=${headers["idempotency-key"]}`);
		assert.deepEqual(
			list(dataOf(found)["tasks"]).map((each) => record(each)["taskId"]),
			[dataOf(first)["taskId"]],
		);
	}),
	rule("Idempotency-Key", "ten concurrent submits with one key create one task", async (service) => {
		const headers = { "idempotency-key": randomUUID() };
		// If the key has no effect, ten submits would be ten paid tasks.
		const [one, two] = [await submitOnce(service, headers), await submitOnce(service, headers)];
		assert.equal(dataOf(two)["taskId"], dataOf(one)["taskId"], "two submits, one after the other, are two tasks");
		headers["idempotency-key"] = randomUUID();
		const submits = Array.from({ length: 10 }, () => submitOnce(service, headers));
		const ids = (await Promise.all(submits)).map((answer) => dataOf(answer)["taskId"]);
		assert.equal(new Set(ids).size, 1);
		assert.equal(typeof ids[0], "string");
	}),
	rule("Idempotency-Key", "a rejected request does not use up its key", async (service) => {
		const headers = { "idempotency-key": randomUUID() };
		expectError(
			await service.send("POST", GENERATE, { json: { ...service.request, model: "no-such-model" }, headers }),
			400,
			40004,
		);
		succeeds(await service.send("POST", GENERATE, { json: service.request, headers }));
	}),
	rule("Idempotency-Key", "a key other than 1 to 255 visible ASCII characters is 400 / 40000", async (service) => {
		for (const each of ["with a space", "x".repeat(256), "\u00e9"]) {
			const headers = { "idempotency-key": each };
			expectError(await service.send("POST", GENERATE, { json: service.request, headers }), 400, 40000);
		}
	}),
	rule(
		"Read a task",
		"a successful task has outputs, and its files match their size, hash and type",
		async (service) => {
			const task = await service.ended();
			assert.equal(task["status"], "success", JSON.stringify(task["error"]));
			const outputs = list(task["outputs"]).map(record);
			assert(outputs.length > 0);
			for (const { url, sizeBytes, sha256, contentType } of outputs) {
				const file = await service.fetchFile(String(url));
				const bytes = new Uint8Array(await file.arrayBuffer());
				assert.equal(file.status, 200);
				assert.equal(bytes.byteLength, sizeBytes);
				assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256);
				assert.equal(file.headers.get("content-type"), contentType);
			}
		},
	),
	rule("Media files", "a file is served in ranges, with headers that prevent scripts", async (service) => {
		const [output] = list((await service.ended())["outputs"]).map(record);
		if (!output) throw new NotOfferedError("the task has no output");
		const range = await service.fetchFile(String(output["url"]), { range: "bytes=0-3" });
		assert.equal(range.status, 206);
		assert.equal((await range.arrayBuffer()).byteLength, 4);
		assert.equal(range.headers.get("x-content-type-options"), "nosniff");
		assert.match(range.headers.get("content-security-policy") ?? "", /default-src 'none'/);
	}),
	rule("Credits", "an ended task has no reserved credits and costs the quoted price", async (service) => {
		const quote = dataOf(await sendIfOffered(service, "POST", QUOTE, { json: service.request }));
		const task = await service.ended();
		assert.equal(task["priceVersion"], quote["priceVersion"]);
		assert.equal(task["costCredits"], quote["costCredits"]);
		assert.deepEqual(task["credits"], { reserved: 0, charged: quote["costCredits"], refunded: 0 });
	}),
	rule("Credits", "rejected requests are free and create no task", async (service) => {
		const before = await accountState(service);
		for (const json of [{}, { ...service.request, model: "no-such-model" }, { ...service.request, options: [] }]) {
			const { status } = await service.send("POST", GENERATE, { json });
			assert.equal(status, 400);
		}
		const after = await accountState(service);
		// More if another task of the account failed meanwhile, and its credits were returned.
		assert(after.available >= before.available, `${before.available} credits before, and then ${after.available}`);
		assert.equal(after.newestTask, before.newestTask);
	}),
	rule("Cancel a task", "a canceled task is free unless it succeeded before", async (service) => {
		const taskId = await service.submitted();
		succeeds(await sendIfOffered(service, "POST", `${taskPath(taskId)}/cancel`));
		const { status, costCredits, credits } = await service.endOf(taskId);
		assert(status === "canceled" || status === "success", `it ended as ${String(status)}`);
		if (status === "canceled") assert.equal(costCredits, 0);
		const { reserved, charged } = record(credits);
		assert.deepEqual({ reserved, charged }, { reserved: 0, charged: costCredits });
	}),
	rule("Cancel a task", "the cancellation of an ended task changes nothing", async (service) => {
		const task = await service.ended();
		const answer = await sendIfOffered(service, "POST", `${taskPath(String(task["taskId"]))}/cancel`);
		succeeds(answer);
		assert.deepEqual(dataOf(answer), task);
	}),
	rule(
		"Find tasks again",
		"the list contains the task, newest first, and reads by id keep their order",
		async (service) => {
			const { taskId } = await service.accepted();
			const listed = await sendIfOffered(service, "GET", `${TASKS}?limit=100`);
			const tasks = list(dataOf(listed)["tasks"]).map(record);
			assert(tasks.some((each) => each["taskId"] === taskId));
			const times = tasks.map((each) => String(each["createdAt"]));
			assert.deepEqual(times, times.toSorted().toReversed());
			const ids = tasks
				.slice(0, 5)
				.map((each) => String(each["taskId"]))
				.toReversed();
			const picked = await sendIfOffered(service, "POST", `${TASKS}/query`, { json: { taskIds: ["unknown", ...ids] } });
			assert.deepEqual(
				list(dataOf(picked)["tasks"]).map((each) => record(each)["taskId"]),
				ids,
			);
		},
	),
	rule("List the models", "the list contains the model, and filters by media type", async (service) => {
		const answer = await sendIfOffered(service, "GET", MODELS);
		const models = list(dataOf(answer)["models"]).map(record);
		assert(models.some(({ id }) => id === service.request["model"]));
		for (const mediaType of ["image", "video", "music"]) {
			const some = list(dataOf(await service.send("GET", `${MODELS}?mediaType=${mediaType}`))["models"]).map(record);
			assert.deepEqual(
				some.map(({ id }) => id),
				models.filter((each) => each["mediaType"] === mediaType).map(({ id }) => id),
			);
		}
	}),
];

function invalidFieldRule([what, status, code, field, change]: (typeof INVALID_FIELDS)[number]): Rule {
	return rule(
		"Errors",
		`${what} is ${status} / ${code}, and details name the field and valid values`,
		async (service) => {
			const answer = await service.send("POST", GENERATE, { json: { ...service.request, ...change } });
			expectError(answer, status, code);
			const [first] = list(record(answer.body)["details"]).map(record);
			assert.equal(first?.["field"], field);
			assert.match(String(first?.["message"]), /^must be /);
		},
	);
}

function submitOnce(service: Service, headers: Readonly<Record<string, string>>): Promise<Answer> {
	return service.send("POST", GENERATE, { json: service.request, headers });
}

async function sendIfOffered(
	service: Service,
	method: string,
	path: string,
	options: RequestOptions = {},
): Promise<Answer> {
	const answer = await service.send(method, path, options);
	if (answer.status === 404 || answer.status === 405)
		throw new NotOfferedError(`${method} ${path} is ${answer.status}`);
	return answer;
}

async function accountState(service: Service): Promise<{ readonly available: number; readonly newestTask: unknown }> {
	const [newest] = list(dataOf(await sendIfOffered(service, "GET", `${TASKS}?limit=1`))["tasks"]);
	const { available } = dataOf(await sendIfOffered(service, "GET", CREDITS));
	return { available: Number(available), newestTask: record(newest)["taskId"] };
}

function expectError(answer: Answer, status: number, code: number): void {
	assert.equal(
		`${answer.status} / ${String(record(answer.body)["code"])}`,
		`${status} / ${code}`,
		answer.text.slice(0, 300),
	);
}

function rule(about: string, title: string, check: Rule["check"]): Rule {
	return { source: "choice", about, title, check };
}
