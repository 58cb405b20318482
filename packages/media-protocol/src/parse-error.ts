/** Parses the error of a service from any of its fields. Pure. */
import { seek, type Found, type FieldObject } from "./find-fields.ts";
import { isObject, readText, unfold, type Json } from "./parse-value.ts";

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
const ERROR_CODE_NAMES = ["errorCode", "error_code", "failCode", "fail_code", "failureCode", "err_code"];

export interface TaskError {
	readonly code: string | undefined;
	readonly reason: string;
}

export function readError(fieldObjects: readonly FieldObject[]): Found<TaskError> | undefined {
	const whole = seek(fieldObjects, ERROR_NAMES, errorIn);
	const code = seek(fieldObjects, ERROR_CODE_NAMES, readErrorCode);
	if (whole) return { at: whole.at, value: { ...whole.value, code: whole.value.code ?? code?.value } };
	const text = seek(fieldObjects, ERROR_TEXT_NAMES, readWords);
	const first = text ?? code;
	return first && { at: first.at, value: { code: code?.value, reason: text?.value ?? "" } };
}

function errorIn(value: unknown): TaskError | undefined {
	const opened = unfold(value);
	if (isObject(opened)) return opened["status_code"] === 0 ? undefined : errorOf(opened);
	const reason = readWords(opened);
	return reason === undefined ? undefined : { code: undefined, reason };
}

export function errorOf(outer: Json): TaskError | undefined {
	const inner = unfold(outer["error"]);
	const fields = isObject(inner) ? inner : outer;
	const fieldObjects = [{ at: "", fields }];
	const code = seek(fieldObjects, ["code", "type", "status_code", "rc", ...ERROR_CODE_NAMES], readErrorCode)?.value;
	const reason = messageOf(fields);
	return code === undefined && reason === "" ? undefined : { code, reason };
}

/** Some services use 0 for no error. */
function readErrorCode(value: unknown): string | undefined {
	const code = readText(value)?.slice(0, CODE_CHARS_MAX);
	return code === "0" || code === "200" ? undefined : code;
}

function readWords(value: unknown): string | undefined {
	return typeof value === "string" ? readText(value.trim()) : undefined;
}

/** Returns the readable text of an envelope or an error, wherever services put it. */
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
		const words = readWords(candidate);
		if (words !== undefined) return words;
	}
	return "";
}
