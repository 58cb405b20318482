import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineCustomId, nameIn, idField } from "../../src/discord/custom-id.ts";

const ids = defineCustomId("decide", { taskId: idField.snowflake, verdict: idField.oneOf("keep", "remove") });
const snowflake = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
const verdict = fc.constantFrom("keep", "remove");

describe("custom ids", () => {
	test("are parsed to the written values, and never exceed Discord's limit", () => {
		fc.assert(
			fc.property(snowflake, verdict, (taskId, chosen) => {
				const customId = ids.encode({ taskId, verdict: chosen });
				expect(customId.length).toBeLessThanOrEqual(100);
				expect(nameIn(customId)).toBe("decide");
				expect(ids.decode(customId)).toStrictEqual({ taskId, verdict: chosen });
			}),
		);
	});

	test.each([
		["of another version", "2:decide:1234:keep"],
		["of another name", "1:decided:1234:keep"],
		["with an unknown word", "1:decide:1234:burn"],
		["with an invalid id", "1:decide:0:keep"],
		["with member input", "1:decide:<@1>:keep"],
		["with an id that is too long", `1:decide:${"9".repeat(80)}:keep`],
		["with an extra value", "1:decide:1234:keep:1"],
		["with a missing value", "1:decide:1234"],
		["empty", ""],
	])("are rejected if they are %s", (_what, customId) => {
		expect(ids.decode(customId)).toBeUndefined();
	});

	test("cannot be written with values that could not be parsed, nor defined beyond Discord's limit", () => {
		expect(() => ids.encode({ taskId: "no id", verdict: "keep" })).toThrow("cannot contain taskId");
		expect(() => defineCustomId("long", { word: idField.oneOf("w".repeat(100)) })).toThrow("107 characters");
	});
});
