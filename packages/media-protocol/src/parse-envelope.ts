import type { MediaProfile } from "./profiles.ts";
import { errorOf, messageOf } from "./parse-error.ts";
import { isObject, readText, unfold } from "./parse-value.ts";

const CODE_CHARS_MAX = 80;

export type Envelope =
	/** `at` is where in the answer the payload stood. */
	| { readonly kind: "success"; readonly payload: unknown; readonly at: string }
	| { readonly kind: "refusal"; readonly code: string; readonly reason: string }
	| { readonly kind: "invalid" };

/**
 * The specification's envelope: `code` decides, and the payload is `data`. Of a service without a `code` the body is the
 * payload, or its `data`; only the HTTP status tells then whether it is a refusal.
 */
export function readEnvelope(body: unknown, httpStatus: number, { successCodes }: MediaProfile): Envelope {
	const opened = unfold(body);
	if (!isObject(opened)) return { kind: "invalid" };
	const code = readText(opened["code"]);
	if (code !== undefined) {
		if (successCodes.some((each) => String(each) === code)) {
			const { data = null } = opened;
			return data === null
				? { kind: "success", payload: opened, at: "body" }
				: { kind: "success", payload: data, at: "data" };
		}
		return { kind: "refusal", code: code.slice(0, CODE_CHARS_MAX), reason: messageOf(opened) };
	}
	const isRefusal = httpStatus >= 400 || opened["success"] === false || opened["ok"] === false;
	if (isRefusal) {
		return { kind: "refusal", code: errorOf(opened)?.code ?? `HTTP ${httpStatus}`, reason: messageOf(opened) };
	}
	const { data } = opened;
	const isNested = typeof data === "object" && data !== null;
	return isNested ? { kind: "success", payload: data, at: "data" } : { kind: "success", payload: opened, at: "body" };
}

/** Codes that follow HTTP, as they are or times a hundred; otherwise the status of the answer itself. */
export function statusOfCode(code: string, httpStatus: number): number {
	if (/^[1-5]\d\d$/.test(code)) return Number(code);
	if (/^[1-5]\d{4}$/.test(code)) return Math.floor(Number(code) / 100);
	return httpStatus;
}
