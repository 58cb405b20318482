import * as fc from "fast-check";
import { Keyv } from "keyv";
import { expect, test } from "vitest";
import { preferPlainJson } from "../src/plain-json.ts";
import { arbitraryText } from "@atelier/common/testing/arbitrary-text";

const keyv = new Keyv();
const keyvFormat = { serialize: keyv.serialize!, deserialize: keyv.deserialize! };
const format = preferPlainJson(keyvFormat);

/** Includes strings that keyv escapes: a leading colon, its buffer prefix, quotes and backslashes. */
const text = fc.oneof(
	arbitraryText(8),
	fc.stringMatching(/^:?(base64:)?["\\:,[{ ]{0,4}:?"?(Buffer)?$/),
	fc.constantFrom(":", "::", ":base64:AA==", '":', '\\":', "Buffer", '{"type":"Buffer"}', "__proto__"),
);
const value = fc.anything({ key: text, values: [text, fc.double(), fc.boolean(), fc.constant(null)], maxDepth: 4 });

test("values are serialized and deserialized exactly as by keyv", () => {
	fc.assert(
		fc.property(value, (stored) => {
			const serialized = format.serialize({ value: stored });
			expect(serialized).toBe(keyvFormat.serialize({ value: stored }));
			expect(format.deserialize(serialized as string)).toStrictEqual(keyvFormat.deserialize(serialized as string));
		}),
		{ numRuns: 3000 },
	);
});
