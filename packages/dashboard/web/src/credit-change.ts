/** One grant or revocation with its id, which stays the same until the outcome is known. */
import { z } from "zod";
import { CHANGE_CREDITS_MAX } from "../../src/limits.ts";
import { isDenied, isOutcomeUnknown } from "./api-error.ts";
import { parseWholeNumber } from "../../src/parse-typed.ts";

const CreditChangeKind = z.enum(["grant", "revoke"]);
export type CreditChangeKind = z.infer<typeof CreditChangeKind>;

export const CreditChangeDraft = z.object({
	operationId: z.string(),
	kind: CreditChangeKind,
	amount: z.string(),
	reason: z.string(),
	isSending: z.boolean(),
	/** The last attempt may have succeeded: only the same change may be sent again. */
	isUncertain: z.boolean(),
});
export type CreditChangeDraft = Readonly<z.infer<typeof CreditChangeDraft>>;

export function newDraft(operationId: string, kind: CreditChangeKind): CreditChangeDraft {
	return { operationId, kind, amount: "", reason: "", isSending: false, isUncertain: false };
}

/** Returns true if leaving the page loses something: a typed change, or one whose outcome is unknown. */
export function isUnsaved({ amount, reason, isUncertain }: CreditChangeDraft): boolean {
	return isUncertain || amount !== "" || reason !== "";
}

/** Returns the draft for another document, which does not receive the response to a request. */
export function withoutRequest(draft: CreditChangeDraft): CreditChangeDraft {
	return { ...draft, isSending: false, isUncertain: draft.isUncertain || draft.isSending };
}

/** Returns the amount, or `null` if it cannot be granted. */
export function amountOf({ amount }: CreditChangeDraft): number | null {
	const credits = parseWholeNumber(amount, CHANGE_CREDITS_MAX) ?? null;
	return credits !== null && credits >= 1 ? credits : null;
}

/** A draft, and its version that was sent. They differ if the reader edited the form during the request. */
interface Attempt {
	readonly draft: CreditChangeDraft;
	readonly sent: CreditChangeDraft;
}

export function afterSuccess({ draft, sent }: Attempt, nextId: string): CreditChangeDraft {
	return draft === sent ? newDraft(nextId, sent.kind) : { ...draft, ...newAttempt(nextId) };
}

/**
 * After a refusal nothing was moved, so the next attempt is another operation. A refusal of a repeat decides only if the services of
 * the bot have seen it: an earlier attempt may have moved credits.
 */
export function afterFailure({ draft, sent }: Attempt, error: unknown, nextId: string): CreditChangeDraft {
	const isUncertain = sent.isUncertain ? !isDenied(error) : isOutcomeUnknown(error);
	return isUncertain ? { ...sent, isSending: false, isUncertain } : { ...draft, ...newAttempt(nextId) };
}

function newAttempt(operationId: string) {
	return { operationId, isSending: false, isUncertain: false };
}
