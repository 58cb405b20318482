import type { Credits } from "./operations.ts";

/** What a price times its factors comes to, rounded up. Factors such as 1.1 are not exact in binary: without this, 50 x 1.1 would cost 56. */
export function wholeCredits(product: number): Credits {
	return Math.ceil(Number.isInteger(product) ? product : Number(product.toFixed(6)));
}
