import { describe, expect, test } from "vitest";
import { understand } from "../../tools/typed.ts";

const WANTED = {
	usage: "npm run it -- [ledger|tasks] [--runs 10] [--store URL ...]",
	numbers: { runs: 10 },
	words: ["store"],
	choices: ["ledger", "tasks"],
} as const;

test("what is not typed is what stands in for it", () => {
	expect(understand([], WANTED)).toStrictEqual({
		numbers: { runs: 10 },
		words: { store: undefined },
		choice: "ledger",
	});
});

test("numbers, words as often as they come, and what is chosen are read", () => {
	const typed = ["tasks", "--runs", "0.5", "--store", "memory:", "--store=redis://here"];
	expect(understand(typed, WANTED)).toStrictEqual({
		numbers: { runs: 0.5 },
		words: { store: ["memory:", "redis://here"] },
		choice: "tasks",
	});
});

test.each(["--help", "-h"])("%s says how it is typed, and is no fault", (help) => {
	expect(understand([help], WANTED)).toStrictEqual({ exitCode: 0, says: WANTED.usage });
});

describe("what is not understood is exit code 2, why, and how it is typed", () => {
	test.each([
		["an unknown option", ["--nope"], "--nope"],
		["a number that is none", ["--runs", "many"], "--runs takes a number, not many"],
		["an option without its value", ["--runs"], "--runs"],
		["a choice that there is not", ["money"], "Expected one of ledger, tasks, not money"],
		["two choices", ["ledger", "tasks"], "Expected one of ledger, tasks, not ledger tasks"],
	])("%s", (_name, typed, why) => {
		const ending = understand(typed, WANTED);
		expect(ending).toMatchObject({ exitCode: 2, says: expect.stringContaining(why) });
		expect(ending).toMatchObject({ says: expect.stringContaining(WANTED.usage) });
	});
});
