/** Validates requests, with errors in Discord's format, and responses, whose violations are bugs of the playground. */
import * as spec from "discord-api-spec/zod";
import type { Logger } from "pino";
import type { ZodMiniType } from "zod/mini";
import type { $ZodIssue } from "zod/v4/core";
import { apiErrors, type FieldError } from "../simulator/api-error.ts";
import { coerce } from "./coerce.ts";
import * as inline from "./inline-schemas.ts";
import {
	EXTRA_FIELDS,
	normalizeAll,
	normalizeRequest,
	normalizeResponse,
	RECEIVED_FIELDS,
	type SchemaName,
} from "./schema-patches.ts";

/** A response that Discord could not have sent. */
export interface Violation {
	readonly response: string;
	readonly errors: readonly string[];
}

export type ResponseValidator = ReturnType<typeof createResponseValidator>;

const VIOLATIONS_MAX = 100;
const schemas: { readonly [name in `${SchemaName}Schema`]: ZodMiniType } = { ...spec, ...inline };

/** Returns the body as Discord reads it. Throws 400 / 50035 with one entry per error. */
export function validateRequest(name: SchemaName, body: unknown, isForm = false): unknown {
	const errorsOf = (sent: unknown): FieldError[] =>
		schemaErrors(name, normalizeAll(sent, normalizeRequest), RECEIVED_FIELDS);
	const found = errorsOf(body);
	if (found.length === 0) return body;
	const converted = coerce(body, found, isForm);
	const remainingErrors = errorsOf(converted);
	if (remainingErrors.length > 0) throw apiErrors.invalidForm(remainingErrors);
	return converted;
}

export function createResponseValidator(logger: Logger) {
	const violations: Violation[] = [];
	return {
		/** The first 100 violations since the start; tests expect none. */
		violations: violations as readonly Violation[],
		/** Lists are validated per item. */
		validate: (response: string, name: SchemaName, body: unknown): void => {
			const list: readonly unknown[] = Array.isArray(body) ? body : [body];
			const found = list
				.flatMap((item) => schemaErrors(name, normalizeAll(item, normalizeResponse)))
				// An error may contain a field of this name, which zod removes from records.
				.filter(({ path }) => !path.includes("__proto__"));
			if (found.length === 0) return;
			const errors = found.map(({ path, message }) => `${path.join(".")}: ${message}`);
			if (violations.length < VIOLATIONS_MAX) violations.push({ response, errors });
			logger.error({ response, errors }, "response violates Discord's schema");
		},
	};
}

function schemaErrors(name: SchemaName, body: unknown, ignoredPaths?: RegExp): FieldError[] {
	const result = schemas[`${name}Schema`].safeParse(body);
	if (!result.success) {
		return result.error.issues
			.flatMap((issue) => fieldErrors(issue, []))
			.map((error) => (isMissing(body, error.path) ? { path: error.path, ...REQUIRED } : error));
	}
	return unknownPaths(body, result.data)
		.filter((path) => !EXTRA_FIELDS[name]?.includes(path.map((part) => (/^\d+$/.test(part) ? "*" : part)).join(".")))
		.filter((path) => !ignoredPaths?.test(path.join(".")))
		.map((path) => ({ path, code: "UNKNOWN_FIELD", message: `Discord knows no ${path.at(-1)} here.` }));
}

const REQUIRED = { code: "BASE_TYPE_REQUIRED", message: "This field is required" } as const;

function isMissing(body: unknown, path: readonly (string | number)[]): boolean {
	let value = body;
	for (const part of path) {
		if (typeof value !== "object" || value === null) return false;
		value = new Map<string, unknown>(Object.entries(value)).get(String(part));
	}
	return value === undefined;
}

function fieldErrors(issue: $ZodIssue, below: readonly (string | number)[]): FieldError[] {
	const path = [...below, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))];
	if (issue.code === "invalid_union") {
		const fitting = issue.errors.filter((branch) => !isOtherType(branch));
		const types = fitting.length > 0 ? [] : typesOf([issue]).toSorted((a, b) => Number(a) - Number(b));
		if (types.length > 0) return [{ path: [...path, "type"], ...choicesError(types) }];
		const branch = shortest(fitting.length > 0 ? fitting : issue.errors);
		if (branch) return branch.flatMap((inner) => fieldErrors(inner, path));
	}
	return [{ path, ...describeIssue(issue) }];
}

function isOtherType(branch: readonly $ZodIssue[]): boolean {
	return branch.some((issue) => issue.path.length === 0 || (issue.path.length === 1 && issue.path[0] === "type"));
}

/** Returns the values of `type` that the branches of a union expect. */
function typesOf(issues: readonly $ZodIssue[]): readonly unknown[] {
	return issues.flatMap((issue) => {
		if (issue.code === "invalid_union") return issue.errors.flatMap(typesOf);
		return issue.code === "invalid_value" && issue.path.length === 1 && issue.path[0] === "type" ? issue.values : [];
	});
}

function shortest(branches: readonly $ZodIssue[][]): readonly $ZodIssue[] | undefined {
	return branches.toSorted((a, b) => a.length - b.length)[0];
}

function choicesError(values: readonly unknown[]): Pick<FieldError, "code" | "message"> {
	return { code: "BASE_TYPE_CHOICES", message: `Value must be one of (${values.map(String).join(", ")}).` };
}

function describeIssue(issue: $ZodIssue): Pick<FieldError, "code" | "message"> {
	switch (issue.code) {
		case "too_big":
			return issue.origin === "string" || issue.origin === "array"
				? { code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${issue.maximum} or fewer in length.` }
				: { code: "NUMBER_TYPE_MAX", message: `Value should be less than or equal to ${issue.maximum}.` };
		case "too_small":
			return issue.origin === "string" || issue.origin === "array"
				? { code: "BASE_TYPE_MIN_LENGTH", message: `Must be ${issue.minimum} or more in length.` }
				: { code: "NUMBER_TYPE_MIN", message: `Value should be greater than or equal to ${issue.minimum}.` };
		case "invalid_value":
			return choicesError(issue.values);
		case "invalid_type":
			if (issue.expected === "array")
				return { code: "LIST_TYPE_CONVERT", message: "Only iterables may be used in a ListType" };
			return { code: `${issue.expected.toUpperCase()}_TYPE_CONVERT`, message: `Must be of type ${issue.expected}.` };
		case "invalid_format":
			return { code: `${issue.format.toUpperCase()}_TYPE_CONVERT`, message: `Not a well formed ${issue.format}.` };
		case "not_multiple_of":
		case "unrecognized_keys":
		case "invalid_union":
		case "invalid_key":
		case "invalid_element":
		case "custom":
			return { code: "BASE_TYPE_BAD", message: "This field cannot be read." };
	}
}

/**
 * Finds fields that a schema does not know: zod drops them, so they are in the input but not in the output. (Strict
 * objects cannot be enabled for the package's schemas.)
 */
function unknownPaths(sent: unknown, parsed: unknown, path: readonly string[] = []): (readonly string[])[] {
	if (typeof sent !== "object" || sent === null) return [];
	const known = new Map(Object.entries(parsed ?? {}));
	return Object.entries(sent).flatMap(([key, value]) =>
		known.has(key) ? unknownPaths(value, known.get(key), [...path, key]) : [[...path, key]],
	);
}
