import assert from "node:assert/strict";
import { CorruptDocumentError, isStoreFailure } from "@atelier/store/store-errors";
import {
	LedgerRejectedError,
	type AccountId,
	type Balance,
	type Credits,
	type Ledger,
	type Note,
} from "./operations.ts";

/** One account of a charge: a balance, or a limit with an overdraft. */
interface ChargeLeg {
	readonly account: AccountId;
	readonly overdraftCredits?: Credits;
}

/** A payment that several accounts must all allow, with a hold of the same id in each. */
export interface Charge {
	readonly holdId: string;
	readonly amountCredits: Credits;
	/** In the order of reservation: the narrowest limit first, the account that pays last. */
	readonly legs: readonly ChargeLeg[];
}

export type ChargeVerdict =
	| { readonly kind: "reserved" }
	/** The leg at `legIndex` was rejected; earlier legs keep their holds until `void`. */
	| { readonly kind: "rejected"; readonly legIndex: number; readonly rejection: LedgerRejectedError };

/** The hold could not be resolved in some legs; all others are resolved. */
export class ChargeNotEndedError extends Error {
	override readonly name = "ChargeNotEndedError";
	readonly open: readonly { readonly account: AccountId; readonly reason: unknown }[];

	constructor(holdId: string, open: ChargeNotEndedError["open"]) {
		const accounts = open.map(({ account }) => account).join(", ");
		super(`the hold ${holdId} could not be ended in ${accounts}`, { cause: open[0]?.reason });
		this.open = open;
	}

	/** True if a retry is useless: a corrupt account needs a repair, and a rejection is final. */
	get isFinal(): boolean {
		return this.open.every(
			({ reason }) => reason instanceof CorruptDocumentError || reason instanceof LedgerRejectedError,
		);
	}
}

/**
 * Charges several accounts. Each step is an idempotent ledger operation, so repeating a charge completes it after a
 * crash. After a rejection, store the rejection first and then void: in the other order a crash in between would lose the
 * reason.
 */
export interface Charges {
	reserve(charge: Charge, note: Note): Promise<ChargeVerdict>;
	/**
	 * Posts every leg. Resolves to the balance of the last leg. Throws `ChargeNotEndedError` after posting all other legs, and the
	 * error of a failing store at once.
	 */
	post(charge: Charge, note: Note): Promise<Balance>;
	/**
	 * Voids in reverse order, and blocks legs that were never reserved. Resolves to the balance of the last leg. Throws
	 * `ChargeNotEndedError` after voiding all other legs.
	 */
	void(charge: Charge, note: Note): Promise<Balance>;
}

export function createCharges(ledger: Ledger): Charges {
	async function balanceOfLastLeg({ legs }: Charge): Promise<Balance> {
		const lastLeg = legs.at(-1);
		assert(lastLeg, "a charge has at least one leg");
		return await ledger.balance(lastLeg.account);
	}

	return {
		async reserve({ holdId, amountCredits, legs }, note) {
			for (const [legIndex, { account, overdraftCredits = 0 }] of legs.entries()) {
				try {
					await ledger.reserve(account, holdId, amountCredits, note, { overdraftCredits });
				} catch (error) {
					if (!(error instanceof LedgerRejectedError)) throw error;
					return { kind: "rejected", legIndex, rejection: error };
				}
			}
			return { kind: "reserved" };
		},
		async post(charge, note) {
			const { holdId, amountCredits, legs } = charge;
			await resolveEachLeg(holdId, legs, ({ account }) => ledger.post(account, holdId, amountCredits, note));
			return await balanceOfLastLeg(charge);
		},
		async void(charge, note) {
			const { holdId, legs } = charge;
			await resolveEachLeg(holdId, legs.toReversed(), ({ account }) => ledger.void(account, holdId, note));
			return await balanceOfLastLeg(charge);
		},
	};
}

/** Resolves the hold in all legs, even if some fail. During an outage of the store none can succeed. */
async function resolveEachLeg(
	holdId: string,
	legs: readonly ChargeLeg[],
	resolve: (leg: ChargeLeg) => Promise<Balance>,
): Promise<void> {
	const open: { account: AccountId; reason: unknown }[] = [];
	for (const leg of legs) {
		try {
			await resolve(leg);
		} catch (reason) {
			if (isStoreFailure(reason)) throw reason;
			open.push({ account: leg.account, reason });
		}
	}
	if (open.length > 0) throw new ChargeNotEndedError(holdId, open);
}
