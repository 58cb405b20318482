import * as fc from "fast-check";

const SURROGATES = { first: 0xd800, last: 0xdfff };
const character = fc
	.oneof(fc.nat({ max: SURROGATES.first - 1 }), fc.integer({ min: SURROGATES.last + 1, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));

/**
 * Generates text like `fc.string({ unit: "binary" })`, without its table of all characters, which costs a second and
 * 100 MB. Includes the special words of `fc.string()`, such as `__proto__`.
 */
export const arbitraryText = (maxLength = 50): fc.Arbitrary<string> =>
	fc.oneof(
		{ weight: 4, arbitrary: fc.array(character, { maxLength }).map((characters) => characters.join("")) },
		{ weight: 1, arbitrary: fc.string({ maxLength }) },
	);
