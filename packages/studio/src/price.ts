import { hash } from "node:crypto";
import { roundUpToCredits } from "@atelier/ledger/round-up-to-credits";
import type { Price } from "./engines/engine.ts";

/** The factors of a price. */
interface PriceBreakdown {
	readonly credits: number;
	readonly resolutionFactor: number;
	/** 1 unless the model is priced by the second. */
	readonly seconds: number;
	readonly outputs: number;
}

type Options = Readonly<Record<string, string | number | boolean>>;

export function breakdownOf(price: Price, { resolution, duration, n }: Options): PriceBreakdown {
	const resolutionFactor =
		typeof resolution === "string" && Object.hasOwn(price.resolutionFactors, resolution)
			? (price.resolutionFactors[resolution] ?? 1)
			: 1;
	const seconds = price.per === "second" && typeof duration === "number" ? duration : 1;
	const outputs = typeof n === "number" ? n : 1;
	return { credits: price.credits, resolutionFactor, seconds, outputs };
}

/** Computes the price of a task before it starts: base x resolution x seconds x outputs, rounded up, at least 1. */
export function priceOf(price: Price, options: Options): number {
	const { credits, resolutionFactor, seconds, outputs } = breakdownOf(price, options);
	return Math.max(1, roundUpToCredits(credits * resolutionFactor * seconds * outputs));
}

/** Returns the cost of the delivered outputs, which may be fewer than requested. */
export function costOfOutputs(
	{ priceCredits, options }: { readonly priceCredits: number; readonly options: Options },
	outputs: number,
): number {
	const { n } = options;
	if (typeof n !== "number" || outputs >= n) return priceCredits;
	return Math.max(1, roundUpToCredits((priceCredits * outputs) / n));
}

/** Identifies a price: a changed price has another version. */
export function priceVersionOf(price: Price): string {
	const factors = Object.entries(price.resolutionFactors).toSorted(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify([price.credits, price.per, factors]);
	return `price-${hash("sha256", text).slice(0, 12)}`;
}
