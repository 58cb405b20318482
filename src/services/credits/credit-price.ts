import type { Credits } from "@atelier/ledger/operations";
import type { Money } from "../../i18n/money.ts";

/** Converts credits to money. `null` if the operator has not priced them, and for nothing. */
export function moneyOf(credits: Credits, creditPrice: Money | undefined): Money | null {
	if (creditPrice === undefined || credits === 0) return null;
	return { amount: credits * creditPrice.amount, currency: creditPrice.currency };
}
