import type { Ledger } from "@atelier/ledger/operations";
import type { KeyHolder } from "./keys.ts";
import { capNow } from "./spend-cap.ts";
import { timeOf } from "./task-dto.ts";

/** Returns the current cap of a key and its remaining credits; `null` without a cap. */
export async function readCap(ledger: Pick<Ledger, "balance">, key: Pick<KeyHolder, "id" | "cap">, nowMs: number) {
	const cap = capNow(key, nowMs);
	if (!cap) return null;
	const { credits, per, account, resetsAtMs } = cap;
	const { postedCredits, heldCredits, availableCredits } = await ledger.balance(account);
	return {
		credits,
		per,
		spent: Math.max(0, -postedCredits),
		reserved: heldCredits,
		available: Math.max(0, credits + availableCredits),
		resetsAt: resetsAtMs === null ? null : timeOf(resetsAtMs),
	};
}
