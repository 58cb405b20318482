import * as fc from "fast-check";

const SURROGATES = { first: 0xd800, last: 0xdfff };
const character = fc
	.oneof(fc.nat({ max: SURROGATES.first - 1 }), fc.integer({ min: SURROGATES.last + 1, max: 0x10ffff }))
	.map((code) => String.fromCodePoint(code));

/**
 * Text of any characters, as `fc.string({ unit: "binary" })`, which takes a second and a hundred megabytes to make: it keeps a
 * table of all there are. The words that JavaScript trips over, such as `__proto__`, are those of `fc.string()`.
 */
export const anyText = (maxLength = 50): fc.Arbitrary<string> =>
	fc.oneof(
		{ weight: 4, arbitrary: fc.array(character, { maxLength }).map((characters) => characters.join("")) },
		{ weight: 1, arbitrary: fc.string({ maxLength }) },
	);
