import { LedgerRejectedError, type Balance, type Ledger, type OperationResult } from "@atelier/ledger/ledger";
import { CorruptDocumentError, StoreRejectedError } from "@atelier/store/store-errors";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "@atelier/dashboard/limits";
import { plainLine } from "../../i18n/quote.ts";
import { OPERATOR } from "../access/change-author.ts";
import { UserError } from "../user-error.ts";
import { guildAccount } from "./guild-accounts.ts";

/** Credits that an admin or the operator grants to a server or revokes from it. */
export interface CreditChange {
	readonly guildId: string;
	/** Idempotency key: a repeat moves credits once. */
	readonly operationId: string;
	readonly amountCredits: number;
	/** `member:ID`, `key:NAME` or `operator`, as in the journal. */
	readonly by: string;
	/** Stored as one line of visible characters. */
	readonly reason: string;
}

/** The ledger failed twice, so it is unknown whether the credits were moved. Only a repeat with the same id is safe. */
export class CreditChangeUncertainError extends Error {
	override readonly name = "CreditChangeUncertainError";
	/** Idempotency key for the repeat. */
	readonly operationId: string;

	constructor(operationId: string, options: ErrorOptions) {
		super(
			`Cannot tell whether credit change ${operationId} took effect. Repeat it with the same operation id.`,
			options,
		);
		this.operationId = operationId;
	}
}

function ledgerOperationId(kind: "grant" | "revoke", operationId: string): string {
	return `${kind}:${operationId}`;
}

export type CreditService = ReturnType<typeof createCreditService>;

interface CreditServiceDeps {
	readonly ledger: Pick<Ledger, "grant" | "adjust">;
	/** False if only the operator may grant credits. */
	readonly mayManagersGrant: boolean;
}

/**
 * Grants and revokes credits for admins and operators. Throws a `UserError` for a denial, and `CreditChangeUncertainError` if the
 * outcome is unknown.
 */
export function createCreditService({ ledger, mayManagersGrant }: CreditServiceDeps) {
	return {
		async grant(change: CreditChange, options: { readonly expiresAtMs?: number } = {}): Promise<Balance> {
			const { guildId, operationId, amountCredits, by, reason } = change;
			if (by !== OPERATOR && !mayManagersGrant) throw new UserError({ key: "permission.grant" });
			const id = ledgerOperationId("grant", operationId);
			const note = { by, reason: visibleReason(reason) };
			const grant = () => ledger.grant(guildAccount(guildId), id, amountCredits, note, options);
			return await retryOnce(grant, { operationId, amountCredits });
		},
		/** Throws a `UserError` for more than the available credits: holds stay reserved. */
		async revoke({ guildId, operationId, amountCredits, by, reason }: CreditChange): Promise<Balance> {
			const id = ledgerOperationId("revoke", operationId);
			const note = { by, reason: visibleReason(reason) };
			const revoke = () => ledger.adjust(guildAccount(guildId), id, -amountCredits, note);
			return await retryOnce(revoke, { operationId, amountCredits });
		},
	};
}

/** The surfaces check the length of a typed reason, in which invisible characters count. */
function visibleReason(typed: string): string {
	const reason = plainLine(typed, REASON_CHARS_MAX);
	if (reason.length < REASON_CHARS_MIN)
		throw new UserError({ key: "credits.reasonShort", params: { charsMin: REASON_CHARS_MIN } });
	return reason;
}

/** Repeats the change once after a lost response; the ledger ignores a repeated id. */
async function retryOnce(
	change: () => Promise<OperationResult>,
	{ operationId, amountCredits }: Pick<CreditChange, "operationId" | "amountCredits">,
): Promise<Balance> {
	try {
		return (await change()).balance;
	} catch (error) {
		if (wasNotChanged(error)) throw toUserError(error, amountCredits);
	}
	try {
		return (await change()).balance;
	} catch (error) {
		if (error instanceof LedgerRejectedError) throw toUserError(error, amountCredits);
		throw new CreditChangeUncertainError(operationId, { cause: error });
	}
}

/** Returns whether an error says that the credits were certainly not moved. */
function wasNotChanged(error: unknown): boolean {
	return [LedgerRejectedError, CorruptDocumentError, StoreRejectedError].some((kind) => error instanceof kind);
}

/** Converts a rejection of the ledger that the admin can act on; returns any other error unchanged. */
export function toUserError(error: unknown, amountCredits: number): unknown {
	if (!(error instanceof LedgerRejectedError)) return error;
	switch (error.code) {
		case "exceeds_credits": {
			const { availableCredits, heldCredits } = error.balance;
			return new UserError({ key: "credits.revokeTooMany", params: { amountCredits, availableCredits, heldCredits } });
		}
		case "exists_with_different_amount":
			return new UserError({ key: "credits.changeDiffers" });
		case "invalid_amount":
			return new UserError({ key: "credits.amountTooLarge" });
		case "too_many_grants":
			return new UserError({ key: "credits.tooManyExpiring" });
		case "hold_not_found":
		case "already_posted":
		case "already_voided":
		case "exceeds_hold":
		case "too_many_holds":
		case "not_new":
			return error;
	}
}
