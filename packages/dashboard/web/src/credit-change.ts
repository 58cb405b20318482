/** One grant or revocation with its id, which stays the same until the outcome is known. */
import { CHANGE_CREDITS_MAX } from "../../src/limits.ts";
import { isOutcomeUnknown } from "./api-error.ts";
import { parseLimit } from "./parse-limit.ts";

export type CreditChangeKind = "grant" | "revoke";

export interface CreditChangeDraft {
	readonly operationId: string;
	readonly kind: CreditChangeKind;
	readonly amount: string;
	readonly reason: string;
	/** The last attempt may have succeeded: only the same change may be sent again. */
	readonly isUncertain: boolean;
}

export function newDraft(operationId: string, kind: CreditChangeKind): CreditChangeDraft {
	return { operationId, kind, amount: "", reason: "", isUncertain: false };
}

/** Returns the amount, or `null` if it cannot be granted. */
export function amountOf({ amount }: CreditChangeDraft): number | null {
	const credits = parseLimit(amount) ?? null;
	return credits !== null && credits >= 1 && credits <= CHANGE_CREDITS_MAX ? credits : null;
}

/** A draft, and its version that was sent. They differ if the reader edited the form during the request. */
interface Attempt {
	readonly draft: CreditChangeDraft;
	readonly sent: CreditChangeDraft;
}

export function afterSuccess({ draft, sent }: Attempt, nextId: string): CreditChangeDraft {
	return draft === sent ? newDraft(nextId, sent.kind) : { ...draft, operationId: nextId, isUncertain: false };
}

/** After a refusal nothing was moved, so the next attempt is another operation. */
export function afterFailure({ draft, sent }: Attempt, error: unknown, nextId: string): CreditChangeDraft {
	return isOutcomeUnknown(error)
		? { ...sent, isUncertain: true }
		: { ...draft, operationId: nextId, isUncertain: false };
}
