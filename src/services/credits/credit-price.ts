import type { Credits } from "@atelier/ledger/ledger";
import type { Money } from "../../i18n/money.ts";

/** Converts credits to money. `null` for 0 credits, and if the operator has not set a price. */
export function moneyOf(credits: Credits, creditPrice: Money | undefined): Money | null {
	if (creditPrice === undefined || credits === 0) return null;
	return { amount: credits * creditPrice.amount, currency: creditPrice.currency };
}
