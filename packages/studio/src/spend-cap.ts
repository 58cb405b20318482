/** Spend caps of keys per period, independent of the account's balance. */
import type { Ledger } from "@atelier/ledger/operations";
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

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday; Monday is 0. */
const EPOCH_WEEKDAY = 3;

interface CappedKey {
	readonly id: string;
	readonly cap: SpendCap | null;
}

export function currentCap(key: CappedKey, nowMs: number): CurrentCap | null {
	if (!key.cap) return null;
	const period = periodAt(key.cap.per, nowMs);
	const label = period === null ? "ever" : `${key.cap.per}-${new Date(period.startMs).toISOString().slice(0, 10)}`;
	return { ...key.cap, account: `studio-cap:${key.id}:${label}`, resetsAtMs: period?.endMs ?? null };
}

function periodAt(per: CapPeriod, nowMs: number): { readonly startMs: number; readonly endMs: number } | null {
	const day = Math.floor(nowMs / DAY_MS);
	switch (per) {
		case "day":
			return { startMs: day * DAY_MS, endMs: (day + 1) * DAY_MS };
		case "week": {
			const monday = day - ((day + EPOCH_WEEKDAY) % 7);
			return { startMs: monday * DAY_MS, endMs: (monday + 7) * DAY_MS };
		}
		case "month": {
			const now = new Date(nowMs);
			const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
			return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
		}
		case "ever":
			return null;
	}
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
		available: Math.max(0, credits + availableCredits),
		resetsAt: resetsAtMs === null ? null : isoTime(resetsAtMs),
	};
}
