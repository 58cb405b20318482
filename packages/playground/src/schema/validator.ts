/** Validates requests, with errors in Discord's format, and responses, whose violations are bugs of the playground. */
import * as spec from "discord-api-spec/zod";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { ZodMiniType } from "zod/mini";
import type { $ZodIssue } from "zod/v4/core";
import { type FieldFault, faults } from "../simulator/api-error.ts";
import {
	ALSO_ACCEPTED,
	ALSO_ANSWERED,
	ANSWERED_INSTEAD,
	normalised,
	normaliseAnswer,
	normaliseRequest,
	type SchemaName,
} from "./schema-patches.ts";
import { convert } from "./convert.ts";
import { unknownPaths } from "./unknown-keys.ts";

/** A response that Discord could not have sent. */
export interface Violation {
	readonly answer: string;
	readonly faults: readonly string[];
}

export interface AnswerCheck {
	/** Every violation since the start; tests expect none. */
	readonly violations: readonly Violation[];
	/** Lists are validated per item. */
	readonly check: (answer: string, name: SchemaName, body: unknown) => void;
}

const VIOLATIONS_MAX = 100;
const schemas: { readonly [name in `${SchemaName}Schema`]: ZodMiniType } = spec;

const WELL_FORMED_MAX = 200;
/** A bot registers the same commands at every start, so recently valid bodies are cached. */
const wellFormed = new LRUCache<string, true>({ max: WELL_FORMED_MAX });

/** Returns the body as Discord reads it. Throws 400 / 50035 with one entry per fault. */
export function checkRequest(name: SchemaName, body: unknown, isOfFields = false): unknown {
	const text = `${name} ${JSON.stringify(body)}`;
	if (!wellFormed.has(text)) {
		const also = ALSO_ACCEPTED[name] ?? [];
		const found = faultsOf(name, normalised(body, normaliseRequest), also);
		if (found.length > 0) {
			const converted = convert(body, found, isOfFields);
			const left = converted === body ? found : faultsOf(name, normalised(converted, normaliseRequest), also);
			if (left.length > 0) throw faults.invalidForm(left);
			return converted;
		}
	}
	wellFormed.set(text, true);
	return body;
}

export function createAnswerCheck(logger: Logger): AnswerCheck {
	const violations: Violation[] = [];
	return {
		violations,
		check(answer, name, body) {
			const list: readonly unknown[] = Array.isArray(body) ? body : [body];
			const found = list
				.flatMap((item) => faultsOf(name, answered(name, item), ALSO_ANSWERED[name] ?? []))
				// An error may contain a field of this name, which zod removes from records.
				.filter(({ path }) => !path.includes("__proto__"));
			if (found.length === 0) return;
			const words = found.map(({ path, message }) => `${path.join(".")}: ${message}`);
			if (violations.length < VIOLATIONS_MAX) violations.push({ answer, faults: words });
			logger.error({ answer, faults: words }, "response violates Discord's schema");
		},
	};
}

function answered(name: SchemaName, item: unknown): unknown {
	const known = ANSWERED_INSTEAD[name];
	const copy = normalised(item, normaliseAnswer);
	return known ? normalised(copy, known) : copy;
}

function faultsOf(name: SchemaName, body: unknown, also: readonly string[]): FieldFault[] {
	const result = schemas[`${name}Schema`].safeParse(body);
	if (!result.success) {
		return result.error.issues
			.flatMap((issue) => fieldFaults(issue, []))
			.map((fault) => (isMissing(body, fault.path) ? { path: fault.path, ...REQUIRED } : fault));
	}
	return unknownPaths(body, result.data)
		.filter((path) => !also.includes(path.map((part) => (/^\d+$/.test(part) ? "*" : part)).join(".")))
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

function fieldFaults(issue: $ZodIssue, below: readonly (string | number)[]): FieldFault[] {
	const path = [...below, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))];
	if (issue.code === "invalid_union") {
		const branch = nearestBranch(issue.errors);
		if (branch) return branch.flatMap((inner) => fieldFaults(inner, path));
	}
	return [{ path, ...inWords(issue) }];
}

function isOther(branch: readonly $ZodIssue[]): boolean {
	return branch.some((issue) => issue.path.length === 0 || (issue.path.length === 1 && issue.path[0] === "type"));
}

/** Returns the branch of a union whose `type` matches, else the one with the fewest issues. */
function nearestBranch(branches: readonly $ZodIssue[][]): readonly $ZodIssue[] | undefined {
	const fitting = branches.filter((branch) => !isOther(branch));
	return (fitting.length > 0 ? fitting : branches).toSorted((a, b) => a.length - b.length)[0];
}

function inWords(issue: $ZodIssue): Pick<FieldFault, "code" | "message"> {
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
			return { code: "BASE_TYPE_CHOICES", message: `Value must be one of (${issue.values.map(String).join(", ")}).` };
		case "invalid_type":
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
