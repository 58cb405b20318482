import type { MediaProfile } from "./profiles.ts";
import { errorOf, messageOf } from "./parse-error.ts";
import { isObject, parseText, parseNestedJson, type Json } from "./parse-value.ts";

const CODE_CHARS_MAX = 80;

export type Envelope =
	/** `path` is that of the payload: `data`, or `body` for the whole body. */
	| { readonly kind: "success"; readonly payload: unknown; readonly path: string }
	| { readonly kind: "rejection"; readonly code: string; readonly reason: string }
	| { readonly kind: "invalid" };

/**
 * Parses the specification's envelope: `code` decides, and the payload is `data` or, if that is missing, the body. Without
 * a `code`, the HTTP status or a flag decides, and the payload is `data` if that is an object or a list, otherwise the body.
 */
export function parseEnvelope(body: unknown, httpStatus: number, { successCodes }: MediaProfile): Envelope {
	const opened = parseNestedJson(body);
	if (!isObject(opened)) return { kind: "invalid" };
	const code = parseText(opened["code"]);
	if (code !== undefined) {
		if (successCodes.some((each) => String(each) === code)) {
			const hasData = opened["data"] !== undefined && opened["data"] !== null;
			return success(opened, hasData);
		}
		return { kind: "rejection", code: code.slice(0, CODE_CHARS_MAX), reason: messageOf(opened) };
	}
	const isRejection = httpStatus >= 400 || opened["success"] === false || opened["ok"] === false;
	if (isRejection) {
		return { kind: "rejection", code: errorOf(opened)?.code ?? `HTTP ${httpStatus}`, reason: messageOf(opened) };
	}
	return success(opened, typeof opened["data"] === "object" && opened["data"] !== null);
}

function success(body: Json, isPayloadInData: boolean): Envelope {
	return isPayloadInData
		? { kind: "success", payload: body["data"], path: "data" }
		: { kind: "success", payload: body, path: "body" };
}

/** Returns the HTTP status that a code means: 404 for 404 and 40400. Other codes have the status of the response. */
export function httpStatusOf(code: string, httpStatus: number): number {
	if (/^[1-5]\d\d$/.test(code)) return Number(code);
	if (/^[1-5]\d{4}$/.test(code)) return Math.floor(Number(code) / 100);
	return httpStatus;
}
