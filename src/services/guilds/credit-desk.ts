import { LedgerRefusal, type Balance, type Ledger } from "@atelier/ledger/operations";
import { CorruptDocument } from "@atelier/store/keyv-store";
import { UserError } from "../user-error.ts";
import { guildAccount } from "./guild-accounts.ts";

/** Credits that a person gives a server or takes from it. */
export interface CreditChange {
	readonly guildId: string;
	/** Asking again by the same id moves nothing again. */
	readonly operationId: string;
	readonly amountCredits: number;
	/** Who does it, as the journal names them. */
	readonly by: string;
	readonly reason: string;
}

export const REASON_CHARS_MIN = 3;
export const REASON_CHARS_MAX = 200;
export const CHANGE_CREDITS_MAX = 1_000_000_000;

/** The ledger gave no answer, twice: credits have moved or not. Whoever asks again by another id may move them twice. */
export class ChangeUncertain extends Error {
	override readonly name = "ChangeUncertain";
	/** To ask again by, as often as it takes. */
	readonly operationId: string;

	constructor(operationId: string, options: ErrorOptions) {
		super("no answer to a change of credits", options);
		this.operationId = operationId;
	}
}

/** How the journal names what is done here. */
export function deskOperationId(kind: "grant" | "revoke", operationId: string): string {
	return `${kind}:${operationId}`;
}

/** Where people, and not tasks, move credits. Refuses in words. Throws `ChangeUncertain` where the outcome is unknown. */
export interface CreditDesk {
	grant(change: CreditChange, options?: { readonly expiresAtMs?: number }): Promise<Balance>;
	/** Takes at most what is free: what is set aside for tasks stays theirs. */
	revoke(change: CreditChange): Promise<Balance>;
}

export function createCreditDesk(ledger: Ledger): CreditDesk {
	return {
		async grant({ guildId, operationId, amountCredits, by, reason }, options = {}) {
			const id = deskOperationId("grant", operationId);
			const grant = () => ledger.grant(guildAccount(guildId), id, amountCredits, { by, reason }, options);
			return await certainly(grant, { operationId, amountCredits });
		},
		async revoke({ guildId, operationId, amountCredits, by, reason }) {
			const id = deskOperationId("revoke", operationId);
			const revoke = () => ledger.adjust(guildAccount(guildId), id, -amountCredits, { by, reason });
			return await certainly(revoke, { operationId, amountCredits });
		},
	};
}

/** An answer that was lost is asked for again by the same id: that moves nothing a second time. */
async function certainly(
	change: () => Promise<Balance>,
	{ operationId, amountCredits }: Pick<CreditChange, "operationId" | "amountCredits">,
): Promise<Balance> {
	try {
		return await change();
	} catch (error) {
		if (isCertain(error)) throw inWords(error, amountCredits);
	}
	try {
		return await change();
	} catch (error) {
		if (error instanceof LedgerRefusal) throw inWords(error, amountCredits);
		throw new ChangeUncertain(operationId, { cause: error });
	}
}

function isCertain(error: unknown): boolean {
	return error instanceof LedgerRefusal || error instanceof CorruptDocument;
}

function inWords(error: unknown, amountCredits: number): unknown {
	if (!(error instanceof LedgerRefusal)) return error;
	switch (error.code) {
		case "exceeds_credits": {
			const { availableCredits, heldCredits } = error.balance;
			return new UserError({ key: "revokeTooMuch", params: { amountCredits, availableCredits, heldCredits } });
		}
		case "exists_with_different_amount":
			return new UserError({ key: "changeDiffers" });
		case "invalid_amount":
			return new UserError({ key: "amountImpossible" });
		case "too_many_grants":
			return new UserError({ key: "tooManyExpiring" });
		case "hold_not_found":
		case "already_posted":
		case "already_voided":
		case "exceeds_hold":
		case "too_many_holds":
		case "not_new":
			return error;
	}
}
