/** The rules of the specification, one for each statement, without details that it leaves open. */
import assert from "node:assert/strict";
import { parseNestedJson } from "@atelier/media-protocol/parse-value";
import { record, type Json } from "./openapi-document.ts";
import type { Rule } from "./rule.ts";
import { LeftOpenError, type Answer, type Service } from "./service.ts";

/** The sections of the specification. */
const SUBMIT = "Submit a generation task";
const QUERY = "Query a task";
const ENVELOPE = "Response envelope";
const GENERATE = "/api/v1/generate";
const NO_TASK = "/api/v1/task/task_00000000000000000000000000000000";

const taskPath = (taskId: string): string => `/api/v1/task/${encodeURIComponent(taskId)}`;

export const specificationRules: readonly Rule[] = [
	rule(SUBMIT, "POST /api/v1/generate accepts mediaType, model, prompt, scene and options", async (service) => {
		const { answer } = await service.accepted();
		succeeds(answer);
	}),
	rule(SUBMIT, "data.taskId of its response identifies the new task, and is a string", async (service) => {
		const { taskId, answer } = await service.accepted();
		const given = dataOf(answer)["taskId"];
		assert.equal(typeof given, "string", `data.taskId is ${JSON.stringify(given)}`);
		if (encodeURIComponent(taskId) !== taskId)
			throw new LeftOpenError("it is part of a path, and needs escaping there");
	}),
	rule("Task", "a second submit creates another task", async (service) => {
		const { taskId } = await service.accepted();
		const second = await service.send("POST", GENERATE, { json: service.request });
		succeeds(second);
		assert.notEqual(dataOf(second)["taskId"], taskId);
	}),
	rule(SUBMIT, "the body is a JSON object: other types are rejected", async (service) => {
		const headers = { "content-type": "application/json" };
		for (const body of ["", "{", "[]", "1", "null", '"text"', "mediaType=image"]) {
			rejects(await service.send("POST", GENERATE, { body, headers }), `a body of ${JSON.stringify(body)}`);
		}
	}),
	rule(QUERY, "GET /api/v1/task/{taskId} works at once after the submit", async (service) => {
		const { taskId } = await service.accepted();
		succeeds(await service.send("GET", taskPath(taskId)));
	}),
	rule(QUERY, "the query parameter refresh accepts the value 1", async (service) => {
		const { taskId } = await service.accepted();
		succeeds(await service.send("GET", `${taskPath(taskId)}?refresh=1`));
	}),
	rule(QUERY, "an unknown identifier is rejected", async (service) => {
		rejects(await service.send("GET", NO_TASK), "a read of an unknown task");
	}),
	rule("Tasks", "a task ends without further requests, and a query returns its result", async (service) => {
		const task = await service.ended();
		const reading = service.read(task)?.task;
		const outputs = reading?.state === "success" ? reading.outputs.map(({ url }) => url) : [];
		const urls = [...new Set([...outputs, ...urlsIn(task)])];
		assert(urls.length > 0, `the task ended without a result: ${JSON.stringify(task).slice(0, 300)}`);
		const found = await Promise.all(urls.map((each) => hasFile(service, each)));
		assert(found.includes(true), `none of its URLs returns a file: ${urls.join(", ")}`);
	}),
	...(["no key", "a wrong key", "an empty key"] as const).map((credential) =>
		rule("Authentication", `neither operation succeeds with ${credential}`, async (service) => {
			const { taskId } = await service.accepted();
			const key = { "no key": null, "a wrong key": `sk-${"x".repeat(43)}`, "an empty key": "" }[credential];
			rejects(await service.send("POST", GENERATE, { json: service.request, key }), `a submit with ${credential}`);
			rejects(await service.send("GET", taskPath(taskId), { key }), `a read with ${credential}`);
		}),
	),
	rule(ENVELOPE, "every response is a JSON object with an integer code, where 0 means success", async (service) => {
		const { taskId, answer } = await service.accepted();
		const answers = [
			answer,
			await service.send("GET", taskPath(taskId)),
			await service.send("GET", NO_TASK),
			await service.send("GET", taskPath(taskId), { key: null }),
			await service.send("POST", GENERATE, { json: {} }),
			await service.send("POST", GENERATE, { json: service.request, key: null }),
		];
		for (const each of answers) envelopeOf(each);
	}),
	rule(ENVELOPE, "data of a submit's success is an object", async (service) => {
		const { data } = record((await service.accepted()).answer.body);
		assert(isRecord(data), `data is ${JSON.stringify(data)}`);
	}),
	rule(QUERY, "data of a task is an object", async (service) => {
		const { taskId } = await service.accepted();
		const { data } = record((await service.send("GET", taskPath(taskId))).body);
		const received = JSON.stringify(data)?.slice(0, 200);
		if (!isRecord(data))
			throw new LeftOpenError(`data is ${received}; the specification leaves the form of a task open`);
	}),
	rule("Errors", "a rejected request has another code than 0, and no task", async (service) => {
		const answer = await service.send("POST", GENERATE, { json: { ...service.request, model: "no-such-model" } });
		rejects(answer, "a request for an unknown model");
		assert.equal(dataOf(answer)["taskId"], undefined);
	}),
];

function rule(about: string, title: string, check: Rule["check"]): Rule {
	return { source: "specification", about, title, check };
}

function envelopeOf(answer: Answer): Json {
	const received = `${answer.status} ${answer.text.slice(0, 200)}`;
	assert(typeof answer.body === "object" && answer.body !== null, `the response is not a JSON object: ${received}`);
	const envelope = record(answer.body);
	assert(Number.isInteger(envelope["code"]), `code is not an integer: ${received}`);
	return envelope;
}

function succeeds(answer: Answer): void {
	assert.equal(envelopeOf(answer)["code"], 0, `answered with ${answer.status} ${answer.text.slice(0, 300)}`);
}

function rejects(answer: Answer, request: string): void {
	assert.notEqual(envelopeOf(answer)["code"], 0, `${request} was accepted`);
}

function dataOf(answer: Answer): Json {
	return record(parseNestedJson(record(answer.body)["data"]));
}

function isRecord(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Anywhere in the record: the specification does not define where a result is. */
function urlsIn(value: unknown): readonly string[] {
	const opened = parseNestedJson(value);
	if (typeof opened === "string") return /^https?:\/\//.test(opened) ? [opened] : [];
	return typeof opened === "object" && opened !== null ? Object.values(opened).flatMap(urlsIn) : [];
}

async function hasFile(service: Service, url: string): Promise<boolean> {
	const response = await service.fetchFile(url);
	return response.ok && (await response.arrayBuffer()).byteLength > 0;
}
