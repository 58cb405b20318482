/** The rules of the specification, one for each statement, without details that it leaves open. */
import assert from "node:assert/strict";
import { parseNestedJson } from "@atelier/media-protocol/parse-value";
import { record, type Json } from "./openapi-document.ts";
import type { Rule } from "./rule.ts";
import { LeftOpenError, type Answer, type Service } from "./service.ts";

const GENERATE = "/api/v1/generate";
const NO_TASK = "/api/v1/task/task_00000000000000000000000000000000";

const taskPath = (taskId: string): string => `/api/v1/task/${encodeURIComponent(taskId)}`;

export const specificationRules: readonly Rule[] = [
	rule(
		"Submit a generation task",
		"POST /api/v1/generate takes mediaType, model, prompt, scene and options",
		async (service) => {
			const { answer } = await service.accepted();
			succeeds(answer);
		},
	),
	rule(
		"Submit a generation task",
		"data.taskId of its answer is the new task's identifier, a string",
		async (service) => {
			const { taskId, answer } = await service.accepted();
			const given = dataOf(answer)["taskId"];
			assert.equal(typeof given, "string", `data.taskId is ${JSON.stringify(given)}`);
			if (encodeURIComponent(taskId) !== taskId)
				throw new LeftOpenError("it is used in a path, and needs escaping there");
		},
	),
	rule("Task", "a task is identified by its taskId: another submit is another one", async (service) => {
		const { taskId } = await service.accepted();
		const second = await service.ask("POST", GENERATE, { json: service.request });
		succeeds(second);
		assert.notEqual(dataOf(second)["taskId"], taskId);
	}),
	rule(
		"the body is a JSON object: other types are rejected",
		"the body is a JSON object: other types are rejected",
		async (service) => {
			const headers = { "content-type": "application/json" };
			for (const body of ["", "{", "[]", "1", "null", '"text"', "mediaType=image"]) {
				rejects(await service.ask("POST", GENERATE, { body, headers }), `a body of ${JSON.stringify(body)}`);
			}
		},
	),
	rule("Query a task", "GET /api/v1/task/{taskId} is answered at once after the submit", async (service) => {
		const { taskId } = await service.accepted();
		succeeds(await service.ask("GET", taskPath(taskId)));
	}),
	rule("Query a task", "the query parameter refresh with the value 1 is taken", async (service) => {
		const { taskId } = await service.accepted();
		succeeds(await service.ask("GET", `${taskPath(taskId)}?refresh=1`));
	}),
	rule("Query a task", "an identifier that no submit returned leads to no task", async (service) => {
		rejects(await service.ask("GET", NO_TASK), "a read of a task that there is not");
	}),
	rule("What the service does", "the task ends by itself, and querying it gives the result", async (service) => {
		const task = await service.ended();
		const reading = service.read(task)?.task;
		const outputs = reading?.state === "success" ? reading.outputs.map(({ url }) => url) : [];
		const addresses = [...new Set([...outputs, ...addressesIn(task)])];
		assert(addresses.length > 0, `the task ended without a result: ${JSON.stringify(task).slice(0, 300)}`);
		const found = await Promise.all(addresses.map((each) => isThere(service, each)));
		assert(found.includes(true), `none of its addresses leads to a file: ${addresses.join(", ")}`);
	}),
	...(["no key", "a wrong key", "an empty key"] as const).map((what) =>
		rule("Authentication", `every request needs the key: with ${what} neither operation succeeds`, async (service) => {
			const { taskId } = await service.accepted();
			const key = { "no key": null, "a wrong key": `sk-${"x".repeat(43)}`, "an empty key": "" }[what];
			rejects(await service.ask("POST", GENERATE, { json: service.request, key }), `a submit with ${what}`);
			rejects(await service.ask("GET", taskPath(taskId), { key }), `a read with ${what}`);
		}),
	),
	rule(
		"Response envelope",
		"every answer is a JSON object with an integer code, where 0 means success",
		async (service) => {
			const { taskId, answer } = await service.accepted();
			const answers = [
				answer,
				await service.ask("GET", taskPath(taskId)),
				await service.ask("GET", NO_TASK),
				await service.ask("GET", taskPath(taskId), { key: null }),
				await service.ask("POST", GENERATE, { json: {} }),
				await service.ask("POST", GENERATE, { json: service.request, key: null }),
			];
			for (const each of answers) envelopeOf(each);
		},
	),
	rule("Response envelope", "data of a submit's success is an object", async (service) => {
		const { data } = record((await service.accepted()).answer.body);
		assert(isRecord(data), `data is ${JSON.stringify(data)}`);
	}),
	rule("Query a task", "data of a task's record is an object", async (service) => {
		const { taskId } = await service.accepted();
		const { data } = record((await service.ask("GET", taskPath(taskId))).body);
		const said = JSON.stringify(data)?.slice(0, 200);
		if (!isRecord(data)) throw new LeftOpenError(`data is ${said}; how a task is written is left open`);
	}),
	rule("Errors", "what is rejected has another code than 0, and no task", async (service) => {
		const answer = await service.ask("POST", GENERATE, { json: { ...service.request, model: "no-such-model" } });
		rejects(answer, "an order of a model that there is not");
		assert.equal(dataOf(answer)["taskId"], undefined);
	}),
];

function rule(about: string, title: string, check: Rule["check"]): Rule {
	return { source: "specification", about, title, check };
}

function envelopeOf(answer: Answer): Json {
	const said = `${answer.status} ${answer.text.slice(0, 200)}`;
	assert(typeof answer.body === "object" && answer.body !== null, `the answer is no JSON object: ${said}`);
	const envelope = record(answer.body);
	assert(Number.isInteger(envelope["code"]), `code is not an integer: ${said}`);
	return envelope;
}

export function succeeds(answer: Answer): void {
	assert.equal(envelopeOf(answer)["code"], 0, `answered with ${answer.status} ${answer.text.slice(0, 300)}`);
}

function rejects(answer: Answer, what: string): void {
	assert.notEqual(envelopeOf(answer)["code"], 0, `${what} was answered with success`);
}

export function dataOf(answer: Answer): Json {
	return record(parseNestedJson(record(answer.body)["data"]));
}

function isRecord(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Anywhere in the record: the specification does not define where a result is. */
function addressesIn(value: unknown): readonly string[] {
	const opened = parseNestedJson(value);
	if (typeof opened === "string") return /^https?:\/\//.test(opened) ? [opened] : [];
	return typeof opened === "object" && opened !== null ? Object.values(opened).flatMap(addressesIn) : [];
}

async function isThere(service: Service, url: string): Promise<boolean> {
	const response = await service.fetchFile(url);
	return response.ok && (await response.arrayBuffer()).byteLength > 0;
}
