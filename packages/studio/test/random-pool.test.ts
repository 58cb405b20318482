import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createRandomStock } from "../src/random-pool.ts";

test("what is drawn is what the source gave, each byte once", () => {
	const given: Uint8Array[] = [];
	const draw = createRandomStock((size) => {
		const bytes = new Uint8Array(randomBytes(size));
		given.push(bytes.slice());
		return bytes;
	});
	const drawn = Array.from({ length: 512 }, () => draw(16));
	expect(Buffer.concat(drawn).equals(Buffer.concat(given))).toBe(true);
	expect(new Set(drawn.map((each) => Buffer.from(each).toString("hex"))).size).toBe(512);
	expect(draw(10_000)).toHaveLength(10_000);
});
