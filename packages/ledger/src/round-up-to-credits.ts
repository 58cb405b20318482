import type { Credits } from "./ledger.ts";

/** Rounds a price up. Rounds to 6 decimals first, because in binary 50 x 1.1 is more than 55 and would cost 56. */
export function roundUpToCredits(price: number): Credits {
	return Math.ceil(Number.isInteger(price) ? price : Number(price.toFixed(6)));
}
