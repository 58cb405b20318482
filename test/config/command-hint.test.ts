import { expect, test } from "vitest";
import { commandHint } from "../../src/config/command-hint.ts";

test("a hint names npx in a checkout, and the command of the environment elsewhere", () => {
	expect(commandHint("doctor")).toBe("`npx atelier doctor`");
	expect(commandHint("doctor", "sudo atelier")).toBe("`sudo atelier doctor`");
});
