import type { Credits } from "./operations.ts";

/**
 * Rounds the product of a price and its factors up. Factors such as 1.1 are not exact in binary: without a tolerance,
 * 50 x 1.1 would cost 56.
 */
export function wholeCredits(product: number): Credits {
	return Math.ceil(Number.isInteger(product) ? product : Number(product.toFixed(6)));
}
