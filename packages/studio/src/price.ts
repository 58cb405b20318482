import { hash } from "node:crypto";
import { priceOf } from "@atelier/media-protocol/price";
import type { Price } from "@atelier/media-protocol/model";

/** Returns the price of a task: at least 1, because the ledger reserves no hold of 0. */
export function taskPriceOf(price: Price, options: Parameters<typeof priceOf>[1]): number {
	return Math.max(1, priceOf(price, options));
}

/** Identifies a price: a changed price has another version. */
export function priceVersionOf(price: Price): string {
	const factors = Object.entries(price.resolutionFactors).toSorted(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify([price.credits, price.per, factors]);
	return `price-${hash("sha256", text).slice(0, 12)}`;
}
