import { expect, test } from "vitest";
import { isSameSecret } from "../src/constant-time-equal.ts";

test("a secret is the same only whole, whatever it is made of", () => {
	expect(isSameSecret("säcret", Buffer.from("säcret"))).toBe(true);
	for (const other of ["", "säcre", "säcret ", "sæcret", "SÄCRET"]) expect(isSameSecret(other, "säcret")).toBe(false);
});
