/** From an error of the service to what the member reads and what is kept of it. */
import { classifyError, type ErrorMeaning } from "../../generation/classify-error.ts";
import { MediaHttpError, MediaRefusedError, MediaUnavailableError } from "../../generation/media-api.ts";
import type { GenerationRequest } from "../../generation/request.ts";
import { REASON_CHARS_MAX, redactReason } from "../../generation/redact-reason.ts";
import type { MessageRef } from "../../../i18n/messages.ts";
import { quote } from "../../../i18n/quote.ts";
import { isForOperator } from "../operator-alerts.ts";
import type { ReportedError } from "../task.ts";

export interface ReadError {
	readonly meaning: ErrorMeaning;
	readonly serviceError: ReportedError;
}

/** The prompt is removed before the words are read: a member cannot type what an error means. */
export function readServiceError(
	{
		code,
		reason,
		httpStatus,
	}: Pick<MediaRefusedError, "code" | "reason"> & { readonly httpStatus?: number | undefined },
	order: GenerationRequest,
): ReadError {
	const serviceError = { code: redactReason(code, order), reason: redactReason(reason, order) };
	return { meaning: classifyError({ ...serviceError, httpStatus }), serviceError };
}

/** What to keep of an error of a call; `undefined` for errors in which the service says nothing. */
export function reportedBy(error: unknown, order: GenerationRequest): ReportedError | undefined {
	if (error instanceof MediaRefusedError) return readServiceError(error, order).serviceError;
	if (!(error instanceof MediaHttpError) && !(error instanceof MediaUnavailableError)) return undefined;
	return { code: error.message, reason: redactReason(error.reason, order) };
}

/** What the member reads of a request that was refused. */
export function sayingOfRefusal({ meaning, serviceError: { code, reason } }: ReadError): MessageRef {
	if (isForOperator(meaning)) return { key: "operatorMustAct" };
	if (meaning === "contentPolicy" || meaning === "modelUnavailable") return { key: meaning };
	return { key: "serviceRefused", params: { reason: quote(reason || code, REASON_CHARS_MAX) } };
}

/** What the member reads of a task that has failed. */
export function sayingOfFailure(error: ReadError): MessageRef {
	switch (error.meaning) {
		case "canceled":
			return { key: "canceledByService" };
		case "noOutput":
			return { key: "nothingMade" };
		case "timeout":
			return { key: "timedOut" };
		case "rateLimited":
		case "unknown":
			return { key: "makingFailed" };
		case "invalidRequest":
			return error.serviceError.reason === "" ? { key: "makingFailed" } : sayingOfRefusal(error);
		case "contentPolicy":
		case "modelUnavailable":
		case "operatorAccount":
		case "operatorKey":
			return sayingOfRefusal(error);
	}
}
