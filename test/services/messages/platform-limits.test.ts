import { expect, test } from "vitest";
import { en } from "../../../src/services/messages/en/index.ts";

/** Discord's bounds, by what the name of a sentence says of where it is shown. */
const BOUNDS: readonly (readonly [RegExp, number])[] = [
	[/^button/, 80],
	[/^edit/, 45],
	[/MenuName$/, 32],
	[/^option|Description$/, 100],
];

test.each(BOUNDS)("what is called %s is no longer than Discord takes, whatever it is filled with", (name, charsMax) => {
	const sentences = Object.entries(en).filter(([key]) => name.test(key));
	const lengths = sentences.flatMap(([key, value]) => {
		if (typeof value === "string") return [[key, value.length] as const];
		// What is filled in and stands on a button is a price; the others of these names are refusals.
		return key === "buttonConfirm" ? [[key, en.buttonConfirm({ costCredits: 1_000_000_000 }).length] as const] : [];
	});
	expect(lengths.length).toBeGreaterThan(0);
	expect(lengths.filter(([, length]) => length === 0 || length > charsMax)).toStrictEqual([]);
});
