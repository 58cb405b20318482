import { expect, test } from "vitest";
import { MANAGER, linesOf, setupCredits } from "./command-setup.ts";

test("managers set the visibility of results, and the setting persists", async () => {
	const { type } = setupCredits();
	expect(linesOf(await type(MANAGER, "settings media"))).toContain("**Results**: public");
	await type(MANAGER, "settings media", { spoiler: true });
	expect(linesOf(await type(MANAGER, "settings media"))).toContain("**Spoilers**: on");
});
