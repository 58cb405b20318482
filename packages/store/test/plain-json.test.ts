import * as fc from "fast-check";
import { Keyv } from "keyv";
import { expect, test } from "vitest";
import { preferPlainJson } from "../src/plain-json.ts";
import { anyText } from "@atelier/common/testing/any-text";

const keyv = new Keyv();
const own = { serialize: keyv.serialize!, deserialize: keyv.deserialize! };
const format = preferPlainJson(own);

/** Strings as they trouble keyv: a colon in front, its marks for buffers, quotes and backslashes around them. */
const text = fc.oneof(
	anyText(8),
	fc.stringMatching(/^:?(base64:)?["\\:,[{ ]{0,4}:?"?Buffer?$/),
	fc.constantFrom(":", "::", ":base64:AA==", '":', '\\":', "Buffer", '{"type":"Buffer"}', "__proto__"),
);
const value = fc.letrec((tie) => ({
	any: fc.oneof(
		{ maxDepth: 4 },
		text,
		fc.double(),
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.constant(undefined),
		fc.array(tie("any"), { maxLength: 4 }),
		fc.dictionary(text, tie("any"), { maxKeys: 4 }),
	),
})).any;

test("every value has exactly keyv's text, and reads as keyv reads it", () => {
	fc.assert(
		fc.property(value, (stored) => {
			const ours = format.serialize({ value: stored });
			expect(ours).toBe(own.serialize({ value: stored }));
			expect(format.deserialize(ours as string)).toStrictEqual(own.deserialize(ours as string));
		}),
		{ numRuns: 3000 },
	);
});
