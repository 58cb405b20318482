import { expect, test } from "vitest";
import { getOrCreate } from "../src/get-or-create.ts";
import { openStore } from "../src/open-store.ts";

test("processes that create a document at the same time, and later ones, get the same one", async () => {
	const store = await openStore("memory:");
	const values = await Promise.all([1, 2, 3].map((value) => getOrCreate(store, "secret", () => value)));
	expect(new Set(values).size).toBe(1);
	expect(await getOrCreate(store, "secret", () => 4)).toBe(values[0]);
});
