/** Rules from the service's own OpenAPI document: one set for each operation. */
import assert from "node:assert/strict";
import { list, record, type Json, type Operation } from "./openapi-document.ts";
import type { Rule } from "./rule.ts";
import { invalidValuesOf, valueOf } from "./schema-values.ts";
import { NotOfferedError, type Answer, type RequestOptions, type Service } from "./service.ts";

const GENERATE = "/api/v1/generate";
const NO_TASK = "task_00000000000000000000000000000000";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
/** The smallest PNG: one black dot. */
const PNG = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
	"base64",
);

export function documentRules({ document }: Service): readonly Rule[] {
	if (!document) {
		return [
			rule("/openapi.json", "the service has a document", async () => {
				throw new NotOfferedError("there is no OpenAPI document at /openapi.json");
			}),
		];
	}
	const { operations } = document;
	const paths = new Set(operations.map(({ path }) => path));
	return [
		...operations.flatMap(rulesOf),
		...document.requestSchemas.flatMap((schema) => requestRules(schema, operations)),
		...[...paths].map((path) => methodRule(path, operations)),
	];
}

function rulesOf(operation: Operation): readonly Rule[] {
	const name = `${operation.method} ${operation.path}`;
	const rules = [
		rule(name, "answers a valid request as described", async (service) => {
			const answer = await sendValid(service, operation);
			if (operation.streams) return checkStream(answer);
			assert.equal(answer.status, 200, answer.text.slice(0, 300));
			operation.checkAnswer(answer.status, answer.body);
		}),
		rule(name, "rejects a request without a key, as described", async (service) => {
			checkRejection(operation, await sendValid(service, operation, { options: { key: null } }));
		}),
	];
	if (operation.path.includes("{taskId}")) {
		rules.push(
			rule(name, "rejects an unknown task, as described", async (service) => {
				checkRejection(operation, await sendValid(service, operation, { taskId: NO_TASK }));
			}),
		);
	}
	for (const { name: parameter, schema } of operation.parameters.filter((each) => each.in === "query")) {
		const isBound = Array.isArray(schema["enum"]) || typeof schema["pattern"] === "string";
		if (!isBound) continue;
		rules.push(
			rule(name, `rejects an invalid value of ${parameter}, as described`, async (service) => {
				const query = `?${parameter}=${encodeURIComponent("no such value")}`;
				checkRejection(operation, await sendValid(service, operation, { query }));
			}),
		);
	}
	const { body } = operation;
	if (!body) return rules;
	for (const field of list(body["required"]).map(String)) {
		rules.push(
			rule(name, `rejects a body without ${field}, as described`, async (service) => {
				const { [field]: _removed, ...rest } = record(bodyOf(service, operation));
				checkRejection(operation, await sendValid(service, operation, { options: { json: rest } }), field);
			}),
		);
	}
	for (const [field, schema] of Object.entries(record(body["properties"]))) {
		for (const { value, why } of invalidValuesOf(record(schema))) {
			rules.push(
				rule(name, `rejects a ${field} that ${why}, as described`, async (service) => {
					const json = { ...record(bodyOf(service, operation)), [field]: value };
					checkRejection(operation, await sendValid(service, operation, { options: { json } }), field);
				}),
			);
		}
	}
	return rules;
}

/** Checks each option of one model, by a free operation if there is one. `requestSchema`: of a generation request for the model. */
function requestRules(requestSchema: Json, operations: readonly Operation[]): readonly Rule[] {
	const requestOperations = operations.filter(({ isGenerationRequest }) => isGenerationRequest);
	const operation = requestOperations.find(({ path }) => path !== GENERATE) ?? requestOperations[0];
	if (!operation) return [];
	const properties = record(requestSchema["properties"]);
	const request = {
		mediaType: record(properties["mediaType"])["const"],
		model: record(properties["model"])["const"],
		prompt: "a lighthouse in a storm",
	};
	const name = `a request for ${String(request.model)}`;
	const options = Object.entries(record(record(properties["options"])["properties"]));
	return [
		rule(name, "is accepted with each value of its options", async (service) => {
			if (operation.path === GENERATE)
				throw new NotOfferedError("there are no quotes, and each value would be a paid task");
			for (const [option, schema] of options) {
				for (const value of list(record(schema)["enum"])) {
					const answer = await sendValid(service, operation, {
						options: { json: { ...request, options: { [option]: value } } },
					});
					assert.equal(answer.status, 200, `${option} ${String(value)}: ${answer.text.slice(0, 300)}`);
				}
			}
		}),
		...options.flatMap(([option, schema]) =>
			invalidValuesOf(record(schema)).map(({ value, why }) =>
				rule(name, `is rejected if options.${option} ${why}`, async (service) => {
					const answer = await sendValid(service, operation, {
						options: { json: { ...request, options: { [option]: value } } },
					});
					checkRejection(operation, answer, `options.${option}`);
				}),
			),
		),
	];
}

function methodRule(path: string, operations: readonly Operation[]): Rule {
	const described = operations.filter((each) => each.path === path).map(({ method }) => method);
	return rule(path, `accepts ${described.join(" and ")}, and rejects every other method`, async (service) => {
		const { taskId } = await service.accepted();
		for (const method of METHODS.filter((each) => !described.includes(each))) {
			const { status } = await service.send(method, path.replace("{taskId}", taskId));
			assert(status >= 400 && status < 500, `${method} was answered with ${status}`);
		}
	});
}

async function sendValid(
	service: Service,
	operation: Operation,
	{ taskId, query = "", options = {} }: { taskId?: string; query?: string; options?: RequestOptions } = {},
): Promise<Answer> {
	const id = taskId ?? (await taskFor(service, operation));
	const path = operation.path.replace("{taskId}", encodeURIComponent(id)) + query;
	return await service.send(operation.method, path, { ...validBodyOf(service, operation), ...options });
}

function validBodyOf(service: Service, operation: Operation): RequestOptions {
	if (operation.takesFile) return { body: upload() };
	return operation.body ? { json: bodyOf(service, operation) } : {};
}

/** Operations that remove or end a task get their own, because other rules still need the shared one. */
async function taskFor(service: Service, { method, path }: Operation): Promise<string> {
	if (method === "GET" || !path.includes("{taskId}")) return (await service.accepted()).taskId;
	const ownTask = await service.submitted();
	await service.endOf(ownTask);
	return ownTask;
}

function bodyOf(service: Service, { body = {}, isGenerationRequest }: Operation): unknown {
	return isGenerationRequest ? service.request : valueOf(body);
}

function upload(): FormData {
	const form = new FormData();
	form.append("file", new Blob([PNG], { type: "image/png" }), "dot.png");
	return form;
}

function checkRejection(operation: Operation, answer: Answer, field?: string): void {
	assert(answer.status >= 400 && answer.status < 500, `answered with ${answer.status} ${answer.text.slice(0, 300)}`);
	operation.checkAnswer(answer.status, answer.body);
	if (field === undefined) return;
	const { details } = record(answer.body);
	const errors = list(details).map(record);
	assert(
		errors.some((each) => String(each["field"]).split(".")[0] === field.split(".")[0]),
		`no error names ${field}: ${answer.text.slice(0, 300)}`,
	);
}

function checkStream({ status, headers, text }: Answer): void {
	assert.equal(status, 200);
	assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
	assert.match(text, /^event: |^data: /m);
}

function rule(about: string, title: string, check: Rule["check"]): Rule {
	return { source: "document", about, title, check };
}
