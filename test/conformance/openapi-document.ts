/** The parts of a service's OpenAPI document that the suite and the fuzzer need. */
import assert from "node:assert/strict";
import { z } from "zod";

export type Json = Readonly<Record<string, unknown>>;

interface Parameter {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly schema: Json;
}

export interface Operation {
	readonly id: string;
	readonly method: string;
	/** As in the document: `/api/v1/task/{taskId}`. */
	readonly path: string;
	readonly parameters: readonly Parameter[];
	/** Of a JSON body, with every reference resolved. */
	readonly body: Json | undefined;
	readonly takesFile: boolean;
	readonly streams: boolean;
	/** True if its body is a generation request. */
	readonly isGenerationRequest: boolean;
	/** Throws if a response does not match the document. */
	readonly checkAnswer: (status: number, body: unknown) => void;
}

export interface OpenApiDocument {
	readonly operations: readonly Operation[];
	/** The schemas of a generation request, one for each model. */
	readonly requestSchemas: readonly Json[];
}

export function readDocument(document: Json): OpenApiDocument {
	assert.match(String(document["openapi"]), /^3\.1\./, "the document is not OpenAPI 3.1");
	const operations = Object.entries(record(document["paths"])).flatMap(([path, methods]) =>
		Object.entries(record(methods)).map(([method, operation]) => readOperation(method, path, record(operation))),
	);
	const submit = operations.find(({ path, method }) => path === "/api/v1/generate" && method === "POST");
	return { operations, requestSchemas: list(submit?.body?.["anyOf"]).map(record) };

	function readOperation(method: string, path: string, operation: Json): Operation {
		const content = record(record(operation["requestBody"])["content"]);
		const body = "application/json" in content ? schemaIn(content, "application/json") : undefined;
		const responses = Object.entries(record(operation["responses"])).map(([status, response]) => {
			const answerContent = record(record(response)["content"]);
			const check = "application/json" in answerContent ? z.fromJSONSchema(schemaIn(answerContent)) : undefined;
			return { status, answerContent, check };
		});
		return {
			id: String(operation["operationId"]),
			method: method.toUpperCase(),
			path,
			parameters: list(operation["parameters"]).map((each) => record(each) as unknown as Parameter),
			body,
			takesFile: "multipart/form-data" in content,
			streams: responses.some(({ answerContent }) => "text/event-stream" in answerContent),
			isGenerationRequest: body?.["anyOf"] !== undefined && list(body["required"]).includes("mediaType"),
			checkAnswer(status, answer) {
				const response =
					responses.find((each) => each.status === String(status)) ??
					responses.find((each) => each.status === "default");
				assert(response?.check, `${method} ${path}: the document knows no JSON answer with status ${status}`);
				const verdict = response.check.safeParse(answer);
				if (verdict.success) return;
				const [{ path: place, message } = { path: [], message: "" }] = verdict.error.issues;
				assert.fail(`${method.toUpperCase()} ${path}, status ${status}, ${place.join(".") || "body"}: ${message}`);
			},
		};
	}

	function schemaIn(content: Json, type = "application/json"): Json {
		return record(resolved(record(content[type])["schema"]));
	}

	/** Returns a schema with its references resolved. The documents have no circular references. */
	function resolved(schema: unknown): unknown {
		if (Array.isArray(schema)) return schema.map(resolved);
		if (typeof schema !== "object" || schema === null) return schema;
		const reference = (schema as Json)["$ref"];
		if (typeof reference === "string") {
			let referenced: unknown = document;
			for (const key of reference.replace(/^#\//, "").split("/")) referenced = record(referenced)[key];
			return resolved(referenced);
		}
		return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value)]));
	}
}

export function record(value: unknown): Json {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function list(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
