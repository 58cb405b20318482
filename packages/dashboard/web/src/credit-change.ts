/** One grant or revocation with its id, which stays the same until the outcome is known. */
import { REASON_CHARS_MAX, REASON_CHARS_MIN, CHANGE_CREDITS_MAX } from "../../src/form-limits.ts";
import { isOutcomeUnknown } from "./api-error.ts";
import { parseLimit } from "./parse-limit.ts";

export interface CreditChangeDraft {
	readonly operationId: string;
	readonly amount: string;
	readonly reason: string;
	/** The last attempt may have succeeded: only the same change may be sent again. */
	readonly isUncertain: boolean;
}

export function newDraft(operationId: string): CreditChangeDraft {
	return { operationId, amount: "", reason: "", isUncertain: false };
}

/** Returns the amount, or `null` if it cannot be granted. */
export function amountOf({ amount }: CreditChangeDraft): number | null {
	const credits = parseLimit(amount) ?? null;
	return credits !== null && credits >= 1 && credits <= CHANGE_CREDITS_MAX ? credits : null;
}

export function hasReason({ reason }: CreditChangeDraft): boolean {
	const { length } = reason.trim();
	return length >= REASON_CHARS_MIN && length <= REASON_CHARS_MAX;
}

/** After a refusal nothing was moved, so the next attempt is another operation. */
export function afterFailure(draft: CreditChangeDraft, error: unknown, nextId: string): CreditChangeDraft {
	return isOutcomeUnknown(error)
		? { ...draft, isUncertain: true }
		: { ...draft, operationId: nextId, isUncertain: false };
}
