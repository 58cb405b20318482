import { CorruptDocumentError } from "@atelier/store/keyv-store";
import {
	LedgerRefusalError,
	type AccountId,
	type Balance,
	type Credits,
	type Ledger,
	type Note,
} from "./operations.ts";

/** One account that a charge goes through: a balance, or with an overdraft a limit on use. */
interface ChargeLeg {
	readonly account: AccountId;
	readonly overdraftCredits?: Credits;
}

/** One payment that several accounts must all allow, each with a hold of the same id. */
export interface Charge {
	readonly holdId: string;
	readonly amountCredits: Credits;
	/** In the order of reserving: the narrowest limit first, the balance last. */
	readonly legs: readonly ChargeLeg[];
}

export type ChargeVerdict =
	| { readonly kind: "reserved" }
	/** `leg` said no; the legs before it hold their part until `void`. */
	| { readonly kind: "refused"; readonly leg: number; readonly refusal: LedgerRefusalError };

/** Some legs of a charge could not be ended; all the others are. */
export class ChargeNotEndedError extends Error {
	override readonly name = "ChargeNotEndedError";
	readonly open: readonly { readonly account: AccountId; readonly reason: unknown }[];

	constructor(holdId: string, open: ChargeNotEndedError["open"]) {
		const accounts = open.map(({ account }) => account).join(", ");
		super(`the hold ${holdId} could not be ended in ${accounts}`, { cause: open[0]?.reason });
		this.open = open;
	}

	/** Whether asking again is of no use: a damaged account stays so until somebody repairs it, and a no stays a no. */
	get isFinal(): boolean {
		return this.open.every(
			({ reason }) => reason instanceof CorruptDocumentError || reason instanceof LedgerRefusalError,
		);
	}
}

/**
 * Charges over several accounts. The steps are single operations of the ledger, so a charge that a crash cut in two is
 * finished by asking for the same again. After a refusal write down that it was refused, then void: in the other order a
 * crash in between would lose the reason.
 */
export interface Charges {
	reserve(charge: Charge, note: Note): Promise<ChargeVerdict>;
	/** Charges every leg; resolves to the balance of the last. Throws `ChargeNotEndedError` after all that could be charged. */
	post(charge: Charge, note: Note): Promise<Balance>;
	/**
	 * Gives back in the reverse order, and keeps legs that were never reserved from being so; the balance of the last leg.
	 * Throws `ChargeNotEndedError` after all that could be given back.
	 */
	void(charge: Charge, note: Note): Promise<Balance>;
}

export function createCharges(ledger: Ledger): Charges {
	const balanceOfLast = ({ legs }: Charge): Promise<Balance> => ledger.balance(legs.at(-1)?.account ?? "none");

	return {
		async reserve({ holdId, amountCredits, legs }, note) {
			for (const [leg, { account, overdraftCredits = 0 }] of legs.entries()) {
				try {
					await ledger.reserve(account, holdId, amountCredits, note, { overdraftCredits });
				} catch (error) {
					if (!(error instanceof LedgerRefusalError)) throw error;
					return { kind: "refused", leg, refusal: error };
				}
			}
			return { kind: "reserved" };
		},
		async post(charge, note) {
			const { holdId, amountCredits, legs } = charge;
			await endEach(holdId, legs, ({ account }) => ledger.post(account, holdId, amountCredits, note));
			return await balanceOfLast(charge);
		},
		async void(charge, note) {
			const { holdId, legs } = charge;
			await endEach(holdId, legs.toReversed(), ({ account }) => ledger.void(account, holdId, note));
			return await balanceOfLast(charge);
		},
	};
}

/** One damaged account keeps no other from being charged or given back. */
async function endEach(
	holdId: string,
	legs: readonly ChargeLeg[],
	end: (leg: ChargeLeg) => Promise<Balance>,
): Promise<void> {
	const open: { account: AccountId; reason: unknown }[] = [];
	for (const leg of legs) {
		try {
			await end(leg);
		} catch (reason) {
			open.push({ account: leg.account, reason });
		}
	}
	if (open.length > 0) throw new ChargeNotEndedError(holdId, open);
}
