import { expect, test } from "vitest";
import { costOfOutputs, priceOf } from "../src/price.ts";

const flat = { credits: 4, per: "output", resolutionFactors: { "2K": 2, "4K": 1.1 } } as const;
const bySecond = { credits: 3, per: "second", resolutionFactors: { "480p": 1, "720p": 1.5 } } as const;

test.each([
	[flat, {}, 4],
	[flat, { resolution: "2K" }, 8],
	[flat, { resolution: "constructor" }, 4],
	// The default of a model may be a number.
	[{ ...flat, resolutionFactors: { "1024": 2 } }, { resolution: 1024 }, 8],
	[flat, { n: 3 }, 12],
	[flat, { duration: 30 }, 4],
	[bySecond, { duration: 5, resolution: "480p" }, 15],
	// 22.5, rounded up.
	[bySecond, { duration: 5, resolution: "720p" }, 23],
	// A model without a default duration is shown with the price of one second.
	[bySecond, {}, 3],
	// In floating point, 10 × 1.1 is slightly more than 11.
	[{ ...flat, credits: 10 }, { resolution: "4K" }, 11],
	[{ ...flat, credits: 0.1 }, {}, 1],
	[{ ...flat, credits: 0 }, {}, 0],
])("the price %j with %j is %i", (price, options, credits) => {
	expect(priceOf(price, options)).toBe(credits);
});

test.each([
	[8, { n: 4 }, 4, 8],
	[8, { n: 4 }, 3, 6],
	[10, { n: 4 }, 3, 8],
	[10, { n: 4 }, 5, 10],
	[10, {}, 1, 10],
])("of %i credits for %j, %i outputs cost %i", (priceCredits, options, outputCount, credits) => {
	expect(costOfOutputs(priceCredits, options, outputCount)).toBe(credits);
});
