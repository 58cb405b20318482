/** Parses the error of a service from any of its fields. No I/O. */
import { findField, type Found, type FieldObject } from "./find-fields.ts";
import { isObject, parseText, parseNestedJson, type Json } from "./parse-value.ts";

const CODE_CHARS_MAX = 80;
const ERROR_NAMES = ["error", "err", "failure", "base_resp"];
const ERROR_TEXT_NAMES = [
	"errorMessage",
	"error_message",
	"failMsg",
	"fail_msg",
	"fail_reason",
	"failReason",
	"failure_reason",
	"failure",
	"error_type",
	"reason",
];
/** Names of a code inside an error object. */
const CODE_NAMES_IN_ERROR = ["code", "type", "status_code", "rc"];
const ERROR_CODE_NAMES = ["errorCode", "error_code", "failCode", "fail_code", "failureCode", "err_code"];

export interface TaskError {
	readonly code: string | undefined;
	readonly reason: string;
}

/** Returns the error of a task, and the path of its field; `undefined` without an error. */
export function parseError(fieldObjects: readonly FieldObject[]): Found<TaskError> | undefined {
	const error = findField(fieldObjects, ERROR_NAMES, parseErrorField);
	const code = findField(fieldObjects, ERROR_CODE_NAMES, parseErrorCode);
	if (error) return { path: error.path, value: { ...error.value, code: error.value.code ?? code?.value } };
	const text = findField(fieldObjects, ERROR_TEXT_NAMES, parseMessage);
	const first = text ?? code;
	return first && { path: first.path, value: { code: code?.value, reason: text?.value ?? "" } };
}

/** Parses the value of a field for errors: an object or a text. */
function parseErrorField(value: unknown): TaskError | undefined {
	const opened = parseNestedJson(value);
	if (isObject(opened)) return opened["status_code"] === 0 ? undefined : errorOf(opened);
	const reason = parseMessage(opened);
	return reason === undefined ? undefined : { code: undefined, reason };
}

/** Returns the error that an object contains or is; `undefined` if it has neither a code nor a message. */
export function errorOf(outer: Json): TaskError | undefined {
	const inner = parseNestedJson(outer["error"]);
	const fields = isObject(inner) ? inner : outer;
	const fieldObjects = [{ path: "", fields }];
	const code = findField(fieldObjects, [...CODE_NAMES_IN_ERROR, ...ERROR_CODE_NAMES], parseErrorCode)?.value;
	const reason = messageOf(fields);
	return code === undefined && reason === "" ? undefined : { code, reason };
}

/** Some services use 0 or 200 for no error. */
function parseErrorCode(value: unknown): string | undefined {
	const code = parseText(value)?.slice(0, CODE_CHARS_MAX);
	return code === "0" || code === "200" ? undefined : code;
}

function parseMessage(value: unknown): string | undefined {
	return typeof value === "string" ? parseText(value.trim()) : undefined;
}

/** Returns the message of an envelope or an error, from any of the fields that services use. */
export function messageOf(fields: Json): string {
	const { error, detail, base_resp: base } = fields;
	const candidates = [
		fields["message"],
		fields["msg"],
		fields["raw_message"],
		isObject(error) ? error["message"] : error,
		Array.isArray(detail) && isObject(detail[0]) ? detail[0]["msg"] : detail,
		isObject(base) ? base["status_msg"] : undefined,
		fields["status_msg"],
		fields["errorMessage"],
	];
	for (const candidate of candidates) {
		const message = parseMessage(candidate);
		if (message !== undefined) return message;
	}
	return "";
}
