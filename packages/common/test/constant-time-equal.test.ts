import { expect, test } from "vitest";
import { isSameSecret } from "../src/constant-time-equal.ts";

test("compares whole secrets of any characters", () => {
	expect(isSameSecret("säcret", Buffer.from("säcret"))).toBe(true);
	for (const other of ["", "säcre", "säcret ", "sæcret", "SÄCRET"]) expect(isSameSecret(other, "säcret")).toBe(false);
});
