/** Spend caps of keys per period, independent of the account's balance. */
import { DateTime } from "luxon";
import type { Ledger } from "@atelier/ledger/ledger";
import { isoTime } from "./envelope.ts";

export const CAP_PERIODS = ["day", "week", "month", "ever"] as const;
type CapPeriod = (typeof CAP_PERIODS)[number];

export interface SpendCap {
	readonly credits: number;
	/** Calendar periods in UTC; weeks start on Monday. */
	readonly per: CapPeriod;
}

/**
 * The cap of the current period. Each period has a ledger account of its own, so nothing has to be reset. The account
 * starts at zero and is overdrawn by the spent credits.
 */
export interface CurrentCap extends SpendCap {
	readonly account: string;
	/** `null` for the period `ever`. */
	readonly resetsAtMs: number | null;
}

interface CappedKey {
	readonly id: string;
	readonly cap: SpendCap | null;
}

export function currentCap({ id, cap }: CappedKey, nowMs: number): CurrentCap | null {
	if (!cap) return null;
	const { per } = cap;
	if (per === "ever") return { ...cap, account: `studio-cap:${id}:ever`, resetsAtMs: null };
	const start = DateTime.fromMillis(nowMs, { zone: "utc" }).startOf(per);
	const account = `studio-cap:${id}:${per}-${start.toFormat("yyyy-MM-dd")}`;
	return { ...cap, account, resetsAtMs: start.plus({ [per]: 1 }).toMillis() };
}

/** Returns the current cap of a key and its remaining credits; `null` without a cap. */
export async function readCap(ledger: Pick<Ledger, "balance">, key: CappedKey, nowMs: number) {
	const cap = currentCap(key, nowMs);
	if (!cap) return null;
	const { credits, per, account, resetsAtMs } = cap;
	const { postedCredits, heldCredits, availableCredits } = await ledger.balance(account);
	return {
		credits,
		per,
		spent: Math.max(0, -postedCredits),
		reserved: heldCredits,
		available: credits + availableCredits,
		resetsAt: resetsAtMs === null ? null : isoTime(resetsAtMs),
	};
}
