import assert from "node:assert/strict";
import { countOf, type Price } from "./model.ts";

type Options = Readonly<Record<string, unknown>>;

interface PriceFactors {
	readonly credits: number;
	readonly resolutionFactor: number;
	/** 1 unless the model is priced by the second. */
	readonly seconds: number;
	readonly outputs: number;
}

export function priceFactorsOf({ credits, per, resolutionFactors }: Price, options: Options): PriceFactors {
	const { resolution, duration } = options;
	// The default of a model may be a number; keys in JSON are text.
	const key = String(resolution);
	const resolutionFactor = Object.hasOwn(resolutionFactors, key) ? (resolutionFactors[key] ?? 1) : 1;
	const seconds = per === "second" && typeof duration === "number" ? duration : 1;
	return { credits, resolutionFactor, seconds, outputs: countOf(options) };
}

/**
 * Returns the price in whole credits: the product of its factors, rounded up. Without a duration, a price by the second is that of
 * one second.
 */
export function priceOf(price: Price, options: Options): number {
	const { credits, resolutionFactor, seconds, outputs } = priceFactorsOf(price, options);
	// In binary, 50 x 1.1 is more than 55, and would cost 56.
	const priceCredits = Math.ceil(Number((credits * resolutionFactor * seconds * outputs).toFixed(6)));
	assert(Number.isSafeInteger(priceCredits) && priceCredits >= 0, "a price is a number of whole credits");
	return priceCredits;
}

/** Returns the cost of the delivered outputs, which may be fewer than requested: missing ones are not charged. */
export function costOfOutputs(priceCredits: number, options: Options, outputCount: number): number {
	const requested = countOf(options);
	return outputCount >= requested ? priceCredits : Math.ceil((priceCredits * outputCount) / requested);
}
