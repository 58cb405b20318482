/** Rules from the service's own OpenAPI document: one set for each operation. */
import assert from "node:assert/strict";
import { list, record, type Json, type Operation } from "./openapi-document.ts";
import type { Rule } from "./rule.ts";
import { valueOf, wrongValuesOf } from "./schema-values.ts";
import { NotOfferedError, type Answer, type Asked, type Service } from "./service.ts";

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
			rule("/openapi.json", "the service describes itself", async () => {
				throw new NotOfferedError("there is no OpenAPI document at /openapi.json");
			}),
		];
	}
	const { operations } = document;
	const paths = new Set(operations.map(({ path }) => path));
	return [
		...operations.flatMap(rulesOf),
		...document.submits.flatMap((request) => requestRules(request, operations)),
		...[...paths].map((path) => methodRule(path, operations)),
	];
}

function rulesOf(operation: Operation): readonly Rule[] {
	const name = `${operation.method} ${operation.path}`;
	const rules = [
		rule(name, "answers a good request as it is described", async (service) => {
			const answer = await send(service, operation);
			if (operation.streams) return checkStream(answer);
			assert.equal(answer.status, 200, answer.text.slice(0, 300));
			operation.checkAnswer(answer.status, answer.body);
		}),
		rule(name, "rejects who has no key, as it is described", async (service) => {
			checkRejection(operation, await send(service, operation, { more: { key: null } }));
		}),
	];
	if (operation.path.includes("{taskId}")) {
		rules.push(
			rule(name, "rejects a task that there is not, as it is described", async (service) => {
				checkRejection(operation, await send(service, operation, { taskId: NO_TASK }));
			}),
		);
	}
	for (const { name: parameter, schema } of operation.parameters.filter((each) => each.in === "query")) {
		const isBound = Array.isArray(schema["enum"]) || typeof schema["pattern"] === "string";
		if (!isBound) continue;
		rules.push(
			rule(name, `rejects a value that ${parameter} cannot have, as it is described`, async (service) => {
				const query = `?${parameter}=${encodeURIComponent("no such word")}`;
				checkRejection(operation, await send(service, operation, { query }));
			}),
		);
	}
	const { body } = operation;
	if (!body) return rules;
	for (const field of list(body["required"]).map(String)) {
		rules.push(
			rule(name, `rejects a body without ${field}, as it is described`, async (service) => {
				const { [field]: _left, ...rest } = record(bodyOf(service, operation));
				checkRejection(operation, await send(service, operation, { more: { json: rest } }), field);
			}),
		);
	}
	for (const [field, schema] of Object.entries(record(body["properties"]))) {
		for (const { value, why } of wrongValuesOf(record(schema))) {
			rules.push(
				rule(name, `rejects a ${field} that ${why}, as it is described`, async (service) => {
					const json = { ...record(bodyOf(service, operation)), [field]: value };
					checkRejection(operation, await send(service, operation, { more: { json } }), field);
				}),
			);
		}
	}
	return rules;
}

/** Each option of each model, by the operation that is free if there is one. */
function requestRules(shape: Json, operations: readonly Operation[]): readonly Rule[] {
	const takers = operations.filter(({ isGenerationRequest }) => isGenerationRequest);
	const asked = takers.find(({ path }) => path !== GENERATE) ?? takers[0];
	if (!asked) return [];
	const properties = record(shape["properties"]);
	const request = {
		mediaType: record(properties["mediaType"])["const"],
		model: record(properties["model"])["const"],
		prompt: "a lighthouse in a storm",
	};
	const name = `an order of ${String(request.model)}`;
	const options = Object.entries(record(record(properties["options"])["properties"]));
	return [
		rule(name, "is taken with each word that an option may have", async (service) => {
			if (asked.path === GENERATE)
				throw new NotOfferedError("there is no quote, and each word would be a task that is paid");
			for (const [option, schema] of options) {
				for (const word of list(record(schema)["enum"])) {
					const answer = await send(service, asked, { more: { json: { ...request, options: { [option]: word } } } });
					assert.equal(answer.status, 200, `${option} ${String(word)}: ${answer.text.slice(0, 300)}`);
				}
			}
		}),
		...options.flatMap(([option, schema]) =>
			wrongValuesOf(record(schema)).map(({ value, why }) =>
				rule(name, `is rejected where options.${option} ${why}`, async (service) => {
					const answer = await send(service, asked, { more: { json: { ...request, options: { [option]: value } } } });
					checkRejection(asked, answer, `options.${option}`);
				}),
			),
		),
	];
}

function methodRule(path: string, operations: readonly Operation[]): Rule {
	const described = operations.filter((each) => each.path === path).map(({ method }) => method);
	return rule(path, `takes ${described.join(" and ")}, and rejects every other method`, async (service) => {
		const { taskId } = await service.accepted();
		for (const method of METHODS.filter((each) => !described.includes(each))) {
			const { status } = await service.ask(method, path.replace("{taskId}", taskId));
			assert(status >= 400 && status < 500, `${method} was answered with ${status}`);
		}
	});
}

async function send(
	service: Service,
	operation: Operation,
	{ taskId, query = "", more = {} }: { taskId?: string; query?: string; more?: Asked } = {},
): Promise<Answer> {
	const id = taskId ?? (await taskFor(service, operation));
	const path = operation.path.replace("{taskId}", encodeURIComponent(id)) + query;
	const good: Asked = operation.takesFile
		? { body: upload() }
		: operation.body
			? { json: bodyOf(service, operation, id) }
			: {};
	return await service.ask(operation.method, path, { ...good, ...more });
}

/** Operations that remove or end a task get their own, because other rules still need the shared one. */
async function taskFor(service: Service, { method, path }: Operation): Promise<string> {
	if (method === "GET" || !path.includes("{taskId}")) return (await service.accepted()).taskId;
	const spare = await service.submitted();
	await service.endOf(spare);
	return spare;
}

function bodyOf(service: Service, { body = {}, isGenerationRequest }: Operation, taskId = NO_TASK): unknown {
	return isGenerationRequest ? service.request : valueOf(body, { taskIds: [taskId] });
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
	const faults = list(details).map(record);
	assert(
		faults.some((each) => String(each["field"]).split(".")[0] === field.split(".")[0]),
		`no fault names ${field}: ${answer.text.slice(0, 300)}`,
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
